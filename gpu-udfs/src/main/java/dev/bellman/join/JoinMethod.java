package dev.bellman.join;

/** How the close pairs of two sets of strings are found. All methods give the same pairs. */
public enum JoinMethod {
    /** The method that is fastest on a sample. */
    AUTO,
    /** Compares every string of one side with every string of similar length of the other. */
    PLAIN,
    /** Keys are strings with characters deleted; segments for strings that would have too many such keys. */
    DELETION,
    /** Keys are segments, as in PassJoin. */
    SEGMENTS
}
