package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Folds each window of an RNA separately. A window begins at every {@code step}-th base, up to the first window that
 * reaches the end of the sequence; this window may be shorter. All windows share a {@link FoldTable}, which keeps only
 * as many rows as a window has bases.
 */
final class RnaWindows {
    /**
     * The number of bytes per window, for its object in a list and its Spark row together, excluding the letters of its
     * structure.
     */
    private static final int BYTES_OF_A_WINDOW = 300;

    private static final int COPIES_OF_A_STRUCTURE = 4;

    private RnaWindows() {}

    /** A window, with its first base (counted from 0), one past its last base, and its folding. */
    record Window(int begin, int end, int energy, byte[] structure) {}

    /**
     * Folds all windows.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if a window exceeds the maximum length of a folding, or
     *     the tables or results do not fit in the heap
     */
    static List<Window> fold(
            String function, byte[] bases, int window, int step, FoldOptions options, RnaFold.Strategy strategy) {
        int n = bases.length;
        RnaFold.checkLength(function, "a window", Math.min(n, window), "a smaller window, or ", options.energies());
        long windows = n == 0 ? 0 : 1 + Math.max(0, ((long) n - window + step - 1) / step);
        long length = Math.min(n, window);
        TaskMemory.take(
                function,
                2 * FoldTable.bytes(length) + 40L * n + windows * (BYTES_OF_A_WINDOW + COPIES_OF_A_STRUCTURE * length),
                "a larger step, ",
                () -> "the foldings of %,d windows of %,d bases".formatted(windows, length));
        FoldTable table = new FoldTable(bases, options, window, step);
        IntConsumer rows = RnaFold.rows(table, strategy);
        Deque<Window> folded = new ArrayDeque<>();
        for (int i = n - 1; i >= 0; i--) {
            rows.accept(i);
            if (i % step == 0 && i / step < windows) {
                int[] prefix = table.prefix(i);
                int end = table.end(i);
                folded.addFirst(new Window(i, end, prefix[end - i], table.structure(i, prefix)));
            }
            if (i < n - window) {
                table.pair[i + window] = null;
                table.multi[i + window] = null;
            }
        }
        return List.copyOf(folded);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if a size is not positive */
    static void checkSize(String function, String parameter, int size) {
        if (size < 1) {
            throw BellmanException.inSetting(function, "%s is %d; it must be at least 1".formatted(parameter, size));
        }
    }
}
