package dev.bellman.chain.matrix.paper;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the papers' strategies on the GPU with the table on the CPU. */
class ChainStrategiesGpuTest extends GpuTest {
    private static final String KEY = "spark.bellman.matrix_chain.strategy";

    private static final StructType CHAINS =
            new StructType().add("dims", DataTypes.createArrayType(DataTypes.LongType, true));

    private static Dataset<Row> chains(List<long[]> chains) {
        return rows(
                CHAINS,
                1,
                chains.stream()
                        .map(dims -> RowFactory.create(
                                (Object) LongStream.of(dims).boxed().toArray(Long[]::new)))
                        .toList());
    }

    private static long[] random(SplittableRandom random, int matrices, long largest) {
        return random.longs(matrices + 1, 1, largest + 1).toArray();
    }

    /**
     * Returns chains with all widths of costs and all shapes, around the sizes of warps and blocks, including overflows
     * and invalid entries.
     */
    private static List<long[]> adversarial() {
        SplittableRandom random = new SplittableRandom(2011);
        List<long[]> chains = new ArrayList<>();
        for (long largest : new long[] {1, 3, 60, 5_000, 1L << 19, 1L << 40}) {
            for (int matrices : new int[] {1, 2, 3, 4, 5, 8, 31, 32, 33, 34, 64, 65, 129, 133}) {
                long[] dims = random(random, matrices, largest);
                chains.add(dims);
                long[] sorted = dims.clone();
                Arrays.sort(sorted);
                chains.add(sorted);
                chains.add(LongStream.range(0, dims.length)
                        .map(i -> sorted[sorted.length - 1 - (int) i])
                        .toArray());
                chains.add(LongStream.range(0, dims.length)
                        .map(i -> i % 2 == 0 ? 1 : dims[(int) i])
                        .toArray());
                chains.add(LongStream.range(0, dims.length)
                        .map(i -> sorted[sorted.length - 1])
                        .toArray());
            }
        }
        chains.add(new long[] {5});
        chains.add(new long[] {3, 0, 3});
        chains.add(new long[] {1, Long.MAX_VALUE, 1});
        chains.add(new long[] {1, Long.MAX_VALUE, 2});
        chains.add(new long[] {1290, 1290, 1290});
        chains.add(new long[] {1291, 1291, 1291});
        return chains;
    }

    /** Returns chains of more matrices than a block has threads, for each width. */
    private static Dataset<Row> longChains() {
        SplittableRandom random = new SplittableRandom(2018);
        return chains(List.of(
                random(random, 1_024, 90),
                random(random, 1_025, 90),
                random(random, 1_026, 4_000),
                random(random, 1_030, 60_000),
                random(random, 1_100, 1L << 20),
                random(random, 1, 9)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "solomon",
                "solomon-coalesced",
                "adaptive",
                "adaptive-type-0",
                "adaptive-type-1",
                "diagonal",
                "pipeline",
                "pipeline-delayed"
            })
    void sameAsTable(String strategy) {
        withConf(KEY, strategy, () -> {
            Dataset<Row> chains = chains(adversarial());
            assertSameAsOnCpu(chains, "try_matrix_chain_cost(dims)");
            assertSameAsOnCpu(chains, "try_matrix_chain_order(dims)");
            assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
            assertSameAsOnCpu(longChains(), "matrix_chain(dims)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"solomon", "solomon-coalesced", "adaptive", "diagonal"})
    void lengthsThatDiffer(String strategy) {
        SplittableRandom random = new SplittableRandom(2013);
        Dataset<Row> chains = chains(List.of(
                random(random, 1, 50),
                random(random, 3_000, 50),
                random(random, 2, 50),
                random(random, 3_000, 10_000),
                random(random, 700, 50)));
        withConf(KEY, strategy, () -> assertSameAsOnCpu(chains, "matrix_chain(dims)"));
    }

    /** Tests deep trees, which have one product on each level, and balanced trees. */
    @Test
    void trees() {
        Dataset<Row> chains = chains(List.of(
                LongStream.rangeClosed(1, 1_500).toArray(),
                LongStream.rangeClosed(1, 1_500).map(i -> 1_501 - i).toArray(),
                LongStream.range(0, 2_049)
                        .map(i -> 1L << (11 - Long.numberOfTrailingZeros(i | 2_048)))
                        .toArray(),
                LongStream.range(0, 2_000).map(i -> 7).toArray()));
        withConf(KEY, "adaptive", () -> assertSameAsOnCpu(chains, "matrix_chain(dims)"));
    }

    /** Rows that are too large for the GPU are left to the CPU, which fails with its own message. */
    @Test
    void tableLargerThanTheMemory() {
        long[] ones = new long[300_001];
        Arrays.fill(ones, 1);
        Dataset<Row> chains = chains(List.of(ones));
        withConf(KEY, "adaptive", () -> {
            assertSameFailure(chains, "matrix_chain_cost(dims)").contains("BELLMAN_LIMIT", "300000 matrices");
        });
    }
}
