package dev.bellman.align;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Proof;
import java.io.Serializable;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Creates the proofs for functions of two strings. */
public final class PairProofs {
    private static final int SMALL = 12;

    /** A size that is large enough for stripes, which are used for pairs of more than 12,288 characters. */
    private static final int LARGE = 20_000;

    /** Defines a function of two sequences of characters. */
    @FunctionalInterface
    public interface PairOracle extends Serializable {
        Object solve(int[] a, int[] b);
    }

    /**
     * The leeway for functions of two strings or token arrays. Some strategies store the whole table, or a table
     * indexed by character; these strategies solve only pairs with at most {@link SerialTable#MAX_CELLS} cells.
     *
     * @param unlimited the strategies that solve every pair
     */
    public record WholeTables(Set<? extends Enum<?>> unlimited) implements Leeway {
        @Override
        public boolean isLimited(Enum<?> strategy) {
            return !unlimited.contains(strategy);
        }

        @Override
        public boolean serves(Enum<?> strategy, InternalRow arguments) {
            return !isLimited(strategy)
                    || arguments.isNullAt(0)
                    || arguments.isNullAt(1)
                    || length(arguments, 0) * length(arguments, 1) <= SerialTable.MAX_CELLS;
        }

        /** Returns the length of one of the arguments in a generated row. */
        private static long length(InternalRow arguments, int place) {
            Object value = ((GenericInternalRow) arguments).genericGet(place);
            return value instanceof ArrayData array ? array.numElements() : ((UTF8String) value).numChars();
        }
    }

    private PairProofs() {}

    /** Returns the proof for a function with the parameters {@link PairSolvers#PAIR}. */
    public static Proof pair(String function, PairOracle oracle) {
        return new Proof(
                function,
                new InstanceGenerator(PairInstances::pair, SMALL, LARGE, 2),
                row -> onCharacters(oracle, row));
    }

    /** Returns the proof for a distance with the parameters {@link PairSolvers#LIMITED_PAIR}. */
    public static Proof limited(String function, PairOracle distance) {
        return new Proof(function, new InstanceGenerator(PairInstances::limitedPair, SMALL, LARGE, 2), row -> {
            int found = (Integer) onCharacters(distance, row);
            return found <= row.getInt(2) ? found : -1;
        });
    }

    private static Object onCharacters(PairOracle oracle, InternalRow row) {
        return oracle.solve(Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)));
    }
}
