package dev.bellman.align.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@code affine_gap_similarity} with the CPU. */
class AffineGapGpuTest extends GpuTest {
    private static final String FUNCTION = "affine_gap_similarity";

    /**
     * Returns short pairs, and pairs with lengths around the limits of the size classes, over several alphabets; some
     * strings are not valid UTF-8, and some are NULL.
     */
    private static Dataset<Row> pairs() {
        Random random = new Random(1996);
        List<Row> rows = new ArrayList<>();
        int[] lengths = {0, 1, 2, 8, 31, 32, 33, 64, 65, 96, 97, 128, 129, 224, 255, 256, 257, 300, 4_096, 4_097};
        for (int i = 0; i < 20_000; i++) {
            String alphabet = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)
                    .get(i % 4);
            boolean isEdge = i % 20 == 0;
            int n = isEdge ? lengths[random.nextInt(lengths.length)] : random.nextInt(40);
            int m = isEdge ? lengths[random.nextInt(lengths.length)] : random.nextInt(40);
            String a = TestPairs.random(random, alphabet, n);
            String b = i % 3 == 0
                    ? TestPairs.random(random, alphabet, m)
                    : TestPairs.mutate(random, alphabet, a.substring(a.length() / 4), 0.1);
            rows.add(RowFactory.create(
                    i % 31 == 0 ? null : i % 17 == 0 ? TestPairs.malformed(random, 30) : a.getBytes(UTF_8),
                    i % 37 == 0 ? null : i % 19 == 0 ? TestPairs.malformed(random, 30) : b.getBytes(UTF_8)));
        }
        Collections.shuffle(rows, random);
        return texts(BYTES, rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"affine_gap_similarity(a, b)", "affine_gap_similarity(a, 'GATTACA日')"})
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(pairs(), call);
    }

    /** Compares a checksum of the results of many rows. */
    @Test
    void millionsOfRows() {
        Dataset<Row> pairs = spark().range(0, 2_000_000, 1, 4)
                .selectExpr("substring(md5(cast(id as string)), 1, 20) a", "md5(cast(id + 1 as string)) b");
        assertSameAsOnCpu(FUNCTION, pairs, "sum(cast(hash(affine_gap_similarity(a, b)) as bigint))");
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null);
        byte[] empty = {};
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(empty, empty), nulls),
                List.of(RowFactory.create(empty, new byte[] {'a'})))) {
            assertSameAsOnCpu(texts(BYTES, rows), "affine_gap_similarity(a, b)");
        }
    }
}
