package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.function.IntConsumer;

/**
 * Finds the minimum-free-energy structure of an RNA, as ViennaRNA's RNAfold does: among all structures without crossing
 * pairs, the structure with the smallest sum of loop energies. See {@link ZukerFill} for the recurrences, {@link
 * LoopEnergies} for the loop energies, and {@link FoldTable} for the tie rule.
 *
 * <p>Internal loops have at most {@value LoopEnergies#MAX_INTERNAL} unpaired bases, and hairpins have at least {@value
 * LoopEnergies#MIN_HAIRPIN}. All energies are integers, so sums are exact.
 */
public final class RnaFold {
    /** All strategies return the same structure. */
    public enum Strategy {
        /** Uses {@link #TILED}. */
        AUTO,
        /** Computes the recurrences of {@link ZukerFill} directly, entry by entry. */
        ZUKER,
        /**
         * Computes the table row by row, using loops over whole rows. If a constraint is enforced, works like
         * {@link #ZUKER}.
         */
        TILED
    }

    private final FoldTable table;
    private final int[] prefix;

    private RnaFold(FoldTable table) {
        this.table = table;
        prefix = table.n == 0 ? new int[1] : table.prefix(0);
    }

    /**
     * Folds a sequence.
     *
     * @param bases the bases, numbered as in {@link dev.bellman.fold.Bases}; {@link #checkLength} must accept their
     * number
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the tables do not fit in the heap; {@link
     * ErrorCode#BELLMAN_INPUT_VALUE} if the constraint does not match the sequence, or no structure meets an enforced
     * constraint
     */
    static RnaFold of(String function, byte[] bases, FoldOptions options, Strategy strategy) {
        options.constraint().check(function, bases);
        TaskMemory.take(function, FoldTable.bytes(bases.length), "", () -> "folding %,d bases".formatted(bases.length));
        FoldTable table = new FoldTable(bases, options);
        // RowFill does not support bases that are required to pair
        IntConsumer rows = rows(table, options.constraint().isEnforced() ? Strategy.ZUKER : strategy);
        for (int i = bases.length - 1; i >= 0; i--) {
            rows.accept(i);
        }
        RnaFold folding = new RnaFold(table);
        if (folding.energy() >= FoldTable.INFEASIBLE) {
            throw noStructure(function, bases.length);
        }
        return folding;
    }

    /** Returns the error for a constraint that no structure satisfies. */
    static BellmanException noStructure(String function, int bases) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("%s: no structure of these %,d bases pairs every base that the constraint requires to pair; "
                                + "change the constraint, or omit enforce")
                        .formatted(function, bases));
    }

    /** Returns a function that fills a row of the table; all rows with larger indices must be filled first. */
    static IntConsumer rows(FoldTable table, Strategy strategy) {
        return strategy == Strategy.ZUKER ? new ZukerFill(table)::row : new RowFill(table)::row;
    }

    /**
     * Throws an exception if a sequence is too long.
     *
     * @param sequence what is folded or evaluated, such as {@code the sequence}
     * @param remedy what to use instead, as the start of a list, such as {@code a smaller window, or }; may be empty
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the sequence has more than {@value
     *     LoopEnergies#MAX_LENGTH} bases, or energies could exceed 32 bits
     */
    static void checkLength(String function, String sequence, int length, String remedy, LoopEnergies energies) {
        if (length > LoopEnergies.MAX_LENGTH) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: %s has %,d bases; the limit is %,d. Use %stry_%s, which returns NULL"
                            .formatted(
                                    function,
                                    sequence,
                                    length,
                                    LoopEnergies.MAX_LENGTH,
                                    remedy,
                                    function.replaceFirst("^try_", "")));
        }
        checkEnergies(function, length, energies);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if energies could exceed 32 bits */
    static void checkEnergies(String function, int length, LoopEnergies energies) {
        // a pair contributes at most 7 numbers: 4 for the loop that it closes, and 3 as a branch of the loop around it;
        // an unpaired base of a multiloop contributes one
        if (4L * length * energies.magnitude() >= FoldTable.INFEASIBLE) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: energies for %,d bases could exceed 32 bits, because the parameters of a loop add up to "
                                    + "as much as %,d; use a shorter sequence")
                            .formatted(function, length, energies.magnitude()));
        }
    }

    /** Returns the minimum energy, in hundredths of kcal/mol. */
    int energy() {
        return prefix[table.n];
    }

    /** Returns the structure in dot-bracket notation. */
    byte[] structure() {
        return table.structure(0, prefix);
    }
}
