package dev.bellman;

import java.io.Serializable;

/**
 * Counts the cells of the dynamic-programming tables that the calls of a function stand for, whatever the strategy computes
 * of them: {@code length(a) * length(b)} for a pair, {@code (n^3 - n) / 6} relaxations for a chain of {@code n} matrices.
 */
@FunctionalInterface
public interface CellCounter extends Serializable {
    CellCounter NONE = cells -> {};

    void add(long cells);
}
