package dev.bellman.align;

/** A step of a backtrace. */
public enum Move {
    /** Consumes a symbol of both strings. */
    DIAGONAL,
    /** Consumes a symbol of {@code a}. */
    A,
    /** Consumes a symbol of {@code b}. */
    B
}
