package dev.bellman.linear;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskCores;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.linear.Elimination.Strategy;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the functions on matrices. */
public final class LinearFunctions {
    private static final Problem<LeastSquares.Strategy> LEAST_SQUARES =
            new Problem<>("linear_least_squares", LeastSquares.Strategy.class, LeastSquares.Strategy.SERIAL);
    private static final Problem<Strategy> LU = new Problem<>("lu", Strategy.class, Strategy.SERIAL);

    /** The problem of one large matrix, which is solved by a job, not by a function. */
    public static final Problem<Strategy> ONE_MATRIX =
            new Problem<>("matrix_elimination", Strategy.class, Strategy.SERIAL);

    private static final Parameter MATRIX =
            new Parameter("matrix", DataTypes.createArrayType(DataTypes.createArrayType(DoubleType)));
    private static final Parameter RHS = new Parameter("rhs", DataTypes.createArrayType(DoubleType));

    /** For {@code lu}, a required parameter of a separate signature, because it adds a field to the result. */
    private static final Parameter REQUIRED_PIVOT = Parameter.setting("pivot", BooleanType, (function, value) -> {});

    private static final Parameter PIVOT = REQUIRED_PIVOT.orElse(false);

    private static final DataType VECTOR = DataTypes.createArrayType(DoubleType, false);
    private static final DataType FACTOR = DataTypes.createArrayType(VECTOR, false);
    private static final StructType FACTORS =
            new StructType().add("l", FACTOR, false).add("u", FACTOR, false);
    private static final StructType PERMUTED_FACTORS =
            FACTORS.add("permutation", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    private static final String NOT_ALLOWED =
            "a matrix that is empty or not square; a row or an entry that is NULL; an entry that is, or becomes, NaN "
                    + "or infinite; a pivot whose magnitude is at most n * 2^-52 times the largest magnitude in the "
                    + "n x n matrix";
    private static final String ROWS = "the number of rows in the matrix";
    private static final String METHOD =
            " The function uses Gaussian elimination without pivoting, which requires a matrix that is diagonally "
                    + "dominant, or symmetric and positive definite. Other matrices may have a pivot close to zero, "
                    + "which is an error";
    private static final String LAST = " unless it is the last pivot";
    private static final String PIVOTED = ". If `pivot` is true, the function instead exchanges rows (partial "
            + "pivoting), which does not require these properties.";
    private static final String PIVOTED_ON_GPUS =
            " If `pivot` is true, the CPU processes matrices with 1,024 rows or more, even on a host with a GPU.";

    private LinearFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                lu(),
                Entry.of("linear_solve", LU)
                        .signature(List.of(MATRIX, RHS, PIVOT), VECTOR, LinearFunctions::solve)
                        .kernels(Strategy.AUTO, Strategy.R_WAY, Strategy.BLOCKED)
                        .description("Returns the solution `x` of the linear equations `matrix x = rhs`." + METHOD
                                + PIVOTED + " If several rows have the largest pivot, the first of them is used."
                                + PIVOTED_ON_GPUS)
                        .rejects(NOT_ALLOWED + "; `rhs` whose length differs from the number of rows")
                        .example("linear_solve(array(array(4, 2), array(2, 5)), array(2, 9))", "[-0.5, 2.0]")
                        .function(),
                Entry.of("determinant", LU)
                        .signature(List.of(MATRIX, PIVOT), DoubleType, LinearFunctions::determinant)
                        .kernels(Strategy.AUTO, Strategy.R_WAY, Strategy.BLOCKED)
                        .description("Returns the determinant of a square matrix: the product of the pivots, negated "
                                + "if the number of row exchanges is odd. The result is infinite if it exceeds the "
                                + "range of DOUBLE." + METHOD + LAST + PIVOTED
                                + " The determinant of a singular matrix is then 0 or close to 0. The pivots are "
                                + "multiplied from first to last. Without `pivot`, a partial product that exceeds the "
                                + "range of DOUBLE makes the result infinite, or NaN if the last pivot is zero, and a "
                                + "partial product that is too small for DOUBLE makes it 0." + PIVOTED_ON_GPUS)
                        .rejects(NOT_ALLOWED + ", unless it is the last pivot or `pivot` is true")
                        .example("determinant(array(array(4, 2), array(2, 5)))", "16.0")
                        .function(),
                leastSquares());
    }

    private static BellmanFunction<?> lu() {
        return Entry.of("lu", LU)
                .signature(List.of(MATRIX), FACTORS, LinearFunctions::lu)
                .signature(List.of(MATRIX, REQUIRED_PIVOT), PERMUTED_FACTORS, LinearFunctions::permutedLu)
                .kernels(Strategy.AUTO, Strategy.R_WAY, Strategy.BLOCKED)
                .description("Returns the LU factors of a square matrix: `l`, lower triangular with ones on the "
                        + "diagonal, and `u`, upper triangular. The product `l u` equals the matrix up to rounding. "
                        + "The matrix is an array of rows." + METHOD + LAST + PIVOTED
                        + " The matrix may then be singular; below a pivot of zero, `l` contains zeros. If several "
                        + "rows have the largest pivot, the first of them is used. Calls with `pivot` also return "
                        + "`permutation`: row `i` of the product `l u` equals row `permutation[i]` of the matrix, "
                        + "counted from 0." + PIVOTED_ON_GPUS)
                .rejects(NOT_ALLOWED + ", unless it is the last pivot or `pivot` is true")
                .example("lu(array(array(4, 2), array(2, 5)))", "{[[1.0, 0.0], [0.5, 1.0]], [[4.0, 2.0], [0.0, 4.0]]}")
                .function();
    }

    private static BellmanFunction<?> leastSquares() {
        return Entry.of("linear_least_squares", LEAST_SQUARES)
                .signature(List.of(MATRIX, RHS), VECTOR, LinearFunctions::leastSquares)
                .kernels(LeastSquares.Strategy.AUTO)
                .description("Returns the least-squares solution of linear equations: the `x` with the minimum sum of "
                        + "squared differences between `matrix x` and `rhs`. The matrix is an array of rows, and must "
                        + "have at least as many rows as columns. For a regression, each row contains the variables of "
                        + "one observation, with a 1 for the intercept. The function uses a QR factorization with "
                        + "Householder reflections.")
                .rejects("a matrix that is empty, has rows of different lengths, or has fewer rows than columns; a row "
                        + "or an entry that is NULL; an entry that is, or becomes, NaN or infinite; a column whose "
                        + "distance from all linear combinations of the columns before it is at most rows * columns * "
                        + "2^-52 times its norm; `rhs` whose length differs from the number of rows")
                .example(
                        "linear_least_squares(array(array(1, 0), array(0, 2), array(0, 0)), array(3, 4, 5))",
                        "[3.0, 2.0]")
                .function();
    }

    private static Object lu(Strategy strategy, FunctionOptions options, Arguments arguments) {
        Elimination.Factors factors = factors(strategy, options, arguments, false);
        return RowFactory.create(factors.l(), factors.u());
    }

    private static Object permutedLu(Strategy strategy, FunctionOptions options, Arguments arguments) {
        Elimination.Factors factors = factors(strategy, options, arguments, arguments.flag(1));
        return RowFactory.create(factors.l(), factors.u(), factors.permutation());
    }

    private static Elimination.Factors factors(
            Strategy strategy, FunctionOptions options, Arguments arguments, boolean pivoting) {
        double[][] matrix = matrix(arguments);
        Elimination.Factors factors = Elimination.lu(matrix, pivoting, strategy, TaskCores.count());
        options.cells().add(multiplyAdds(matrix.length));
        return factors;
    }

    private static Object solve(Strategy strategy, FunctionOptions options, Arguments arguments) {
        double[][] matrix = matrix(arguments);
        double[] rhs = entries(arguments.function(), "rhs", arguments.array(1), matrix.length, ROWS);
        double[] solution = Elimination.solve(matrix, rhs, arguments.flag(2), strategy, TaskCores.count());
        options.cells().add(multiplyAdds(matrix.length));
        return solution;
    }

    private static Object leastSquares(LeastSquares.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        ArrayData rows = arguments.array(0);
        int columns = checkedRow(function, rows, 0).numElements();
        if (columns == 0 || rows.numElements() < columns) {
            throw invalid(
                    function,
                    ("matrix has %,d rows and %,d columns; it needs at least one column, and at least as many rows as "
                                    + "columns")
                            .formatted(rows.numElements(), columns));
        }
        LeastSquares.takeMemory(function, rows.numElements(), columns);
        double[][] matrix = new double[rows.numElements()][];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = entries(
                    function,
                    "row %d of matrix".formatted(i + 1),
                    checkedRow(function, rows, i),
                    columns,
                    "the number of entries in the first row");
        }
        double[] rhs = entries(function, "rhs", arguments.array(1), matrix.length, ROWS);
        options.cells().add((long) matrix.length * columns * columns);
        return LeastSquares.solve(EliminationErrorContext.ofFunction(function), matrix, rhs);
    }

    private static Object determinant(Strategy strategy, FunctionOptions options, Arguments arguments) {
        double[][] matrix = matrix(arguments);
        double determinant = Elimination.determinant(matrix, arguments.flag(1), strategy, TaskCores.count());
        options.cells().add(multiplyAdds(matrix.length));
        return determinant;
    }

    /** Returns the number of multiply-adds in the elimination of n rows. The multiply-adds count as cells. */
    private static long multiplyAdds(long n) {
        return (n - 1) * n / 2 * (2 * n - 1) / 3;
    }

    /** Copies the matrix, which must be square and not empty. */
    private static double[][] matrix(Arguments arguments) {
        String function = arguments.function();
        ArrayData rows = arguments.array(0);
        double[][] matrix = new double[rows.numElements()][];
        for (int i = 0; i < Math.max(1, matrix.length); i++) {
            ArrayData row = checkedRow(function, rows, i);
            matrix[i] = entries(function, "row %d of matrix".formatted(i + 1), row, matrix.length, ROWS);
        }
        return matrix;
    }

    /** Returns a row of a matrix, which must exist and not be NULL. */
    private static ArrayData checkedRow(String function, ArrayData rows, int i) {
        if (rows.numElements() == 0) {
            throw invalid(function, "matrix is empty; it needs at least one row");
        }
        if (rows.isNullAt(i)) {
            throw invalid(function, "row %d of matrix (counted from 1) is NULL; it must be an array".formatted(i + 1));
        }
        return rows.getArray(i);
    }

    /**
     * Copies a list, which must have n finite entries.
     *
     * @param meaning the meaning of n, for messages
     */
    private static double[] entries(String function, String list, ArrayData values, int n, String meaning) {
        if (values.numElements() != n) {
            throw invalid(
                    function, "%s has %d entries; it needs %d, %s".formatted(list, values.numElements(), n, meaning));
        }
        for (int j = 0; j < n; j++) {
            if (values.isNullAt(j) || !(Math.abs(values.getDouble(j)) <= Double.MAX_VALUE)) {
                throw invalid(
                        function,
                        "entry %d of %s (counted from 1) is %s; it must be a finite number"
                                .formatted(j + 1, list, values.isNullAt(j) ? "NULL" : values.getDouble(j)));
            }
        }
        return values.toDoubleArray();
    }

    private static BellmanException invalid(String function, String what) {
        return EliminationErrorContext.ofFunction(function).invalid(what);
    }
}
