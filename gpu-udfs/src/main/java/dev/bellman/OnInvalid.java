package dev.bellman;

/** Determines how a function handles a row with invalid values. */
public enum OnInvalid {
    /** Throws {@link BellmanException}. */
    FAIL,
    /** Returns NULL, as Spark's {@code try_} functions do. */
    NULL
}
