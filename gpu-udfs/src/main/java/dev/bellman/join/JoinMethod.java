package dev.bellman.join;

/** The methods for finding close pairs between two sets of strings. All methods return the same pairs. */
public enum JoinMethod {
    /** Chooses the method that is fastest on a sample. */
    AUTO,
    /** Compares every string of one side with every string of similar length on the other side. */
    PLAIN,
    /**
     * Uses keys that are strings with some characters deleted, or segments if a string would have too many such keys.
     */
    DELETION,
    /** Uses segments as keys, as PassJoin does. */
    SEGMENTS
}
