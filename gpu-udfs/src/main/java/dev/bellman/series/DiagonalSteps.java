package dev.bellman.series;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the cells of an anti-diagonal. */
interface DiagonalSteps {
    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it. */
    Optional<DiagonalSteps> VECTORS =
            VectorClasses.load(DiagonalSteps.class, "VectorSteps").stream().findFirst();

    /** Returns how many entries beyond the end of each array may be read or written; no cell depends on them. */
    int padding();

    /** Returns the cost of a cell in {@link dev.bellman.columns.Cancellation} steps. */
    int steps();

    /**
     * Computes {@code now[first..last]}.
     *
     * @param shift the number to add to the row index of a cell to get the index of its point in {@code b}
     */
    void step(Wave wave, int first, int last, int shift);
}
