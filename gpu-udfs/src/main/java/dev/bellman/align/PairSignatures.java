package dev.bellman.align;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.StrategyTraits;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** The signatures that pair functions share. */
public final class PairSignatures {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    /** Beyond 12,288 characters a pair is solved in stripes. */
    private static final InstanceGenerator PAIRS = new InstanceGenerator(PairInstances::pair, 12, 20_000, 2);

    private static final InstanceGenerator LIMITED_PAIRS =
            new InstanceGenerator(PairInstances::limitedPair, 12, 20_000, 2);

    /** Defines a function of two sequences of characters. */
    @FunctionalInterface
    public interface PairOracle extends Serializable {
        Object solve(int[] a, int[] b);
    }

    private PairSignatures() {}

    /** {@code (a, b)}. */
    public static <S extends Enum<S>> Signature<S> pair(
            Problem<S> problem, DataType result, PairFunction.Solver<S> solver, PairOracle oracle) {
        return pair(problem, result, solver, PairFunction.Cells.TABLE, PAIRS, oracle);
    }

    private static <S extends Enum<S>> Signature<S> pair(
            Problem<S> problem,
            DataType result,
            PairFunction.Solver<S> solver,
            PairFunction.Cells cells,
            InstanceGenerator generator,
            PairOracle oracle) {
        return new Signature<>(
                List.of(A, B),
                result,
                (strategy, options) -> PairFunction.of(problem, solver, cells, strategy, options),
                generator,
                onRows(oracle));
    }

    /** {@code (a, b, max)}: the distance, or -1 if it is more than {@code max}. */
    public static <S extends Enum<S>> Signature<S> limitedDistance(
            Problem<S> problem, PairFunction.LimitedSolver<S> solver, PairOracle distance) {
        Oracle unlimited = onRows(distance);
        return new Signature<>(
                List.of(A, B, new Parameter("max", IntegerType)),
                IntegerType,
                (strategy, options) -> PairFunction.limited(problem, solver, strategy, options),
                LIMITED_PAIRS,
                arguments -> {
                    int found = (Integer) unlimited.solve(arguments);
                    return found <= arguments.getInt(2) ? found : -1;
                });
    }

    private static Oracle onRows(PairOracle oracle) {
        return arguments ->
                oracle.solve(Characters.of(arguments.getUTF8String(0)), Characters.of(arguments.getUTF8String(1)));
    }

    /**
     * The number of cells up to which strategies that keep the whole table, or a table indexed by character, solve
     * pairs.
     *
     * @param unlimited the strategies that solve every pair
     */
    public static <S extends Enum<S>> StrategyTraits<S> wholeTables(Set<S> unlimited) {
        return new WholeTables<>(unlimited);
    }

    private record WholeTables<S extends Enum<S>>(Set<S> unlimited) implements StrategyTraits<S> {
        @Override
        public boolean serves(S strategy, InternalRow arguments) {
            return unlimited.contains(strategy)
                    || arguments.isNullAt(0)
                    || arguments.isNullAt(1)
                    || (long) arguments.getUTF8String(0).numChars()
                                    * arguments.getUTF8String(1).numChars()
                            <= SerialTable.MAX_CELLS;
        }
    }
}
