package dev.bellman.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.linear.Elimination.Strategy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EliminationTest {
    private static final int THREADS = 2;

    private static double[][] copy(double[][] matrix) {
        return Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
    }

    /** Returns a diagonally dominant matrix. */
    private static double[][] dominant(SplittableRandom random, int n) {
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                matrix[i][j] = random.nextDouble() - 0.5;
            }
            matrix[i][i] += n;
        }
        return matrix;
    }

    private static List<BellmanFunction<?>> functions() {
        return LinearFunctions.list();
    }

    /** Compares with the textbook's loops: equal bits, or equal error codes. */
    @ParameterizedTest
    @MethodSource("functions")
    void random(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1967, Thorough.rounds(600, 2_000), 14);
        TextbookAnswers.compare(function, 1968, Thorough.rounds(60, 200), 230);
    }

    /** Tests sizes around tile boundaries, at which the right-hand side may begin a separate tile. */
    @Test
    void tiles() {
        SplittableRandom random = new SplittableRandom(5);
        for (int n : new int[] {1, 2, 95, 96, 97, 191, 192, 193, 385}) {
            double[][] matrix = dominant(random, n);
            double[] b = random.doubles(n).toArray();
            double[] x = Elimination.solve(copy(matrix), b.clone(), false, Strategy.SERIAL, 1);
            Elimination.Factors factors = Elimination.lu(copy(matrix), false, Strategy.SERIAL, 1);
            for (Strategy strategy : Strategy.values()) {
                assertThat(Elimination.solve(copy(matrix), b.clone(), false, strategy, THREADS))
                        .as(strategy + " " + n)
                        .isEqualTo(x);
                Elimination.Factors others = Elimination.lu(copy(matrix), false, strategy, THREADS);
                assertThat(others.l()).isDeepEqualTo(factors.l());
                assertThat(others.u()).isDeepEqualTo(factors.u());
            }
            for (int i = 0; i < n; i++) {
                double rest = -b[i];
                for (int j = 0; j < n; j++) {
                    rest += matrix[i][j] * x[j];
                }
                assertThat(Math.abs(rest)).isLessThan(1e-11);
            }
        }
    }

    /**
     * A published program computes a different determinant: it eliminates in place with k starting at j, and thus
     * overwrites a multiplier that it still needs.
     */
    @Test
    void determinantOfIntegers() {
        double[][] matrix = {{7, 1, 2, 3}, {1, 9, 4, 2}, {5, 2, 11, 1}, {2, 6, 3, 13}};
        for (Strategy strategy : Strategy.values()) {
            assertThat(Elimination.determinant(copy(matrix), false, strategy, 1))
                    .isCloseTo(6_235, Offset.offset(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource
    void pivots(Strategy strategy) {
        double[][] zero = {{0, 1}, {1, 0}};
        assertThatThrownBy(() -> Elimination.lu(copy(zero), false, strategy, 1))
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] lu: pivot 1 (counted from 1) is 0.0; without pivoting, its magnitude "
                                + "must exceed 4.440892098500626E-16")
                .hasMessageContaining("diagonally dominant, or symmetric and positive definite");
        double[][] singular = {{2, 1}, {4, 2}};
        assertThat(Elimination.determinant(copy(singular), false, strategy, 1)).isZero();
        assertThatThrownBy(() -> Elimination.solve(copy(singular), new double[] {1, 2}, false, strategy, 1))
                .hasMessageContaining("linear_solve: pivot 2 (counted from 1) is 0.0");
        double[][] huge = {{1e-8, 1e300}, {1e300, 1}};
        assertThatThrownBy(() -> Elimination.determinant(copy(huge), false, strategy, 1))
                .hasMessageContaining("pivot 1");
        double[][] grows = {{1e300, 1e300}, {-1e308, 1e308}};
        assertThatThrownBy(() -> Elimination.determinant(copy(grows), false, strategy, 1))
                .hasMessageContaining("determinant: an entry exceeds the range of DOUBLE");
        double[][] diagonal = {{1e200, 0}, {0, 1e200}};
        assertThat(Elimination.determinant(copy(diagonal), false, strategy, 1)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    /**
     * Matrices without large diagonals, with sizes around panel boundaries, have small residuals, and the same bits
     * with every strategy.
     */
    @Test
    void pivoting() {
        SplittableRandom random = new SplittableRandom(6);
        for (int n : new int[] {1, 2, 95, 96, 97, 192, 250}) {
            double[][] matrix = new double[n][];
            Arrays.setAll(matrix, i -> random.doubles(n, -1, 1).toArray());
            matrix[0][0] = 0x1p-60;
            double[] b = random.doubles(n).toArray();
            double[] x = Elimination.solve(copy(matrix), b.clone(), n > 1, Strategy.SERIAL, 1);
            double determinant = Elimination.determinant(copy(matrix), true, Strategy.SERIAL, 1);
            Elimination.Factors factors = Elimination.lu(copy(matrix), true, Strategy.SERIAL, 1);
            for (Strategy strategy : Strategy.values()) {
                assertThat(Elimination.lu(copy(matrix), true, strategy, THREADS))
                        .usingRecursiveComparison()
                        .isEqualTo(factors);
                assertThat(Elimination.solve(copy(matrix), b.clone(), n > 1, strategy, THREADS))
                        .isEqualTo(x);
                assertThat(Elimination.determinant(copy(matrix), true, strategy, THREADS))
                        .isEqualTo(determinant);
            }
            for (int i = 0; i < n && n > 1; i++) {
                double rest = -b[i];
                for (int j = 0; j < n; j++) {
                    rest += matrix[i][j] * x[j];
                }
                assertThat(Math.abs(rest)).isLessThan(1e-10);
            }
            for (int i = 0; i < n; i++) {
                assertThat(product(factors, i)).containsExactly(matrix[factors.permutation()[i]], Offset.offset(1e-12));
            }
        }
    }

    /** Returns row i of L U. */
    private static double[] product(Elimination.Factors factors, int i) {
        double[] product = new double[factors.u().length];
        for (int j = 0; j < product.length; j++) {
            for (int k = 0; k <= i; k++) {
                product[j] += factors.l()[i][k] * factors.u()[k][j];
            }
        }
        return product;
    }

    @ParameterizedTest
    @EnumSource
    void pivotsThatAreExchanged(Strategy strategy) {
        double[][] swapped = {{0, 1}, {1, 0}};
        assertThat(Elimination.determinant(copy(swapped), true, strategy, 1)).isEqualTo(-1);
        assertThat(Elimination.solve(copy(swapped), new double[] {3, 4}, true, strategy, 1))
                .containsExactly(4, 3);
        double[][] singular = {{1, 2, 3}, {2, 4, 6}, {1, 1, 1}};
        assertThat(Elimination.determinant(copy(singular), true, strategy, 1)).isZero();
        assertThat(Elimination.determinant(new double[3][3], true, strategy, 1)).isZero();
        assertThatThrownBy(() -> Elimination.solve(copy(singular), new double[3], true, strategy, 1))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] linear_solve: pivot 3 (counted from 1) is 0.0; with "
                        + "pivoting, its magnitude must exceed")
                .hasMessageContaining("The matrix is singular or nearly singular");
        double[][] grows = {{1e308, 1e308}, {-1e308, 1e308}};
        assertThatThrownBy(() -> Elimination.determinant(copy(grows), true, strategy, 1))
                .hasMessageContaining("determinant: an entry exceeds the range of DOUBLE during the elimination; "
                        + "scale the matrix. Correct the row");
    }

    /** Singular matrices have factors. The last matrix has an infinite entry only in the row of a zero pivot. */
    @ParameterizedTest
    @EnumSource
    void factorsOfSingularMatrices(Strategy strategy) {
        Elimination.Factors factors =
                Elimination.lu(new double[][] {{-0.0, 1, 2}, {0, 3, 4}, {0, -6, 8}}, true, strategy, 1);
        assertThat(factors.l()).isDeepEqualTo(new double[][] {{1, 0, 0}, {0, 1, 0}, {0, -0.5, 1}});
        assertThat(factors.u()).isDeepEqualTo(new double[][] {{-0.0, 1, 2}, {0, -6, 8}, {0, 0, 8}});
        assertThat(factors.permutation()).containsExactly(0, 2, 1);
        Elimination.Factors zeros = Elimination.lu(new double[2][2], true, strategy, 1);
        assertThat(zeros.l()).isDeepEqualTo(new double[][] {{1, 0}, {0, 1}});
        assertThat(zeros.u()).isDeepEqualTo(new double[2][2]);
        double[][] grows = {{1e308, 0, 1e308}, {-1e308, 0, 1e308}, {0, 0, 0}};
        assertThatThrownBy(() -> Elimination.lu(copy(grows), true, strategy, 1))
                .hasMessageContaining(
                        "lu: an entry exceeds the range of DOUBLE during the elimination; scale the matrix. Correct");
        assertThat(Elimination.determinant(copy(grows), true, strategy, 1)).isZero();
    }

    /** A determinant may be in the range of DOUBLE even if the product of the first pivots is not. */
    @ParameterizedTest
    @EnumSource
    void determinantsInRange(Strategy strategy) {
        double[][] diagonals = {
            {1e200, 1e200, 1e-300, 1e100},
            {1e-200, -1e-200, 1e300, -1e-100},
            {Double.MIN_VALUE, Double.MAX_VALUE, 0x1p50, 0x1.fffffffffffffp1023 * 0x1p-1074 * 0x1p50},
            {0x1p-600, 0x1p-600, Double.MIN_VALUE, 0},
            {0x1p600, 0x1p600, -0x1p600, Double.NEGATIVE_INFINITY}
        };
        for (double[] diagonal : diagonals) {
            double[][] matrix = {{diagonal[0], 0, 0}, {0, diagonal[1], 0}, {0, 0, diagonal[2]}};
            assertThat(Elimination.determinant(matrix, true, strategy, 1))
                    .satisfiesAnyOf(
                            found -> assertThat(found).isEqualTo(diagonal[3]),
                            found -> assertThat(found / diagonal[3]).isCloseTo(1, Offset.offset(0x1p-51)));
        }
    }

    /** Compares with scipy, whose LAPACK rounds differently. */
    @ParameterizedTest
    @EnumSource
    void goldenFactors(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("lu.gold");
        assertThat(rows).hasSize(60);
        for (Map<String, String> row : rows) {
            int[] permutation = Arrays.stream(Golden.numbers(row.get("permutation")))
                    .mapToInt(each -> (int) each)
                    .toArray();
            Elimination.Factors factors =
                    Elimination.lu(square(Golden.numbers(row.get("matrix")), permutation.length), true, strategy, 1);
            assertThat(factors.permutation()).as("row %s", row.get("id")).isEqualTo(permutation);
            assertSimilar(factors.l(), square(Golden.numbers(row.get("l")), permutation.length));
            assertSimilar(factors.u(), square(Golden.numbers(row.get("u")), permutation.length));
        }
    }

    private static void assertSimilar(double[][] found, double[][] expected) {
        for (int i = 0; i < found.length; i++) {
            double largest = Arrays.stream(expected[i]).map(Math::abs).max().orElseThrow();
            assertThat(found[i]).containsExactly(expected[i], Offset.offset(1e-10 * Math.max(1e-12, largest)));
        }
    }

    private static double[][] square(double[] entries, int n) {
        double[][] matrix = new double[n][];
        Arrays.setAll(matrix, i -> Arrays.copyOfRange(entries, i * n, (i + 1) * n));
        return matrix;
    }

    /** Compares with numpy, whose LAPACK also pivots, but rounds differently. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("linear.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        for (Map<String, String> row : rows) {
            double[] b = Golden.numbers(row.get("rhs"));
            double[][] matrix = square(Golden.numbers(row.get("matrix")), b.length);
            double determinant = Double.parseDouble(row.get("determinant"));
            assertThat(Elimination.determinant(copy(matrix), true, strategy, 1))
                    .as("row %s", row.get("id"))
                    .isCloseTo(determinant, Offset.offset(1e-9 * Math.max(1, Math.abs(determinant))));
            if (!row.get("solution").isEmpty()) {
                assertThat(Elimination.solve(copy(matrix), b, true, strategy, 1))
                        .as("row %s", row.get("id"))
                        .containsExactly(Golden.numbers(row.get("solution")), Offset.offset(1e-8));
            }
        }
    }
}
