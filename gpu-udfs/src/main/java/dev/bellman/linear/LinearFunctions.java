package dev.bellman.linear;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class LinearFunctions {
    private static final Problem<Elimination.Strategy> ELIMINATION =
            new Problem<>("elimination", Elimination.Strategy.class, Elimination.Strategy.SERIAL);

    /** The problem of one large matrix: a job solves it, not a function. */
    public static final Problem<Elimination.Strategy> ONE_MATRIX =
            new Problem<>("matrix_elimination", Elimination.Strategy.class, Elimination.Strategy.SERIAL);

    private static final Parameter MATRIX =
            new Parameter("matrix", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType)));
    private static final Parameter B = new Parameter("b", DataTypes.createArrayType(DataTypes.DoubleType));

    private static final InstanceGenerator MATRICES = new InstanceGenerator(EliminationInstances::matrix, 12, 300, 3);
    private static final InstanceGenerator SYSTEMS = new InstanceGenerator(EliminationInstances::system, 12, 300, 3);

    private static final String NOT_ALLOWED =
            "a matrix that is empty or not square; a row or an entry that is NULL, an entry that is NaN or "
                    + "infinite, or that becomes so; a pivot not larger than n 2^-52 times the largest magnitude in "
                    + "the matrix";
    private static final String METHOD =
            " By Gaussian elimination without pivoting, for matrices that are diagonally dominant, or symmetric and "
                    + "positive definite; others may have a pivot near zero, which is an error. The bits are the "
                    + "same on every engine: each entry takes its products in ascending order, each by one fused "
                    + "multiply-add.";

    private LinearFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "lu",
                        ELIMINATION,
                        List.of(new Signature<>(
                                List.of(MATRIX), LuUdf.RESULT, LuUdf::new, MATRICES, EliminationTextbook::lu)),
                        "The factors of a square matrix, given by its rows: `l`, lower triangular with ones on its "
                                + "diagonal, and `u`, upper triangular, whose product it is. The last pivot may be "
                                + "zero." + METHOD,
                        Optional.of(NOT_ALLOWED + ", but for the last"),
                        new Example(
                                "lu(array(array(4, 2), array(2, 5)))",
                                "{[[1.0, 0.0], [0.5, 1.0]], [[4.0, 2.0], [0.0, 4.0]]}")),
                new BellmanFunction<>(
                        "linear_solve",
                        ELIMINATION,
                        List.of(new Signature<>(
                                List.of(MATRIX, B),
                                DataTypes.createArrayType(DataTypes.DoubleType, false),
                                LinearSolveUdf::new,
                                SYSTEMS,
                                EliminationTextbook::solve)),
                        "The solution `x` of the linear equations `matrix x = b`." + METHOD,
                        Optional.of(NOT_ALLOWED + "; `b` with another number of entries than the matrix has rows"),
                        new Example("linear_solve(array(array(4, 2), array(2, 5)), array(2, 9))", "[-0.5, 2.0]")),
                new BellmanFunction<>(
                        "determinant",
                        ELIMINATION,
                        List.of(new Signature<>(
                                List.of(MATRIX),
                                DataTypes.DoubleType,
                                DeterminantUdf::new,
                                MATRICES,
                                EliminationTextbook::determinant)),
                        "The determinant of a square matrix, the product of its pivots; infinite where that leaves "
                                + "the range of DOUBLE. The last pivot may be zero." + METHOD,
                        Optional.of(NOT_ALLOWED + ", but for the last"),
                        new Example("determinant(array(array(4, 2), array(2, 5)))", "16.0")));
    }
}
