package dev.bellman.join;

/** The methods for finding close pairs between two sets of strings. All methods return the same pairs. */
public enum JoinMethod {
    /** The method that is fastest on a sample. */
    AUTO,
    /** Compares every string of one side with every string of similar length of the other. */
    PLAIN,
    /** Keys are strings with characters deleted, or segments if a string would have too many such keys. */
    DELETION,
    /** Keys are segments, as in PassJoin. */
    SEGMENTS
}
