package dev.bellman;

/** A function's treatment of a row whose values it does not allow. */
public enum OnInvalid {
    /** Throws {@link BellmanException}. */
    FAIL,
    /** Returns NULL, as Spark's {@code try_} functions do. */
    NULL
}
