package dev.bellman.series;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes the cells of an anti-diagonal. */
interface DiagonalSteps {
    /** By vectors; empty without the module {@code jdk.incubator.vector}. */
    Optional<DiagonalSteps> VECTORS =
            VectorClasses.load(DiagonalSteps.class, "VectorSteps").stream().findFirst();

    /** Arrays have so many entries beyond their last one, which are written and not read. */
    int padding();

    /** Steps of a cell, for {@link dev.bellman.columns.Cancellation}. */
    int steps();

    /**
     * Sets {@code now[first..last]}.
     *
     * @param shift what is added to a row for the index of its point of {@code b}
     */
    void step(Wave wave, int first, int last, int shift);
}
