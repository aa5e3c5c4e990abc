package dev.bellman.align;

/** Strings as sequences of code points. */
final class Sequences {
    private Sequences() {}

    /** The cells of the table of a pair. */
    static long cells(String a, String b) {
        return (long) a.codePointCount(0, a.length()) * b.codePointCount(0, b.length());
    }
}
