package dev.bellman.chain.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixChainGpuTest extends GpuTest {
    private static final StructType CHAINS =
            new StructType().add("dims", DataTypes.createArrayType(DataTypes.LongType, true));

    /**
     * The maximum dimensions of chains. Depending on them, costs fit in 32 bits, fit in a double, or overflow; if
     * dimensions are small, many orders are optimal.
     */
    private static final long[] LARGEST = {1, 2, 5, 30, 100, 1_000, 100_000, 3_000_000, 1L << 31, 1L << 40};

    private static Long[] chain(Random random, int matrices) {
        long largest = LARGEST[random.nextInt(LARGEST.length)];
        long[] dims = LongStream.generate(() -> 1 + random.nextLong(largest))
                .limit(matrices + 1)
                .toArray();
        return LongStream.of(shaped(random.nextInt(6), dims)).boxed().toArray(Long[]::new);
    }

    /** Returns the dimensions unchanged, ascending, descending, all equal, or shaped like a mountain or a valley. */
    private static long[] shaped(int shape, long[] dims) {
        if (shape == 0) {
            return dims;
        }
        long[] sorted = dims.clone();
        Arrays.sort(sorted);
        long[] shaped = new long[dims.length];
        for (int i = 0; i < dims.length; i++) {
            int last = dims.length - 1;
            int end = i % 2 == 0 ? i / 2 : last - i / 2;
            switch (shape) {
                case 1 -> shaped[i] = sorted[i];
                case 2 -> shaped[i] = sorted[last - i];
                case 3 -> shaped[i] = sorted[0];
                case 4 -> shaped[end] = sorted[i];
                default -> shaped[end] = sorted[last - i];
            }
        }
        return shaped;
    }

    private static Dataset<Row> chains(int count, int partitions, IntFunction<Long[]> chain) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(RowFactory.create((Object) chain.apply(i)));
        }
        return rows(CHAINS, partitions, rows);
    }

    /**
     * Returns chains of up to 40 matrices and, in every tenth row, of up to {@code most}. Some of them contain NULLs,
     * invalid entries, or dimensions that cause overflows.
     */
    private static Dataset<Row> mixed(int count, int partitions, int most) {
        Random random = new Random(1982);
        return chains(count, partitions, i -> {
            Long[] dims = chain(random, 1 + random.nextInt(i % 10 == 0 ? most : 40));
            int at = random.nextInt(dims.length);
            switch (random.nextInt(40)) {
                case 0 -> dims = null;
                case 1 -> dims[at] = null;
                case 2 -> dims[at] = 0L;
                case 3 -> dims[at] = Long.MIN_VALUE;
                case 4 -> dims = new Long[0];
                case 5 -> dims = new Long[] {7L};
                case 6 -> dims[at] = Long.MAX_VALUE;
                default -> {}
            }
            return dims;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"try_matrix_chain_cost", "try_matrix_chain_order", "try_matrix_chain"})
    void sameAsOnCpu(String function) {
        assertSameAsOnCpu(mixed(20_000, 3, 600), function + "(dims)");
    }

    /** The costs of these chains, computed without orders, were once incorrect. */
    @Test
    void chainsOnceWrong() {
        Long[][] dims = {
            {726L, 45L, 937L, 44L, 709L, 119L, 182L, 128L, 198L, 957L},
            {288L, 327L, 427L, 938L, 960L, 192L, 179L, 484L, 660L, 469L, 556L, 579L, 435L, 262L},
            {
                712L, 154L, 157L, 302L, 361L, 660L, 761L, 698L, 88L, 400L, 899L, 948L, 930L, 548L, 106L, 217L, 325L,
                86L, 175L, 298L
            }
        };
        Dataset<Row> chains = chains(dims.length, 1, i -> dims[i]);
        assertSameAsOnCpu(chains, "matrix_chain_cost(dims)");
        assertSameAsOnCpu(chains, "triangulation_cost(dims)");
        assertThat(chains.selectExpr("matrix_chain_cost(dims)").collectAsList())
                .extracting(row -> row.getLong(0))
                .containsExactly(48_731_540L, 600_461_357L, 401_040_482L);
    }

    /** Tests every chain of up to 7 dimensions from 1 to 7, in one batch. */
    @ParameterizedTest
    @ValueSource(strings = {"matrix_chain_cost", "matrix_chain"})
    void allSmallChains(String function) {
        List<Long[]> all = new ArrayList<>();
        for (int length = 2; length <= 7; length++) {
            long count = Math.round(Math.pow(7, length));
            for (long code = 0; code < count; code++) {
                Long[] dims = new Long[length];
                long rest = code;
                for (int i = 0; i < length; i++) {
                    dims[i] = 1 + rest % 7;
                    rest /= 7;
                }
                all.add(dims);
            }
        }
        assertSameAsOnCpu(chains(all.size(), 1, all::get), function + "(dims)");
    }

    @Test
    void manyShortChains() {
        Random random = new Random(11);
        assertSameAsOnCpu(
                chains(1_000_000, 2, i -> chain(random, 1 + random.nextInt(24))), "try_matrix_chain_cost(dims)");
    }

    /** Tests chains that are so long that only a few of them are solved at a time, mixed with short chains. */
    @Test
    void longestForHuShing() {
        Random random = new Random(12);
        Dataset<Row> chains = chains(6, 1, i -> random.longs(i % 3 == 1 ? 1_600_000 : 100, 1, 4 + i)
                .boxed()
                .toArray(Long[]::new));
        assertSameAsOnCpu(chains, "matrix_chain_cost(dims)");
    }

    /** Tests two chains of each length up to 520 matrices. */
    @ParameterizedTest
    @ValueSource(strings = {"try_matrix_chain_cost", "try_matrix_chain"})
    void everyLength(String function) {
        Random random = new Random(1984);
        assertSameAsOnCpu(chains(2 * 520, 1, i -> chain(random, 1 + i / 2)), function + "(dims)");
    }

    @ParameterizedTest
    @CsvSource({"100", "10000", "100000", "1000000"})
    void longChains(long largest) {
        Random random = new Random(largest);
        int[] matrices = {3_000, 1_500, 1, 2_047, 2_048, 700, 20};
        Dataset<Row> chains = chains(matrices.length, 1, i -> LongStream.generate(() -> 1 + random.nextLong(largest))
                .limit(matrices[i] + 1L)
                .boxed()
                .toArray(Long[]::new));
        assertSameAsOnCpu(chains, "try_matrix_chain_cost(dims)");
        assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
    }

    /** Tests chains around the maximum length for tables of arcs; some of these tables are too large. */
    @Test
    void longestTablesOfArcs() {
        Random random = new Random(1_023);
        assertSameAsOnCpu(chains(60, 1, i -> chain(random, 1_000 + i)), "try_matrix_chain(dims)");
    }

    @Test
    void tableForTheCostAlone() {
        withConf("spark.bellman.matrix_chain.strategy", "table", () -> {
            assertSameAsOnCpu(mixed(3_000, 1, 300), "try_matrix_chain_cost(dims)");
        });
    }

    /** Tests costs of all magnitudes, for chains of up to 200 matrices and around multiples of 32 matrices. */
    @ParameterizedTest
    @ValueSource(longs = {1, 9, 100, 10_000, 100_000, 1_000_000, 1L << 40})
    void tiles(long largest) {
        Random random = new Random(largest);
        Dataset<Row> chains = chains(290, 1, i -> {
            int matrices = i < 200 ? 1 + i : 32 * (7 + i % 30) - 2 + i / 30 % 3;
            long[] dims = random.longs(matrices + 1, 1, largest + 1).toArray();
            return LongStream.of(shaped(random.nextInt(6), dims)).boxed().toArray(Long[]::new);
        });
        withConf("spark.bellman.matrix_chain.strategy", "tiled", () -> {
            assertSameAsOnCpu(chains, "try_matrix_chain_cost(dims)");
            assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiled", "r-way"})
    void tilesOfAllChains(String strategy) {
        withConf("spark.bellman.matrix_chain.strategy", strategy, () -> {
            assertSameAsOnCpu(mixed(3_000, 2, 300), "try_matrix_chain(dims)");
        });
    }

    /** Mixes chains of one matrix with either one or three chains of 3,000 matrices. */
    @ParameterizedTest
    @ValueSource(ints = {4, 90})
    void shortAndLong(int count) {
        Random random = new Random(count);
        Dataset<Row> chains = chains(count, 1, i -> random.longs(i % 30 == 1 ? 3_001 : 2, 1, 1L << (i % 4 * 6 + 4))
                .boxed()
                .toArray(Long[]::new));
        assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
    }

    /** Hu and Shing's algorithm finds the same costs. */
    @ParameterizedTest
    @CsvSource({"60,4700", "10000,4700", "10000,10050", "40000,10050", "1000000,10050"})
    void largeTiles(long largest, int matrices) {
        Random random = new Random(matrices);
        Dataset<Row> chains = chains(6, 1, i -> LongStream.of(
                        shaped(i, random.longs(matrices + 1 + i, 1, largest + 1).toArray()))
                .boxed()
                .toArray(Long[]::new));
        List<Row> expected = chains.selectExpr("matrix_chain_cost(dims)").collectAsList();
        List<Row> actual = withConf(
                "spark.bellman.matrix_chain.strategy", "tiled", () -> chains.selectExpr("matrix_chain_cost(dims)")
                        .collectAsList());
        assertThat(actual).isEqualTo(expected);
    }

    /**
     * Tests chains that are too long for the bins of {@code ChainBatch}, for each width of costs. Hu and Shing's
     * algorithm finds the same costs.
     */
    @Test
    void longestOfEachWidth() {
        Random random = new Random(8_185);
        Dataset<Row> chains = chains(3, 1, i -> random.longs(i == 1 ? 20_000 : 8_190 + i, 1, i == 0 ? 50_000 : 3)
                .boxed()
                .toArray(Long[]::new));
        List<Row> expected = chains.selectExpr("matrix_chain_cost(dims)").collectAsList();
        for (String strategy : List.of("tiled", "r-way", "table")) {
            List<Row> actual = withConf(
                    "spark.bellman.matrix_chain.strategy", strategy, () -> chains.selectExpr("matrix_chain_cost(dims)")
                            .collectAsList());
            assertThat(actual).isEqualTo(expected);
        }
    }

    /**
     * Rows that are too large for the GPU are left to the CPU, which fails with its own message; other rows are not
     * affected.
     */
    @Test
    void tableLargerThanTheGpu() {
        Dataset<Row> chains = chains(2, 1, i -> LongStream.generate(() -> 1)
                .limit(i == 0 ? 3 : 300_001)
                .boxed()
                .toArray(Long[]::new));
        withConf("spark.bellman.matrix_chain.strategy", "tiled", () -> {
            assertSameFailure(chains, "matrix_chain_cost(dims)")
                    .contains("BELLMAN_LIMIT", "a chain of 300000 matrices");
            assertThat(chains.selectExpr("try_matrix_chain_cost(dims)").collectAsList())
                    .extracting(row -> row.get(0))
                    .containsExactly(1L, null);
        });
    }

    /** With little GPU memory, longer chains are solved on the CPU, and shorter ones in many launches. */
    @Test
    void littleMemory() {
        Random random = new Random(31);
        Dataset<Row> chains =
                chains(400, 2, i -> LongStream.generate(() -> 1 + random.nextLong(1L << random.nextInt(1, 40)))
                        .limit(i % 50 == 7 ? 700 + i : 2 + random.nextInt(200))
                        .boxed()
                        .toArray(Long[]::new));
        withConf(GpuSide.MEMORY, "1m", () -> {
            for (String function :
                    List.of("matrix_chain", "matrix_chain_order", "matrix_chain_cost", "triangulation")) {
                assertSameAsOnCpu(chains, "try_" + function + "(dims)");
            }
        });
    }

    /** Tests costs just below and just above the limits of 31 and 63 bits. */
    @Test
    void overflow() {
        long[][] edges = {
            {1, Long.MAX_VALUE, 1},
            {1, Long.MAX_VALUE, 2},
            {7, 1_317_624_576_693_539_401L, 1},
            {2, 1L << 61, 2},
            {1L << 21, 1L << 21, 1L << 21},
            {(1L << 21) - 1, 1L << 21, 1L << 21},
            {1, 1, Long.MAX_VALUE, Long.MAX_VALUE},
            {Long.MAX_VALUE, Long.MAX_VALUE},
            {1, Integer.MAX_VALUE, 1},
            {2, 1 << 30, 1},
            {1_290, 1_290, 1_290},
            {1_291, 1_291, 1_291},
            {1 << 18, 1 << 17, 1 << 17},
        };
        Dataset<Row> chains =
                chains(edges.length, 1, i -> LongStream.of(edges[i]).boxed().toArray(Long[]::new));
        assertSameAsOnCpu(chains, "try_matrix_chain_cost(dims)");
        assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"matrix_chain_cost", "matrix_chain_order", "matrix_chain"})
    void failsAsOnCpu(String function) {
        assertFailure(function, ErrorCode.BELLMAN_INPUT_VALUE, "dims has too few entries (1)", 3L);
        assertFailure(function, ErrorCode.BELLMAN_INPUT_VALUE, "entry 2 of dims (counted from 1) is 0", 3L, 0L, -1L);
        assertFailure(
                function, ErrorCode.BELLMAN_INPUT_VALUE, "entry 3 of dims (counted from 1) is NULL", 3L, 4L, null);
        assertFailure(
                function, ErrorCode.BELLMAN_OVERFLOW, "for this chain of 2 matrices", 1L << 40, 1L << 40, 1L << 40);
    }

    private static void assertFailure(String function, ErrorCode code, String message, Long... bad) {
        Random random = new Random(7);
        Dataset<Row> results = chains(100, 1, i -> i == 60 ? bad : new Long[] {1 + random.nextLong(9), 4L, 5L})
                .selectExpr(function + "(dims)");
        assertThatThrownBy(results::collectAsList)
                .satisfies(failure -> assertThat(BellmanException.in(failure)).hasValueSatisfying(e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e).hasMessageContaining(function + ": ").hasMessageContaining(message);
                }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"matrix_chain_cost", "matrix_chain_order", "matrix_chain"})
    void nothingButNulls(String function) {
        assertSameAsOnCpu(chains(100, 2, i -> null), function + "(dims)");
        assertSameAsOnCpu(chains(100, 2, i -> new Long[] {0L, 1L}), "try_" + function + "(dims)");
        assertThat(rows(CHAINS, 2, List.of()).selectExpr(function + "(dims)").collectAsList())
                .isEmpty();
    }

    /** Tests arrays whose type is not {@code ARRAY<BIGINT>}. */
    @Test
    void casts() {
        assertSameAsOnCpu(
                chains(10, 1, i -> new Long[] {1L, 2L}),
                "matrix_chain(array(30, 35, 15, 5, 10, CAST(dims[0] AS INT), 25))");
        assertSameAsOnCpu(
                chains(10, 1, i -> new Long[] {1L + i, 2L, 3L}), "matrix_chain_cost(CAST(dims AS ARRAY<INT>))");
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=5,type=GPU", "num_ooms=2,skip=9,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> chains = mixed(2_000, 1, 200);
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(chains, "try_matrix_chain(dims)");
        });
    }

    /** Orders are computed on the CPU, because this strategy may find different orders with the same cost. */
    @Test
    void huShingsOrderStaysOnCpu() {
        withConf("spark.bellman.matrix_chain.strategy", "hu-shing", () -> {
            Dataset<Row> orders = mixed(100, 1, 50).selectExpr("try_matrix_chain_order(dims)");
            assertThat(orders.collectAsList()).hasSize(100);
            assertThat(orders.queryExecution().executedPlan().toString()).doesNotContain("gpu_try_matrix_chain_order");
            assertSameAsOnCpu(mixed(1_000, 1, 100), "try_matrix_chain_cost(dims)");
        });
    }
}
