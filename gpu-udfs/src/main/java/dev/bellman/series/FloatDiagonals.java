package dev.bellman.series;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes tables of FLOAT cells along their anti-diagonals, like {@link SeriesDiagonals}. */
interface FloatDiagonals {
    /** The implementation with vector instructions; empty without the module {@code jdk.incubator.vector}. */
    Optional<FloatDiagonals> VECTORS = VectorClasses.load(FloatDiagonals.class, "VectorFloatDiagonals").stream()
            .findFirst();

    /** Returns the last cell like {@link SeriesTable#last(SeriesTable.Strategy, double)}. */
    double last(SeriesTable table, double limit);
}
