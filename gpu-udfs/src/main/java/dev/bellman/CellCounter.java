package dev.bellman;

import java.io.Serializable;

/**
 * Counts the table cells of a function's textbook recurrence, regardless of how many of them the strategy computes. For
 * two strings, these are {@code length(a) * length(b)} cells; for a chain of {@code n} matrices, {@code (n^3 - n) / 6}
 * relaxations.
 */
@FunctionalInterface
public interface CellCounter extends Serializable {
    CellCounter NONE = cells -> {};

    void add(long cells);

    /**
     * Counts the rows that {@code auto} solved with the given strategy. Called only for functions for which
     * {@code auto} chooses a strategy row by row.
     */
    default void chose(String strategy, long rows) {}
}
