package dev.bellman.align.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.FunctionOptions;
import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import dev.bellman.function.BellmanFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares Splink's functions with the CPU. */
class SplinkGpuTest extends GpuTest {
    /**
     * Returns pairs with short and long strings, characters beyond U+FFFF, bytes that are not valid UTF-8, surrogates,
     * and NULL.
     */
    private static Dataset<Row> pairs() {
        Random random = new Random(2023);
        byte[] surrogate = {'a', (byte) 0xed, (byte) 0xa0, (byte) 0x80};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = List.of("ab", TestPairs.LETTERS, "aéß文\uffff", TestPairs.MIXED)
                    .get(i % 4);
            String a = TestPairs.random(random, alphabet, random.nextInt(i % 20 == 0 ? 80 : 20));
            String b = i % 3 == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(20))
                    : TestPairs.mutate(random, alphabet, a, 0.2);
            rows.add(RowFactory.create(
                    i % 31 == 0 ? null : i % 17 == 0 ? TestPairs.malformed(random, 30) : a.getBytes(UTF_8),
                    i % 37 == 0 ? null : i % 97 == 0 ? surrogate : b.getBytes(UTF_8)));
        }
        return texts(BYTES, rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jaro_sim", "jaro_winkler", "jaccard"})
    void sameAsOnCpu(String function) {
        BellmanFunctions.register(spark(), SplinkFunctions.list(), FunctionOptions.DEFAULT);
        assertSameAsOnCpu(pairs(), function + "(a, b)");
    }
}
