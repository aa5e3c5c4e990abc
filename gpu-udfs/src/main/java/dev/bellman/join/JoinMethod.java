package dev.bellman.join;

/** How the close pairs of two sets of strings are found. All give the same pairs. */
public enum JoinMethod {
    /** The one of the others that a sample says is fastest. */
    AUTO,
    /** Every string of one side is compared with every one of the other that is about as long. */
    PLAIN,
    /** Keys are what is left when characters are deleted; segments for strings that would have too many of these. */
    DELETION,
    /** Keys are segments, as in PassJoin. */
    SEGMENTS
}
