package dev.bellman.align;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Proof;
import java.io.Serializable;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/** The proofs of functions of two strings. */
public final class PairProofs {
    private static final int SMALL = 12;

    /** Beyond 12,288 characters a pair is solved in stripes. */
    private static final int LARGE = 20_000;

    /** Defines a function of two sequences of characters. */
    @FunctionalInterface
    public interface PairOracle extends Serializable {
        Object solve(int[] a, int[] b);
    }

    /**
     * The leeway of functions some of whose strategies keep the whole table, or a table indexed by character: those
     * solve pairs of at most {@link SerialTable#MAX_CELLS} cells.
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
                    || (long) arguments.getUTF8String(0).numChars()
                                    * arguments.getUTF8String(1).numChars()
                            <= SerialTable.MAX_CELLS;
        }
    }

    private PairProofs() {}

    /** The proof of a function with the parameters {@link PairSolvers#PAIR}. */
    public static Proof pair(String function, PairOracle oracle) {
        return new Proof(
                function,
                new InstanceGenerator(PairInstances::pair, SMALL, LARGE, 2),
                row -> onCharacters(oracle, row));
    }

    /** The proof of a distance with the parameters {@link PairSolvers#LIMITED_PAIR}. */
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
