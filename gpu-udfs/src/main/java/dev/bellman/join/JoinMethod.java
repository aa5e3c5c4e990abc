package dev.bellman.join;

/** The methods for finding pairs of close strings from two sets. All methods return the same pairs. */
public enum JoinMethod {
    /** Chooses the method that is fastest on a sample. */
    AUTO,
    /** Compares every string on one side with every string of similar length on the other side. */
    PLAIN,
    /**
     * Uses strings with some characters deleted as keys; for a string that would have too many such keys, uses
     * segments.
     */
    DELETION,
    /** Uses segments as keys, as PassJoin does. */
    SEGMENTS
}
