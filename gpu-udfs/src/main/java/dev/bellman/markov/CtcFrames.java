package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The frames of a recording and the tokens that it contains.
 *
 * <p>Each token has a position, and so does each blank: before the first token, between two tokens, and after the last
 * token. Therefore, tokens have odd positions, counted from 0. A path assigns one position to each frame; from one
 * frame to the next, the position stays the same, increases by 1, or skips a blank between two different tokens.
 *
 * @param labels the blank and the distinct tokens, in ascending order
 * @param labelOf for each position, the index of its label
 * @param logs the log-probability of each label in each frame, frame after frame
 */
record CtcFrames(String function, int count, int[] labels, int[] labelOf, double[] logs) {
    /**
     * The maximum magnitude of a log-probability. Larger magnitudes indicate errors in the model; the limit keeps
     * exponents far below 64 bits.
     */
    private static final double MAX_MAGNITUDE = 1e9;

    private static final int MAX_NUMBERS = Integer.MAX_VALUE - 8;

    /** Checks and copies the log-probabilities of the blank and of the tokens; other entries are not read. */
    static CtcFrames of(String function, ArrayData frames, ArrayData tokens, int blank) {
        int count = frames.numElements();
        if (count == 0) {
            throw BellmanException.inRow(function, "log_probabilities is empty; it needs at least one frame");
        }
        int width = frames.isNullAt(0) ? 0 : frames.getArray(0).numElements();
        if (blank < 0 || blank >= width) {
            throw BellmanException.inRow(
                    function,
                    "blank is %,d; it must be the index (counted from 0) of one of the %,d entries in a frame"
                            .formatted(blank, width));
        }
        int[] given = tokens(function, tokens, blank, width);
        int[] labels = Arrays.copyOf(given, given.length + 1);
        labels[given.length] = blank;
        labels = Arrays.stream(labels).sorted().distinct().toArray();
        int[] labelOf = new int[2 * given.length + 1];
        Arrays.fill(labelOf, Arrays.binarySearch(labels, blank));
        for (int i = 0; i < given.length; i++) {
            labelOf[2 * i + 1] = Arrays.binarySearch(labels, given[i]);
        }
        return new CtcFrames(function, count, labels, labelOf, logs(function, frames, width, labels));
    }

    private static int[] tokens(String function, ArrayData tokens, int blank, int width) {
        int count = tokens.numElements();
        if (count > MAX_NUMBERS / 2) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: tokens has %,d entries; the maximum is %,d".formatted(function, count, MAX_NUMBERS / 2));
        }
        // reserve the same amount of memory again for the positions
        TaskMemory.takeArgument(function, "tokens", count);
        TaskMemory.takeArgument(function, "tokens", count);
        for (int i = 0; i < count; i++) {
            if (tokens.isNullAt(i) || tokens.getInt(i) < 0 || tokens.getInt(i) >= width || tokens.getInt(i) == blank) {
                throw ArrayArguments.invalid(
                        function,
                        "tokens",
                        i,
                        tokens.isNullAt(i) ? "NULL" : tokens.getInt(i),
                        "the index (counted from 0) of one of the %,d entries in a frame, but not the blank, %,d"
                                .formatted(width, blank));
            }
        }
        return tokens.toIntArray();
    }

    private static double[] logs(String function, ArrayData frames, int width, int... labels) {
        int count = frames.numElements();
        if ((long) count * labels.length > MAX_NUMBERS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: %,d frames with %,d different tokens exceed %,d numbers, the limit for one row"
                            .formatted(function, count, labels.length, MAX_NUMBERS));
        }
        TaskMemory.takeArgument(function, "log_probabilities", count * labels.length);
        double[] logs = new double[count * labels.length];
        for (int t = 0; t < count; t++) {
            if (frames.isNullAt(t) || frames.getArray(t).numElements() != width) {
                throw ArrayArguments.invalid(
                        function,
                        "log_probabilities",
                        t,
                        frames.isNullAt(t)
                                ? "NULL"
                                : "an array of size %,d"
                                        .formatted(frames.getArray(t).numElements()),
                        "an array of size %,d".formatted(width));
            }
            ArrayData frame = frames.getArray(t);
            for (int k = 0; k < labels.length; k++) {
                if (frame.isNullAt(labels[k]) || !isLog(frame.getDouble(labels[k]))) {
                    throw ArrayArguments.invalid(
                            function,
                            "frame %,d of log_probabilities".formatted(t + 1),
                            labels[k],
                            frame.isNullAt(labels[k]) ? "NULL" : frame.getDouble(labels[k]),
                            "from -1e9 to 1e9, or -Infinity");
                }
                // turns -0.0 into 0.0
                logs[t * labels.length + k] = frame.getDouble(labels[k]) + 0.0;
            }
        }
        return logs;
    }

    private static boolean isLog(double value) {
        return Math.abs(value) <= MAX_MAGNITUDE || value == Double.NEGATIVE_INFINITY;
    }

    int positions() {
        return labelOf.length;
    }

    /** Whether a path may go directly to a position from the position two before it. */
    boolean maySkip(int position) {
        return position % 2 == 1 && position > 1 && labelOf[position] != labelOf[position - 2];
    }

    /**
     * Returns the first position in a frame from which a path could still reach the last token if it skipped all
     * blanks.
     */
    int first(int frame) {
        return Math.max(0, positions() - 2 * (count - frame));
    }

    /** Returns the last position that a path could reach by this frame if it skipped all blanks. */
    int last(int frame) {
        return (int) Math.min(positions() - 1L, 2L * frame + 1);
    }
}
