package dev.bellman.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@code change_points} and {@code change_points_of} with the CPU. */
class ChangePointsGpuTest extends GpuTest {
    private static final StructType SERIES = new StructType()
            .add("values", DataTypes.createArrayType(DataTypes.DoubleType))
            .add("penalty", DataTypes.DoubleType)
            .add("cost", DataTypes.StringType)
            .add("min_size", DataTypes.IntegerType)
            .add("count", DataTypes.IntegerType);

    private static final StructType POINTS = new StructType()
            .add("values", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType)))
            .add("penalty", DataTypes.DoubleType)
            .add("cost", DataTypes.StringType)
            .add("min_size", DataTypes.IntegerType)
            .add("count", DataTypes.IntegerType);

    private static final String CALL = "try_change_points(values, penalty, cost, min_size)";
    private static final String CALL_OF = "try_change_points_of(values, count, cost, min_size)";

    /** The number of kinds of series that {@link #value} draws. */
    private static final int KINDS = 9;

    /**
     * Returns a value of a series with noise, with ties, with constant or alternating values, with values that are
     * large compared to their changes, of every magnitude, or with outliers.
     */
    private static double value(SplittableRandom random, int kind, int i, double level) {
        return switch (kind) {
            case 0 -> level + random.nextDouble();
            case 1 -> Math.rint(level);
            case 2 -> random.nextInt(2);
            case 3 -> 7;
            case 4 -> 1e15 + Math.rint(level);
            case 5 -> Math.scalb(random.nextDouble(), random.nextInt(600) - 300);
            case 6 -> 1e100 * random.nextDouble();
            case 7 -> random.nextInt(50) == 0 ? 1e9 : random.nextInt(9) == 0 ? -0.0 : Math.rint(level);
            default -> i % 2 == 0 ? 0.1 : 0.3;
        };
    }

    private static Row series(SplittableRandom random, int length) {
        Double[] values = new Double[length];
        int kind = random.nextInt(KINDS);
        double sign = random.nextInt(3) == 0 ? -1 : 1;
        double level = 0;
        for (int i = 0; i < length; i++) {
            level = random.nextInt(12) == 0 ? random.nextInt(10) : level;
            values[i] = sign * value(random, kind, i, level);
        }
        double[] penalties = {0, 0.5, 1, 4, 20 * random.nextDouble(), 1e9, 1e100};
        int[] sizes = {1, 2, 2, 3, 5, 16, 17, Math.max(1, length / 2), Math.max(1, length / 2 + 1)};
        return RowFactory.create(
                values,
                penalties[random.nextInt(penalties.length)],
                List.of("l2", "normal", "poisson", "l2", "normal", "l1").get(random.nextInt(6)),
                sizes[random.nextInt(sizes.length)],
                random.nextInt(random.nextInt(4) == 0 ? 40 : 4));
    }

    private static Dataset<Row> series(long seed, int count, int longest) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(series(random, random.nextInt(longest + 1)));
        }
        return rows(SERIES, 2, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CALL,
                "try_change_points(values, penalty)",
                "try_change_points(values, penalty, 'normal')",
                "try_change_points(values, penalty, 'poisson')",
                "try_change_points(values, penalty, 'l1')",
                "try_change_points(values, penalty, min_size => 3)",
                "try_change_points(values, 'bic')",
                "try_change_points(values, 'bic', cost, min_size)"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(series(1, 20_000, 12), call);
        assertSameAsOnCpu(series(2, 10_000, 60), call);
        assertSameAsOnCpu(series(3, 600, 700), call);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {CALL_OF, "try_change_points_of(values, count)", "try_change_points_of(values, count, 'l1')"})
    void ofNumber(String call) {
        assertSameAsOnCpu(series(7, 20_000, 12), call);
        assertSameAsOnCpu(series(8, 6_000, 60), call);
        assertSameAsOnCpu(series(9, 200, 600), call);
    }

    /** Returns series of points, whose dimensions are different series of numbers. */
    private static Dataset<Row> points(long seed, int count, int longest, int mostDimensions) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(longest + 1);
            Double[][] values = new Double[length][1 + random.nextInt(mostDimensions)];
            Row last = series(random, length);
            for (int k = 0; length > 0 && k < values[0].length; k++) {
                last = series(random, length);
                Double[] dimension = (Double[]) last.get(0);
                for (int j = 0; j < length; j++) {
                    values[j][k] = dimension[j];
                }
            }
            rows.add(RowFactory.create(values, last.get(1), last.get(2), last.get(3), last.get(4)));
        }
        return rows(POINTS, 2, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CALL,
                CALL_OF,
                "try_change_points(values, penalty)",
                "try_change_points(values, penalty, 'l1')",
                "try_change_points(values, 'bic')",
                "try_change_points(values, 'bic', cost, min_size)"
            })
    void ofPoints(String call) {
        assertSameAsOnCpu(points(11, 6_000, 12, 3), call);
        assertSameAsOnCpu(points(12, 2_000, 60, 5), call);
        assertSameAsOnCpu(points(13, 60, 400, 17), call);
        assertSameAsOnCpu(points(14, 60, 30, 129), call);
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(points(15, 200, 100, 4), call);
        });
    }

    @Test
    void rejectedPoints() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Double[][] valid = {{1.0, 2.0}, {1.0, i % 7 - 1.0}, {9.0, 2.0}};
            rows.add(RowFactory.create(valid, 0.5, "l2", 1, i % 3));
        }
        for (Double wrong : Arrays.asList(null, Double.NaN, Double.POSITIVE_INFINITY, -1.1e100, -1.0, -0.0, 1e100)) {
            rows.add(RowFactory.create(new Double[][] {{1.0, 2.0}, {1.0, wrong}}, 0.5, "l2", 1, 1));
            rows.add(RowFactory.create(new Double[][] {{wrong, 2.0}, {1.0, 2.0}}, 0.5, "poisson", 1, 1));
        }
        for (Double[][] wrong : new Double[][][] {
            {},
            {null},
            {{}},
            {{}, {}},
            {{1.0}, null},
            {null, {1.0}},
            {{1.0}, {1.0, 2.0}},
            {{1.0, 2.0}, {1.0}},
            {{1.0}, {}}
        }) {
            rows.add(RowFactory.create(wrong, 0.5, "l2", 1, 0));
        }
        rows.add(RowFactory.create(null, 0.5, "l2", 1, 1));
        Dataset<Row> input = rows(POINTS, 1, rows);
        assertSameAsOnCpu(input, CALL);
        assertSameAsOnCpu(input, CALL_OF);
        assertSameFailure(input, CALL.substring("try_".length()));
        for (Row row : rows.subList(200, rows.size())) {
            Dataset<Row> one = rows(POINTS, 1, List.of(row));
            String call = CALL.substring("try_".length());
            String onGpu = failure(one, call);
            assertThat(onGpu)
                    .as("%s", row)
                    .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> failure(one, call)));
        }
    }

    /** The error message is the same as on the CPU. */
    @Test
    void wrongCriterion() {
        Dataset<Row> series = series(6, 1, 30).selectExpr("values", "concat('bi', cast(min_size as string)) name");
        String call = "change_points(values, name)";
        assertSameFailure(series, call).contains("must be a number or 'bic'");
    }

    @Test
    void longSeries() {
        assertSameAsOnCpu(series(4, 12, 6_000), CALL);
        assertSameAsOnCpu(series(16, 12, 6_000), "try_change_points(values, penalty, 'l1')");
    }

    /** The CPU solves series that do not fit in GPU memory. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            assertSameAsOnCpu(series(5, 300, 600), CALL);
            assertSameAsOnCpu(series(10, 300, 200), CALL_OF);
        });
    }

    @Test
    void rejectedRows() {
        Double[] valid = {1.0, 2.0, 1.0, 9.0, 8.0, 9.0};
        List<Row> rows = new ArrayList<>();
        for (Double wrong : Arrays.asList(null, Double.NaN, Double.POSITIVE_INFINITY, -1.1e100, -1.0, 1e100)) {
            for (String cost : List.of("l2", "l1", "poisson", "l3")) {
                Double[] values = valid.clone();
                values[3] = wrong;
                rows.add(RowFactory.create(values, 1.0, cost, 2, 1));
            }
        }
        for (Double penalty : Arrays.asList(null, -1.0, -0.0, Double.NaN, 1e100, 1.1e100)) {
            rows.add(RowFactory.create(valid, penalty, "l2", 2, 1));
        }
        for (Integer size : Arrays.asList(null, -1, 0, 1, 3, 4, Integer.MAX_VALUE)) {
            rows.add(RowFactory.create(valid, 1.0, "l2", size, 1));
        }
        rows.add(RowFactory.create(valid, 1.0, null, 2, 1));
        rows.add(RowFactory.create(null, 1.0, "l2", 2, 1));
        rows.add(RowFactory.create(new Double[0], 1.0, "poisson", 1, 0));
        for (Integer number : Arrays.asList(null, -1, 0, 1, 2, 3, Integer.MAX_VALUE)) {
            rows.add(RowFactory.create(valid, 1.0, "l2", 2, number));
        }
        List<Row> valued = rows.stream().filter(row -> !"l3".equals(row.get(2))).toList();
        assertSameAsOnCpu(rows(SERIES, 1, valued), CALL);
        assertSameAsOnCpu(rows(SERIES, 1, valued), CALL_OF);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Dataset<Row> one = rows(SERIES, 1, List.of(row));
            String call = (i % 2 == 0 ? CALL : CALL_OF).substring("try_".length());
            String onGpu = failure(one, call);
            assertThat(onGpu)
                    .as("%s", row)
                    .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> failure(one, call)));
        }
    }
}
