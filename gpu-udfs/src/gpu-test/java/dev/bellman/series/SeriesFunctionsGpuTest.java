package dev.bellman.series;

import dev.bellman.GpuTest;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares distances between series on the GPU with the CPU, bit for bit. */
class SeriesFunctionsGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType POINTS = DataTypes.createArrayType(NUMBERS);

    /** Two series of numbers, two series of points whose first coordinates are these numbers, and a band. */
    private static final StructType SCHEMA = new StructType()
            .add("a", NUMBERS)
            .add("b", NUMBERS)
            .add("p", POINTS)
            .add("q", POINTS)
            .add("band", DataTypes.IntegerType);

    /** Calls of each function with kernels, on numbers and on points. */
    private static final String[] CALLS = {
        "dtw(a, b)",
        "dtw(a, b, band)",
        "dtw(a, b, band, 20D, 1)",
        "dtw(p, q, band)",
        "dtw(CAST(a AS ARRAY<FLOAT>), CAST(b AS ARRAY<FLOAT>))",
        "dtw(CAST(a AS ARRAY<FLOAT>), CAST(b AS ARRAY<FLOAT>), band, 20D, 1)",
        "dtw_path(a, b)",
        "dtw_path(a, b, band, 1)",
        "dtw_path(p, q, band)",
        "dtw_search(a, b)",
        "dtw_search(p, q, 1)",
        "lcss(a, b, 0.25D, band)",
        "lcss(p, q, 0.25D)",
        "edr(a, b, 0.25D, band)",
        "edr(p, q, 0.25D)",
        "erp(a, b, 0.5D, band)",
        "erp(p, q, 0.5D)",
        "frechet_distance(a, b)",
        "frechet_distance(p, q)",
        "soft_dtw(a, b, 0.5D)",
        "soft_dtw(p, q, 0.01D)",
        "z_normalized(a)",
        "z_normalized(p)"
    };

    static List<BellmanFunction<?>> functions() {
        return SeriesFunctions.list().stream()
                .filter(BellmanFunction::hasKernel)
                .toList();
    }

    static String[] calls() {
        return CALLS;
    }

    /** Tests instances of every signature, some of which are rejected. */
    @ParameterizedTest
    @MethodSource("functions")
    void random(BellmanFunction<?> function) {
        for (Signature<?> signature : function.signatures()) {
            StructType schema = new StructType();
            for (var parameter : signature.parameters()) {
                schema = schema.add(parameter.name(), parameter.type());
            }
            String call = function.tryName()
                    + signature.parameters().stream()
                            .map(parameter -> parameter.name())
                            .collect(Collectors.joining(", ", "(", ")"));
            SplittableRandom random = new SplittableRandom(7);
            Stream<InternalRow> instances = IntStream.range(0, Thorough.rounds(1_000, 5_000))
                    .map(i -> i % 50 == 0 ? Thorough.rounds(300, 1_200) : i % 5 == 0 ? 100 : 20)
                    .mapToObj(size -> Proofs.of(signature).generator().generate(random, size));
            assertSameAsOnCpu(instances(schema, 2, instances), call);
        }
    }

    private static Double[] walk(SplittableRandom random, int length) {
        Double[] walk = new Double[length];
        double at = 0;
        for (int i = 0; i < length; i++) {
            at += random.nextInt(3) == 0 ? random.nextDouble() - 0.5 : random.nextInt(3) - 1;
            walk[i] = at;
        }
        return walk;
    }

    private static Row pair(SplittableRandom random, int m, int n, int dimensions, int band) {
        Double[] a = walk(random, m);
        Double[] b = walk(random, n);
        return RowFactory.create(a, b, points(random, a, dimensions), points(random, b, dimensions), band);
    }

    private static Double[][] points(SplittableRandom random, Double[] first, int dimensions) {
        Double[][] points = new Double[first.length][dimensions];
        for (int i = 0; i < first.length; i++) {
            for (int k = 0; k < dimensions; k++) {
                points[i][k] = k == 0 ? first[i] : random.nextInt(4) / 4.0;
            }
        }
        return points;
    }

    /**
     * Tests lengths near the number of rows of a lane, of a stripe of a few lanes, and of a warp's stripe, with points
     * of 1 to 6 coordinates.
     */
    @ParameterizedTest
    @MethodSource("calls")
    void sizes(String call) {
        SplittableRandom random = new SplittableRandom(1);
        int[] lengths = {1, 8, 9, 16, 17, 32, 33, 64, 65, 129, 257, 513};
        List<Row> rows = new ArrayList<>();
        for (int m : lengths) {
            for (int n : lengths) {
                int band = random.nextInt(3) == 0 ? random.nextInt(4) : random.nextInt(600);
                rows.add(pair(random, m, n, 1 + random.nextInt(6), band));
            }
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
    }

    /** Tests long series with many stripes, some of which wait for others, and few rows with many columns. */
    @ParameterizedTest
    @MethodSource("calls")
    void longSeries(String call) {
        SplittableRandom random = new SplittableRandom(2);
        List<Row> rows = new ArrayList<>();
        int longest = Thorough.rounds(2_000, 5_000);
        for (int[] size : new int[][] {{longest, 1_600}, {20, 10_000}, {10_000, 20}, {1_024, 1_025}, {1_216, 1_217}}) {
            rows.add(pair(random, size[0], size[1], 2, size[0] / 10));
            rows.add(pair(random, size[0], size[1], 5, 30_000));
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
    }

    /** Tests pairs that have together more stripes than a GPU runs warps. */
    @Test
    void manyStripes() {
        SplittableRandom random = new SplittableRandom(3);
        List<Row> rows = new ArrayList<>();
        // each pair has 8 stripes, or 4 for dtw_path; an H200 runs 2,112 warps of these kernels at a time
        for (int i = 0; i < 560; i++) {
            int m = 2_000 + random.nextInt(49);
            rows.add(RowFactory.create(walk(random, m), walk(random, 300 + random.nextInt(300)), null, null, 0));
        }
        for (String call : new String[] {"dtw_path(a, b)", "dtw_search(a, b)", "erp(a, b, 0D)"}) {
            assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
        }
    }

    /**
     * Tests limits on GPU memory at which pairs are solved one at a time, or are too large for the GPU and are solved
     * by the CPU.
     */
    @ParameterizedTest
    @ValueSource(strings = {"dtw(a, b)", "dtw_path(a, b)", "dtw_search(a, b)", "edr(a, b, 0.5D)"})
    void littleMemory(String call) {
        SplittableRandom random = new SplittableRandom(4);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            rows.add(pair(random, 100 + 90 * i, 100 + random.nextInt(1_500), 1, 0));
        }
        for (String bytes : new String[] {"60k", "1k"}) {
            withConf("spark.bellman.gpuMemory", bytes, () -> {
                assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
            });
        }
    }

    /** Tests NULL series, NULL points, and empty series. */
    @ParameterizedTest
    @MethodSource("calls")
    void nullAndEmpty(String call) {
        Double[] some = {1.0, 2.0};
        Double[][] points = {{1.0}, {2.0}};
        List<Row> rows = new ArrayList<>(Arrays.asList(
                RowFactory.create(null, some, null, points, 3),
                RowFactory.create(some, null, points, null, 3),
                RowFactory.create(new Double[0], new Double[0], new Double[0][], new Double[0][], 3),
                RowFactory.create(some, new Double[0], points, new Double[0][], 3),
                RowFactory.create(new Double[0], some, new Double[0][], points, 0),
                RowFactory.create(new Double[] {1.0, null}, some, new Double[][] {{1.0}, null}, points, 3),
                RowFactory.create(some, some, points, new Double[][] {{1.0}, {null}}, null),
                RowFactory.create(some, some, points, new Double[][] {{}, {}}, -1),
                RowFactory.create(some, some, points, new Double[][] {{1.0, 2.0}}, 0)));
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), "try_" + call);
        assertSameAsOnCpu(rows(SCHEMA, 1, List.of()), "try_" + call);
    }

    /** Tests a plan in which the scaled series stay on the GPU. */
    @Test
    void scaledArguments() {
        SplittableRandom random = new SplittableRandom(6);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            rows.add(pair(random, 1 + random.nextInt(90), 1 + random.nextInt(90), 1 + random.nextInt(3), 9));
        }
        for (String function : new String[] {"dtw", "z_normalized"}) {
            assertSameAsOnCpu(function, rows(SCHEMA, 2, rows), "dtw(z_normalized(a), z_normalized(b), band)");
            assertSameAsOnCpu(function, rows(SCHEMA, 2, rows), "dtw(z_normalized(p), z_normalized(q))");
        }
    }

    /** Tests numbers whose sums or deviations are too large or too small, and equal numbers. */
    @Test
    void scaledExtremes() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Double[] numbers = new Double[random.nextInt(80)];
            int exponent = random.nextInt(-1_080, 1_024);
            int kinds = random.nextInt(1, 4);
            for (int k = 0; k < numbers.length; k++) {
                numbers[k] = Math.scalb((random.nextInt(kinds) - 1) * (1 + random.nextDouble()), exponent);
            }
            rows.add(RowFactory.create(numbers, null, points(random, numbers, 2), null, 0));
        }
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "try_z_normalized(a)");
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "try_z_normalized(p)");
    }

    /** Tests lengths around the limit above which the CPU scales a series. */
    @Test
    void scaledLongSeries() {
        List<Row> rows = new ArrayList<>();
        for (int length : new int[] {(1 << 20) - 1, 1 << 20, (1 << 20) + 1}) {
            rows.add(RowFactory.create(walk(new SplittableRandom(8), length), null, null, null, 0));
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), "z_normalized(a)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> rows = rows(SCHEMA, 1, List.of(pair(new SplittableRandom(5), 3, 4, 2, 1)));
        for (String expression : new String[] {
            "dtw(a, array_repeat(double('nan'), band))",
            "dtw(a, b, -band)",
            "dtw(a, b, band, 1D, band + 4)",
            "dtw(a, slice(b, 1, 0))",
            "dtw(p, array(a))",
            "lcss(a, b, -a[0] - 1000D)",
            "soft_dtw(a, b, a[0] - a[0])",
            "erp(a, b, a[0] / double('inf') + double('inf'))",
            "dtw_path(array(a[0] + 1e300D), array(-1e300D))",
            "dtw_path(a, slice(b, 1, 0))",
            "dtw_search(array(a[0] + 1e300D), array(-1e300D))",
            "z_normalized(array(a[0], NULL))",
            "z_normalized(array(a[0] + 1e300D, -1e300D))"
        }) {
            assertSameFailure(rows, expression).contains("[BELLMAN_INPUT_VALUE]");
        }
    }
}
