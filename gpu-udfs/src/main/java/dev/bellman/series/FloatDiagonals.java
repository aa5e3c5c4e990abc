package dev.bellman.series;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Computes tables of FLOAT cells along their anti-diagonals, as {@link SeriesDiagonals} does for DOUBLE. */
interface FloatDiagonals {
    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it. */
    Optional<FloatDiagonals> VECTORS = VectorClasses.load(FloatDiagonals.class, "VectorFloatDiagonals").stream()
            .findFirst();

    /** Returns the last cell, as {@link SeriesTable#last(SeriesTable.Strategy, double)} does. */
    double last(SeriesTable table, double limit);
}
