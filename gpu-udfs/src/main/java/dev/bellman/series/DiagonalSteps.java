package dev.bellman.series;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the cells of an anti-diagonal. */
interface DiagonalSteps {
    /** The implementation by vector instructions; empty without the module {@code jdk.incubator.vector}. */
    Optional<DiagonalSteps> VECTORS =
            VectorClasses.load(DiagonalSteps.class, "VectorSteps").stream().findFirst();

    /** The number of entries beyond the end of arrays, which are written but never read. */
    int padding();

    /** Cost of a cell in steps, for {@link dev.bellman.columns.Cancellation}. */
    int steps();

    /**
     * Sets {@code now[first..last]}.
     *
     * @param shift the number to add to a row for the index of its point of {@code b}
     */
    void step(Wave wave, int first, int last, int shift);
}
