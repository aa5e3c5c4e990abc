package dev.bellman.align.subsequence.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.ColumnVector;
import dev.bellman.FunctionOptions;
import dev.bellman.GpuTest;
import dev.bellman.align.PairGroups;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.subsequence.ShortestCommonSupersequence;
import dev.bellman.align.subsequence.SubsequenceFunctions;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Result;
import dev.bellman.columns.Types;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests Zhao's strategies on the GPU. */
class SupersequenceTablesGpuTest extends GpuTest {
    private static final String KEY = "spark.bellman.scs.strategy";

    @SuppressWarnings("unchecked") // the strategies of this function
    private static final Signature<ShortestCommonSupersequence.Strategy> SCS =
            (Signature<ShortestCommonSupersequence.Strategy>)
                    SubsequenceFunctions.list().get(3).signatures().get(0);

    private static final StructType PAIRS =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    /**
     * Lengths around the sizes of warps, blocks, and the stripes of 512 columns that the kernels process at a
     * time.
     */
    private static final int[] LENGTHS = {0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1_025, 1_500};

    private static Dataset<Row> rows(List<Pair> pairs) {
        List<Row> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            rows.add(RowFactory.create(pair.a(), pair.b()));
        }
        return rows(PAIRS, 1, rows);
    }

    private static List<Pair> everySize() {
        Random random = new Random(2024);
        List<String> alphabets = List.of("a", "ab", TestPairs.LETTERS, TestPairs.MIXED);
        List<Pair> pairs = new ArrayList<>();
        for (int n : LENGTHS) {
            for (int m : LENGTHS) {
                String alphabet = alphabets.get(pairs.size() % 4);
                String a = TestPairs.random(random, alphabet, n);
                pairs.add(new Pair(
                        a,
                        m == n ? TestPairs.mutate(random, alphabet, a, 0.1) : TestPairs.random(random, alphabet, m)));
            }
        }
        pairs.add(new Pair(null, "a"));
        pairs.add(new Pair("a", null));
        pairs.add(new Pair("ab".repeat(400), "cd".repeat(400)));
        pairs.add(new Pair("日本".repeat(300), "cd".repeat(400)));
        pairs.add(new Pair("abc".repeat(300), "abc".repeat(300)));
        Collections.shuffle(pairs, random);
        return pairs;
    }

    @ParameterizedTest
    @ValueSource(strings = {"anti-diagonal", "row-wise", "row-wise-persistent", "bit-parallel"})
    void everySize(String strategy) {
        Dataset<Row> pairs = rows(everySize());
        withConf(KEY, strategy, () -> {
            assertSameAsOnCpu(pairs, "scs_length(a, b)");
            assertSameAsOnCpu(pairs, "scs(a, b)");
            assertSameAsOnCpu(pairs, "scs('日本語 and more', b)");
        });
    }

    /** Tests bytes that are not valid UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"anti-diagonal", "row-wise", "row-wise-persistent", "bit-parallel"})
    void malformedText(String strategy) {
        Random random = new Random(2025);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(RowFactory.create(TestPairs.malformed(random, 900), TestPairs.malformed(random, 900)));
        }
        Dataset<Row> pairs = texts(BYTES, rows);
        withConf(KEY, strategy, () -> {
            assertSameAsOnCpu(pairs, "scs_length(a, b)");
            assertSameAsOnCpu("scs", pairs, "hex(scs(a, b))");
        });
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"anti-diagonal", "row-wise", "row-wise-persistent"})
    void outOfMemory(String strategy) {
        Dataset<Row> pairs = rows(everySize().subList(0, 20));
        for (String injection : List.of("num_ooms=1,skip=3,type=GPU", "num_ooms=2,skip=9,type=GPU")) {
            withConf(
                    "spark.rapids.sql.test.injectRetryOOM",
                    injection,
                    () -> withConf(KEY, strategy, () -> {
                        assertSameAsOnCpu(pairs, "scs_length(a, b)");
                        assertSameAsOnCpu(pairs, "scs(a, b)");
                    }));
        }
    }

    /** Compares pairs whose tables are too large for the CPU with the strategy {@code auto} on the CPU. */
    @ParameterizedTest
    @ValueSource(strings = {"anti-diagonal", "row-wise", "row-wise-persistent"})
    void longPairs(String strategy) {
        Random random = new Random(60);
        Dataset<Row> pairs = rows(List.of(
                new Pair(
                        TestPairs.random(random, TestPairs.LETTERS, 20_000),
                        TestPairs.random(random, TestPairs.LETTERS, 30_000)),
                new Pair(
                        TestPairs.random(random, TestPairs.DNA, 30_000),
                        TestPairs.random(random, TestPairs.DNA, 10_000))));
        String[] both = {"scs_length(a, b)", "scs(a, b)"};
        List<Row> expected = withConf(
                "spark.rapids.sql.enabled",
                "false",
                () -> withConf(KEY, "auto", () -> pairs.selectExpr(both).collectAsList()));
        Dataset<Row> onGpu = withConf(KEY, strategy, () -> pairs.selectExpr(both));
        assertThat(onGpu.collectAsList()).isEqualTo(expected);
        assertThat(onGpu.queryExecution().executedPlan().toString())
                .contains("gpu_scs(")
                .contains("gpu_scs_length(");
    }

    @Test
    void limitsAreNamed() {
        Dataset<Row> tooLong = rows(List.of(new Pair("ab".repeat(33_000), "ba".repeat(33_000))));
        StringBuilder wide = new StringBuilder();
        for (int symbol = 0; symbol < 34_000; symbol++) {
            wide.append((char) (0x100 + symbol));
        }
        Dataset<Row> tooWide = rows(List.of(new Pair(wide + "x", "y" + wide)));
        spark().sparkContext().setLogLevel("OFF");
        try {
            for (String strategy : List.of("anti-diagonal", "row-wise", "row-wise-persistent")) {
                withConf(KEY, strategy, () -> assertThatThrownBy(
                                () -> tooLong.selectExpr("scs(a, b)").collectAsList())
                        .as(strategy)
                        .hasStackTraceContaining("BELLMAN_LIMIT")
                        .hasStackTraceContaining("bit-parallel"));
            }
            withConf(KEY, "row-wise", () -> assertThatThrownBy(
                            () -> tooWide.selectExpr("scs_length(a, b)").collectAsList())
                    .hasStackTraceContaining("34,000 distinct characters in common"));
        } finally {
            spark().sparkContext().setLogLevel("ERROR");
        }
    }

    /** Compares the table of a single pair, cell by cell. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"ANTI_DIAGONAL", "ROW_WISE", "ROW_WISE_PERSISTENT"})
    void wholeTables(PaperStrategy strategy) {
        Random random = new Random(26);
        for (int n : LENGTHS) {
            for (int m : LENGTHS) {
                if (n == 0 || m == 0) {
                    continue;
                }
                int size = List.of(1, 2, 26, 256, 20_000).get((n + m) % 5);
                // code points from U+0100, so that the kernels use them as symbols, and below the surrogates
                int[] x = random.ints(n, 0x100, 0x100 + size).toArray();
                int[] y = random.ints(m, 0x100, 0x100 + size).toArray();
                SupersequenceTable expected = SupersequenceTable.whole("scs", PaperStrategy.SERIAL, x, n, y, m, 1);
                assertThat(table(strategy, x, y))
                        .as("%d x %d", n, m)
                        .isEqualTo(cells(expected, n, m, strategy == PaperStrategy.ANTI_DIAGONAL));
            }
        }
    }

    private static int[] cells(SupersequenceTable table, int n, int m, boolean byDiagonals) {
        int[] cells = new int[(n + 1) * (m + 1)];
        int at = 0;
        for (int line = 0; line <= (byDiagonals ? n + m : n); line++) {
            if (byDiagonals) {
                for (int i = Math.max(0, line - m); i <= Math.min(n, line); i++) {
                    cells[at++] = table.at(i, line - i);
                }
            } else {
                for (int j = 0; j <= m; j++) {
                    cells[at++] = table.at(line, j);
                }
            }
        }
        return cells;
    }

    private static int[] table(PaperStrategy strategy, int[] x, int[] y) {
        TableKernel kernel = new TableKernel(strategy);
        try (ColumnVector a = ColumnVector.fromStrings(new String(x, 0, x.length));
                ColumnVector b = ColumnVector.fromStrings(new String(y, 0, y.length))) {
            Batch.evaluate(kernel, Types.INT, 1, a, b).close();
        }
        return kernel.table;
    }

    /** Stores the table of the only pair in its batch. */
    private static final class TableKernel implements ColumnarKernel {
        private final PaperStrategy strategy;
        private int[] table;

        TableKernel(PaperStrategy strategy) {
            this.strategy = strategy;
        }

        @Override
        public Result evaluate(Batch batch) {
            SupersequenceTablesOnGpu tables = new SupersequenceTablesOnGpu(strategy);
            tables.solve(
                    true,
                    PairGroups.paths(
                            batch, SCS.call(ShortestCommonSupersequence.Strategy.AUTO, FunctionOptions.DEFAULT), 0),
                    (pairs, count, wide) -> {
                        throw new IllegalStateException("an empty side");
                    },
                    (scratch, sides) -> table =
                            DeviceArrays.readInts(tables.whole(scratch, sides), 0, (sides.n() + 1) * (sides.m() + 1)));
            return Result.ints(batch.scratch().zeroInts(1));
        }
    }
}
