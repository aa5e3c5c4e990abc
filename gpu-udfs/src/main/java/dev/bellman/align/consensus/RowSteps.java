package dev.bellman.align.consensus;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/**
 * Computes a row of a {@link GraphAlignment}: {@link #first} for the first predecessor of the row's node, {@link #next}
 * for each other predecessor, and finally {@link #insert}. Column 0 is complete before the first step.
 */
interface RowSteps {
    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it. */
    Optional<RowSteps> VECTORS =
            VectorClasses.load(RowSteps.class, "VectorRows").stream().findFirst();

    /**
     * Returns the number of {@link dev.bellman.columns.Cancellation} steps that each predecessor of a node costs per
     * cell.
     */
    int steps();

    /**
     * Sets the scores to the maxima over alignments that come from one predecessor and do not end with a gap opposite a
     * character.
     *
     * @param best the row's best scores
     * @param skip the row's best scores of alignments that end with a gap opposite nodes
     * @param bestBefore the predecessor's best scores
     * @param skipBefore the predecessor's scores of alignments that end with a gap opposite nodes
     * @param profile the scores for aligning the row's node with each character
     */
    void first(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete);

    /**
     * Raises the scores to those of alignments that come from a further predecessor, where these are higher; for the
     * parameters, see {@link #first}.
     */
    void next(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete);

    /**
     * Raises the scores to those of alignments that come from a predecessor and end with a gap opposite nodes, where
     * these are higher; for the parameters, see {@link #first}.
     */
    void skip(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, GapCosts delete);

    /**
     * Raises the best scores to those of alignments that end with a gap opposite a character, where these are higher.
     */
    void insert(int[] best, GapCosts insert);
}
