package dev.bellman;

import java.io.Serializable;

/**
 * Counts the table cells of a function's textbook recurrence, regardless of how many of them the strategy computes:
 * {@code length(a) * length(b)} for a pair, {@code (n^3 - n) / 6} relaxations for a chain of {@code n} matrices.
 */
@FunctionalInterface
public interface CellCounter extends Serializable {
    CellCounter NONE = cells -> {};

    void add(long cells);

    /**
     * Counts the rows that {@code auto} solved with the given strategy. Called only for functions whose choice depends
     * on the row.
     */
    default void chose(String strategy, long rows) {}
}
