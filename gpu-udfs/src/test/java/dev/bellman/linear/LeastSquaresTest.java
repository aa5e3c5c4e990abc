package dev.bellman.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Golden;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests least squares. {@link EliminationTest} compares all functions of the family with their textbooks. */
class LeastSquaresTest {
    private static final EliminationErrorContext CONTEXT = EliminationErrorContext.ofFunction("linear_least_squares");

    /** Compares solutions with numpy's, which are computed from a singular value decomposition. */
    @Test
    void golden() {
        List<Map<String, String>> rows = Golden.allRows("linear_least_squares.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        for (Map<String, String> row : rows) {
            double[] rhs = Golden.numbers(row.get("rhs"));
            double[] entries = Golden.numbers(row.get("matrix"));
            double[] expected = Golden.numbers(row.get("solution"));
            double[][] matrix = new double[rhs.length][];
            Arrays.setAll(matrix, i -> Arrays.copyOfRange(entries, i * expected.length, (i + 1) * expected.length));
            double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
            assertThat(LeastSquares.solve(CONTEXT, matrix, rhs))
                    .as("row %s", row.get("id"))
                    .containsExactly(expected, Offset.offset(1e-9 * Math.max(1, largest)));
        }
    }

    /** Dependent columns are recognized in spite of rounding, whatever the units of the columns. */
    @Test
    void dependentColumns() {
        for (int rows : new int[] {2, 3, 4, 7, 50, 400}) {
            for (double unit : new double[] {1, 1e-200, 1e150}) {
                double[][] matrix = new double[rows][];
                Arrays.setAll(matrix, i -> new double[] {Math.sin(i + 1), unit * 0.1 * Math.sin(i + 1)});
                assertThatThrownBy(() -> LeastSquares.solve(CONTEXT, matrix, new double[rows]))
                        .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] linear_least_squares: column 2 of matrix "
                                + "(counted from 1) is linearly dependent on the columns before it: its distance")
                        .hasMessageContaining("Remove columns that are linear combinations of others. Correct the row, "
                                + "or use try_linear_least_squares, which returns NULL");
            }
        }
    }

    /** Squares of the entries exceed the range of DOUBLE, or are 0. */
    @Test
    void extremeMagnitudes() {
        for (double unit : new double[] {0x1p1000, 0x1p-1000}) {
            double[][] matrix = {{unit, 0}, {unit, 1}, {unit, 2}, {unit, 3}};
            double[] x = LeastSquares.solve(CONTEXT, matrix, 1, 3, 5, 7);
            assertThat(x[0] * unit).isCloseTo(1, Offset.offset(1e-14));
            assertThat(x[1]).isCloseTo(2, Offset.offset(1e-14));
        }
        double[][] grows = {{1e308, 1e308}, {1e308, -1e308}, {1e308, 1e308}, {1e308, 1e308}};
        assertThatThrownBy(() -> LeastSquares.solve(CONTEXT, grows, 1, 2, 3, 4))
                .hasMessageContaining(
                        "an entry exceeds the range of DOUBLE during the factorization; scale the matrix");
    }
}
