package dev.bellman.align;

/** A step of a backtrace. */
public enum Move {
    /** Consumes one symbol of each string. */
    DIAGONAL,
    /** Consumes a symbol of {@code a}. */
    A,
    /** Consumes a symbol of {@code b}. */
    B
}
