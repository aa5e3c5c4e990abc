package dev.bellman.align;

import static org.apache.spark.sql.types.DataTypes.IntegerType;

import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;

/**
 * Adds signatures with two arrays of tokens to functions, one for each type in {@link Tokens#TYPES}.
 */
public final class TokenSolvers {
    /** The sentences about tokens, which are added to function descriptions. */
    public static final String TOKENS = " Both arguments may also be arrays of words or other tokens (STRING, INT or "
            + "BIGINT), which are then compared instead of characters. NULL entries are equal to each other.";

    /** Computes a function of two token sequences. */
    @FunctionalInterface
    public interface TokenSolver<S extends Enum<S>> extends Serializable {
        /** Returns the result in the same form as a {@code Solver}. */
        Object solve(int[] a, int[] b, S strategy);
    }

    /** Computes the distance between the two sequences of a pair, up to a limit. */
    @FunctionalInterface
    public interface LimitedTokenSolver<S extends Enum<S>> extends Serializable {
        /** Returns the distance, or -1 if it exceeds {@code max}. */
        int solve(int[] a, int[] b, int max, S strategy);
    }

    /** Selects some of the tokens of {@code a}, such as a common subsequence. */
    @FunctionalInterface
    public interface TokenSelector<S extends Enum<S>> extends Serializable {
        /** Returns the indices in {@code a} of the selected tokens, in ascending order. */
        int[] select(int[] a, int[] b, S strategy);
    }

    private TokenSolvers() {}

    /** Adds the signatures {@code (a, b)}. */
    public static <S extends Enum<S>> Entry<S> pair(Entry<S> entry, DataType result, TokenSolver<S> solver) {
        return pair(entry, result, solver, "a", "b");
    }

    /** Adds signatures with two array parameters, which have the given names. */
    public static <S extends Enum<S>> Entry<S> pair(
            Entry<S> entry, DataType result, TokenSolver<S> solver, String first, String second) {
        for (DataType type : Tokens.TYPES) {
            entry.signature(pair(type, first, second), result, (strategy, options, arguments) -> {
                Tokens.Pair pair = Tokens.of(arguments, type, first, second);
                Object answer = solver.solve(pair.a(), pair.b(), strategy);
                options.cells().add(pair.cells());
                return answer;
            });
        }
        return entry;
    }

    private static List<Parameter> pair(DataType type, String first, String second) {
        return List.of(new Parameter(first, Tokens.arrayOf(type)), new Parameter(second, Tokens.arrayOf(type)));
    }

    /** Adds the signatures {@code (a, b, max)} of a distance function. */
    public static <S extends Enum<S>> Entry<S> limited(Entry<S> entry, LimitedTokenSolver<S> solver) {
        for (DataType type : Tokens.TYPES) {
            List<Parameter> pair = pair(type, "a", "b");
            entry.signature(
                    List.of(pair.get(0), pair.get(1), PairSolvers.MAX), IntegerType, (strategy, options, arguments) -> {
                        Tokens.Pair tokens = Tokens.of(arguments, type, "a", "b");
                        int distance = solver.solve(tokens.a(), tokens.b(), arguments.integer(2), strategy);
                        options.cells().add(tokens.cells());
                        return distance;
                    });
        }
        return entry;
    }

    /** Adds the signatures {@code (a, b)} of a function that returns some of the tokens of {@code a}. */
    public static <S extends Enum<S>> Entry<S> selection(Entry<S> entry, TokenSelector<S> selector) {
        for (DataType type : Tokens.TYPES) {
            entry.signatureWithoutKernel(pair(type, "a", "b"), Tokens.arrayOf(type), (strategy, options, arguments) -> {
                Tokens.Pair pair = Tokens.of(arguments, type, "a", "b");
                options.cells().add(pair.cells());
                int[] selected = selector.select(pair.a(), pair.b(), strategy);
                ArrayData a = arguments.array(0);
                Object[] tokens = new Object[selected.length];
                for (int i = 0; i < tokens.length; i++) {
                    tokens[i] = a.isNullAt(selected[i]) ? null : a.get(selected[i], type);
                }
                return tokens;
            });
        }
        return entry;
    }
}
