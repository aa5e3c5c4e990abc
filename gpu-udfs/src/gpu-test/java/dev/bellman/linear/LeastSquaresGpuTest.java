package dev.bellman.linear;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Compares {@code linear_least_squares} on the GPU with the CPU, bit for bit. */
class LeastSquaresGpuTest extends GpuTest {
    private static final String CALL = "linear_least_squares(matrix, rhs)";
    private static final DataType LIST = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final StructType SCHEMA =
            new StructType().add("matrix", DataTypes.createArrayType(LIST)).add("rhs", LIST);

    private static Dataset<Row> generated(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        return instances(
                SCHEMA,
                3,
                Stream.generate(() -> LeastSquaresInstances.system(random, size))
                        .limit(count));
    }

    private static Row system(SplittableRandom random, int m, int n) {
        Double[][] matrix = new Double[m][n];
        Double[] rhs = new Double[m];
        for (int i = 0; i < m; i++) {
            rhs[i] = random.nextDouble();
            for (int j = 0; j < n; j++) {
                matrix[i][j] = random.nextDouble() - 0.5;
            }
        }
        return RowFactory.create(matrix, rhs);
    }

    @Test
    void random() {
        assertSameAsOnCpu(generated(1, 20_000, 10), "try_" + CALL);
        assertSameAsOnCpu(generated(2, 3_000, 60), "try_" + CALL);
        assertSameAsOnCpu(generated(3, 200, 300), "try_" + CALL);
        withConf("spark.bellman.gpuMemory", "20k", () -> assertSameAsOnCpu(generated(4, 300, 60), "try_" + CALL));
    }

    /** Tests numbers of columns around the numbers of threads, and matrices that do not fit in shared memory. */
    @Test
    void sizes() {
        SplittableRandom random = new SplittableRandom(5);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {1, 2, 3, 7, 8, 15, 16, 30, 31, 32, 63, 64, 127, 128, 255, 256, 300}) {
            rows.add(system(random, n, n));
            rows.add(system(random, n + 1, n));
            rows.add(system(random, 3 * n + 40, n));
        }
        rows.add(system(random, 20_000, 5));
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), CALL);
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> rows = rows(SCHEMA, 1, List.of(system(new SplittableRandom(6), 4, 2)));
        for (String expression : new String[] {
            "linear_least_squares(matrix, slice(rhs, 1, 3))",
            "linear_least_squares(slice(matrix, 1, 1), slice(rhs, 1, 1))",
            "linear_least_squares(transform(matrix, row -> array(row[0], row[0] / 4)), rhs)",
            "linear_least_squares(transform(matrix, row -> array(row[0], double('nan'))), rhs)",
            "linear_least_squares(transform(matrix, row -> array(row[0], 1.7976931348623157e308D)), rhs)"
        }) {
            assertSameFailure(rows, expression).contains("[BELLMAN_INPUT_VALUE]");
        }
    }
}
