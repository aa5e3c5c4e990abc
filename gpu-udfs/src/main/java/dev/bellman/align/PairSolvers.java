package dev.bellman.align;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.columns.Solver;
import dev.bellman.entry.Parameter;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines the parameters of functions with two string arguments, and solvers that count the cells of a pair's table.
 */
public final class PairSolvers {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    /** The parameter {@code max}, the maximum distance to return. */
    public static final Parameter MAX = new Parameter("max", IntegerType).orElse(Integer.MAX_VALUE, "no limit");

    /** The parameters {@code (a, b)}. */
    public static final List<Parameter> PAIR = List.of(A, B);

    /** The parameters {@code (a, b, max)}. */
    public static final List<Parameter> LIMITED_PAIR = List.of(A, B, MAX);

    /** Computes a function of two strings. */
    @FunctionalInterface
    public interface PairSolver<S extends Enum<S>> extends Serializable {
        /** Returns the result as a {@link Solver} does, except that a string may also be returned as a {@link Text}. */
        Object solve(Text a, Text b, S strategy);
    }

    /** Computes the distance between the strings of a pair, up to a limit. */
    @FunctionalInterface
    public interface LimitedSolver<S extends Enum<S>> extends Serializable {
        /**
         * Returns the distance, or -1 if it exceeds {@code max}. A negative {@code max} excludes every distance; {@link
         * Integer#MAX_VALUE} allows every distance.
         */
        int solve(Text a, Text b, int max, S strategy);
    }

    private PairSolvers() {}

    /** Returns a solver for functions with the parameters {@link #PAIR}. */
    public static <S extends Enum<S>> Solver<S> pair(PairSolver<S> solver) {
        return (strategy, options, arguments) -> {
            Text a = Text.of(arguments.string(0));
            Text b = Text.of(arguments.string(1));
            Object result = solver.solve(a, b, strategy);
            options.cells().add((long) a.length() * b.length());
            return result instanceof Text text ? UTF8String.fromBytes(text.bytes()) : result;
        };
    }

    /** Returns a solver for functions with the parameters {@link #LIMITED_PAIR}. */
    public static <S extends Enum<S>> Solver<S> limited(LimitedSolver<S> solver) {
        return (strategy, options, arguments) -> {
            Text a = Text.of(arguments.string(0));
            Text b = Text.of(arguments.string(1));
            int distance = solver.solve(a, b, arguments.integer(2), strategy);
            options.cells().add((long) a.length() * b.length());
            return distance;
        };
    }
}
