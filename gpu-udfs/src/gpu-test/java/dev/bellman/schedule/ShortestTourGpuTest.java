package dev.bellman.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class ShortestTourGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("distances", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType)));

    private static final String CALL = "shortest_tour(distances)";

    private static Double[][] matrix(SplittableRandom random, int places) {
        int kind = random.nextInt(6);
        return Stream.generate(() -> Stream.generate(() -> distance(random, kind))
                        .limit(places)
                        .toArray(Double[]::new))
                .limit(places)
                .toArray(Double[][]::new);
    }

    /**
     * Draws a distance. Depending on the kind, distances tie, have different magnitudes, are -0.0, or have sums that
     * are not finite.
     */
    private static Double distance(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> 1000 * random.nextDouble();
            case 1 -> (double) random.nextInt(3);
            case 2 -> 1.0;
            case 3 -> random.nextInt(4) == 0 ? -0.0 : random.nextInt(9) - 4.0;
            case 4 -> Math.scalb(random.nextDouble(), random.nextInt(-60, 60));
            default -> random.nextInt(4) == 0 ? -1e307 : random.nextBoolean() ? Double.MAX_VALUE : 5.0;
        };
    }

    private static Dataset<Row> tours(long seed, int count, int least, int most) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Double[][] matrix = matrix(random, random.nextInt(least, most + 1));
            rows.add(random.nextInt(50) == 0 ? row((Double[][]) null) : row(matrix));
        }
        return rows(SCHEMA, 3, rows);
    }

    private static Row row(Double[]... matrix) {
        return RowFactory.create((Object) matrix);
    }

    @Test
    void random() {
        assertSameAsOnCpu(tours(1, 20_000, 0, 8), "try_" + CALL);
        assertSameAsOnCpu(tours(2, 2_000, 8, 12), "try_" + CALL);
    }

    /** On an H200, the table for 13 places is the largest that fits in shared memory. */
    @Test
    void manyPlaces() {
        assertSameAsOnCpu(tours(3, 60, 12, 16), "try_" + CALL);
        assertSameAsOnCpu(tours(4, 3, 20, 20), "try_" + CALL);
    }

    /** In a ring, only the two tours around it are shortest. */
    @Test
    void ring() {
        Double[][] ring = IntStream.range(0, 20)
                .mapToObj(i -> IntStream.range(0, 20)
                        .mapToObj(j -> (double) Math.min(Math.abs(i - j), 20 - Math.abs(i - j)))
                        .toArray(Double[]::new))
                .toArray(Double[][]::new);
        Dataset<Row> input = rows(SCHEMA, 1, List.of(row(ring), row(ring)));
        assertThat(input.selectExpr(CALL + ".tour").collectAsList()).hasSize(2).allSatisfy(row -> assertThat(
                        row.<Integer>getList(0))
                .containsExactly(0, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
    }

    /** The CPU solves rows whose tables do not fit in GPU memory, and rejects rows with more than 20 places. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "1m", () -> {
            assertSameAsOnCpu(tours(5, 100, 10, 16), "try_" + CALL);
        });
        assertSameFailure(tours(6, 20, 21, 21), CALL).isNotEmpty();
    }

    @Test
    void rejectedRows() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(row(new Double[] {0.0, 1.0 + i % 3}, new Double[] {2.0, 0.0}));
        }
        rows.add(row());
        rows.add(row(new Double[] {7.0}));
        rows.add(row(new Double[] {Double.NaN}));
        rows.add(row((Double[]) null));
        rows.add(row(new Double[] {null}));
        rows.add(row(new Double[] {}));
        rows.add(row(new Double[] {0.0, 1.0}, null));
        rows.add(row(new Double[] {0.0, 1.0}, new Double[] {1.0}));
        rows.add(row(new Double[] {0.0, 1.0}, new Double[] {1.0, 0.0, 2.0}));
        rows.add(row(new Double[] {0.0, 1.0, 2.0}, new Double[] {1.0, 0.0, 2.0}));
        rows.add(row(new Double[] {0.0, Double.NEGATIVE_INFINITY}, new Double[] {1.0, 0.0}));
        rows.add(row(new Double[] {0.0, Double.MAX_VALUE}, new Double[] {Double.MAX_VALUE, 0.0}));
        for (int places = 12; places < 16; places++) {
            Double[][] matrix = matrix(random, places);
            matrix[places - 1][places - 1] = places % 2 == 0 ? null : Double.NaN;
            rows.add(row(matrix));
        }
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameAsOnCpu(input, "try_" + CALL);
        assertSameFailure(input, CALL).isNotEmpty();
    }
}
