package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;

/**
 * Builds a CIGAR, which consists of runs of {@code =}, {@code X}, {@code I} and {@code D}, from its end to its
 * beginning.
 */
public final class Cigar implements Backtrace.Steps {
    private static final int MAX_CHARACTERS = Integer.MAX_VALUE - 64;
    /**
     * An upper bound on the total number of bytes that a CIGAR character takes in this object, in a string and in
     * Spark.
     */
    private static final int COPIES = 5;

    private final StringBuilder reversed = new StringBuilder();
    private char operation;
    private long run;
    private int taken;

    public void append(char next, int count) {
        if (next != operation) {
            flush();
            operation = next;
        }
        run += count;
    }

    @Override
    public void step(Move move, boolean equal, int i, int j) {
        append(
                switch (move) {
                    case DIAGONAL -> equal ? '=' : 'X';
                    case A -> 'I';
                    case B -> 'D';
                },
                1);
    }

    private void flush() {
        if (run == 0) {
            return;
        }
        if (reversed.length() > MAX_CHARACTERS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("the CIGAR has more than %,d characters, the maximum length of a string. Use shorter strings, or "
                                    + "a function that returns no CIGAR")
                            .formatted(MAX_CHARACTERS));
        }
        if (reversed.length() > taken) {
            int more = Math.max(1 << 16, taken);
            TaskMemory.take((long) COPIES * more, () -> "a CIGAR of more than %,d characters".formatted(more));
            taken += more;
        }
        reversed.append(operation);
        for (; run > 0; run /= 10) {
            reversed.append((char) ('0' + run % 10));
        }
    }

    /** Returns the CIGAR; nothing may be added afterwards. */
    @Override
    public String toString() {
        flush();
        return reversed.reverse().toString();
    }
}
