package dev.bellman.linear;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares elimination on the GPU with the CPU, bit for bit. */
class EliminationGpuTest extends GpuTest {
    private static final DataType LIST = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final StructType SCHEMA =
            new StructType().add("matrix", DataTypes.createArrayType(LIST)).add("b", LIST);
    private static final StructType WITH_PIVOT = SCHEMA.add("pivot", DataTypes.BooleanType);

    private static Dataset<Row> generated(int count, int size) {
        SplittableRandom random = new SplittableRandom(size);
        return instances(
                WITH_PIVOT,
                3,
                IntStream.range(0, count)
                        .mapToObj(i -> EliminationInstances.system(random, i % 50 == 0 ? size : size / 8)));
    }

    /** Returns a row with a diagonally dominant matrix. */
    private static Row dominant(SplittableRandom random, int n) {
        Double[][] matrix = new Double[n][n];
        Double[] b = new Double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                matrix[i][j] = random.nextDouble() - 0.5 + (i == j ? n : 0);
            }
            b[i] = random.nextDouble();
        }
        return RowFactory.create(matrix, b);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lu(matrix)", "linear_solve(matrix, b)", "determinant(matrix)"})
    void random(String call) {
        assertSameAsOnCpu(generated(3_000, 60), "try_" + call);
        assertSameAsOnCpu(generated(300, 300), "try_" + call);
    }

    /** Tests matrices with exchanged rows, singular matrices, and ties between pivots. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lu(matrix, pivot)", "linear_solve(matrix, b, pivot => pivot)", "determinant(matrix, pivot)"})
    void pivoting(String call) {
        assertSameAsOnCpu(generated(3_000, 60), "try_" + call);
        assertSameAsOnCpu(generated(300, 300), "try_" + call);
        withConf("spark.bellman.gpuMemory", "20k", () -> assertSameAsOnCpu(generated(100, 60), "try_" + call));
    }

    /** Tests sizes around those of warps and of shared memory, and a size that the CPU solves. */
    @ParameterizedTest
    @ValueSource(strings = {"lu(matrix, true)", "linear_solve(matrix, b, true)", "determinant(matrix, true)"})
    void pivotingSizes(String call) {
        SplittableRandom random = new SplittableRandom(6);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {1, 2, 3, 31, 32, 33, 64, 65, 127, 128, 129, 170, 257, 600, 1_023, 1_024}) {
            Row row = dominant(random, n);
            List<Double[]> matrix = Arrays.asList(row.<Double[][]>getAs(0));
            Collections.shuffle(matrix, new Random(n));
            rows.add(row);
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
    }

    /** Tests the factors of singular matrices, most of which have several zero pivots. */
    @Test
    void factorsOfSingularMatrices() {
        SplittableRandom random = new SplittableRandom(8);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Double[][] matrix = new Double[random.nextInt(1, i % 50 == 0 ? 300 : 40)][];
            for (int k = 0; k < matrix.length; k++) {
                matrix[k] = random.ints(matrix.length, -1, 2)
                        .mapToObj(each -> each == 0 ? -0.0 : each)
                        .toArray(Double[]::new);
                matrix[k][matrix.length / 2] = 0.0;
            }
            rows.add(RowFactory.create(matrix, null));
        }
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "lu(matrix, true)");
    }

    /** Tests determinants whose partial products exceed the range of DOUBLE. */
    @Test
    void partialProducts() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Double[][] matrix = new Double[random.nextInt(1, 40)][];
            for (int k = 0; k < matrix.length; k++) {
                matrix[k] = new Double[matrix.length];
                Arrays.fill(matrix[k], 0.0);
                matrix[k][k] = Math.scalb(random.nextDouble() - 0.5, random.nextInt(-1_070, 1_020));
            }
            rows.add(RowFactory.create(matrix, null));
        }
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "determinant(matrix, true)");
    }

    /**
     * Tests one matrix for each of several sizes around the limits of tiles and of shared memory, and many matrices of
     * medium sizes.
     */
    @ParameterizedTest
    @ValueSource(strings = {"lu(matrix)", "lu(matrix, false)", "linear_solve(matrix, b)", "determinant(matrix)"})
    void sizes(String call) {
        SplittableRandom random = new SplittableRandom(1);
        List<Row> few = new ArrayList<>();
        for (int n : new int[] {1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257, 384, 600, 1_025}) {
            few.add(dominant(random, n));
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, few), call);
        List<Row> many = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            many.add(dominant(random, 130 + i));
        }
        assertSameAsOnCpu(rows(SCHEMA, 1, many), call);
    }

    /** Tests matrices of one tile, of several tiles, and of more than 8 by 8 tiles. */
    @ParameterizedTest
    @ValueSource(strings = {"lu(matrix)", "linear_solve(matrix, b)", "determinant(matrix)"})
    void byRecursion(String call) {
        SplittableRandom random = new SplittableRandom(3);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {1, 2, 127, 128, 129, 257, 1_024, 1_025, 1_200}) {
            rows.add(dominant(random, n));
        }
        withConf("spark.bellman.lu.strategy", "r-way", () -> {
            assertSameAsOnCpu(rows(SCHEMA, 1, rows), call);
            assertSameAsOnCpu(generated(300, 300), "try_" + call);
        });
    }

    /**
     * Tests entries that are NULL, NaN or infinite. Some matrices are solved by one block, with or without shared
     * memory, and others by the whole GPU.
     */
    @ParameterizedTest
    @ValueSource(strings = {"linear_solve(matrix, b)", "determinant(matrix)"})
    void entriesThatAreNoNumbers(String call) {
        SplittableRandom random = new SplittableRandom(4);
        Double[] bad = {null, Double.NaN, Double.NEGATIVE_INFINITY};
        for (int[] sizeAndCount : new int[][] {{20, 90}, {170, 66}, {130, 6}, {1_030, 2}}) {
            int n = sizeAndCount[0];
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < sizeAndCount[1]; i++) {
                Row row = dominant(random, n);
                if (i % 3 != 0) {
                    Double[][] matrix = row.getAs(0);
                    matrix[random.nextInt(n)][random.nextInt(n)] = bad[random.nextInt(bad.length)];
                }
                rows.add(row);
            }
            assertSameAsOnCpu(rows(SCHEMA, 1, rows), "try_" + call);
        }
    }

    @Test
    void failsAsOnCpu() {
        SplittableRandom random = new SplittableRandom(2);
        Dataset<Row> rows = rows(SCHEMA, 1, List.of(dominant(random, 3)));
        for (String expression : new String[] {
            "lu(array(array(b[0] - b[0], 1D), array(1D, 0D)))",
            "linear_solve(matrix, slice(b, 1, 2))",
            "determinant(array(array(b[0], double('nan')), array(1D, 0D)))",
            "linear_solve(array(array(b[0], b[0]), array(b[0], b[0])), array(1D, 2D))"
        }) {
            assertSameFailure(rows, expression).contains("[BELLMAN_INPUT_VALUE]");
        }
    }
}
