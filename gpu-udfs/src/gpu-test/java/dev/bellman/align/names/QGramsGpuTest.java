package dev.bellman.align.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@code qgram_similarity} with the CPU. */
class QGramsGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.BinaryType)
            .add("b", DataTypes.BinaryType)
            .add("q", DataTypes.IntegerType)
            .add("coefficient", DataTypes.StringType);

    /**
     * Returns short and long strings over every alphabet, some not valid UTF-8; every argument is sometimes NULL or
     * invalid.
     */
    private static Dataset<Row> pairs() {
        Random random = new Random(1992);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)
                    .get(i % 4);
            String a = TestPairs.random(random, alphabet, random.nextInt(i % 50 == 0 ? 400 : 40));
            String b = i % 3 == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(40))
                    : TestPairs.mutate(random, alphabet, a, 0.1);
            rows.add(RowFactory.create(
                    i % 31 == 0 ? null : i % 17 == 0 ? TestPairs.malformed(random, 30) : a.getBytes(UTF_8),
                    i % 37 == 0 ? null : i % 19 == 0 ? TestPairs.malformed(random, 30) : b.getBytes(UTF_8),
                    i % 41 == 0 ? null : random.nextInt(i % 100 == 0 ? 300 : 5),
                    i % 43 == 0
                            ? null
                            : List.of("jaccard", "dice", "cosine", i % 99 == 0 ? "cosines" : "dice")
                                    .get(random.nextInt(4))));
        }
        return texts(PAIRS, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_qgram_similarity(a, b, q, coefficient)",
                "try_qgram_similarity(a, b, 2, 'jaccard')",
                "try_qgram_similarity(a, b, 3, 'cosine')"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(pairs(), call);
    }

    /** The error message is the same as on the CPU. */
    @Test
    void wrongCoefficient() {
        Dataset<Row> pair =
                texts(PAIRS, List.of(RowFactory.create("ab".getBytes(UTF_8), "ab".getBytes(UTF_8), 2, "cosin")));
        String call = "qgram_similarity(a, b, q, coefficient)";
        assertSameFailure(pair, call).contains("must be jaccard, dice or cosine");
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null, 2, "dice");
        byte[] empty = {};
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(empty, empty, 2, "dice"), nulls),
                List.of(RowFactory.create(empty, new byte[] {'a'}, 1, "jaccard")))) {
            assertSameAsOnCpu(texts(PAIRS, rows), "qgram_similarity(a, b, q, coefficient)");
        }
    }
}
