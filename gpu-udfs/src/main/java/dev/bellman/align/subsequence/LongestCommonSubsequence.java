package dev.bellman.align.subsequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Backtrace;
import dev.bellman.align.BackwardText;
import dev.bellman.align.Move;
import dev.bellman.align.SerialTable;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.LcsBits;
import dev.bellman.align.paper.RWayTable;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/** The longest common subsequence of two strings: a longest string whose characters occur in both in the same order. */
public final class LongestCommonSubsequence {
    public enum Strategy {
        /**
         * Uses the bit-parallel algorithm. For long strings, computes only a band of the table if they differ by few
         * insertions and deletions.
         */
        AUTO,
        /**
         * Computes the table of Wagner and Fischer (1974) cell by cell, with insertions and deletions only. To compute
         * a length, stores one row; to compute a subsequence, stores all moves.
         */
        SERIAL,
        /**
         * Computes the same table in tiles: on a CPU, in the order of a 2-way recursion; on a GPU, in the order of a
         * two-level r-way recursion (Javanmard et al., 2019).
         */
        R_WAY,
        /** Computes the whole table on words of 64 rows, after Crochemore et al. (2001) and Hyyrö (2004). */
        BIT_PARALLEL
    }

    /** The minimum length of both strings for which a band pays off. */
    private static final int WORTH_A_BAND = 1024;

    private LongestCommonSubsequence() {}

    /** Returns the length of a longest common subsequence, in characters. */
    public static int length(Text a, Text b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            return a.length() - pair.aLength() + length(pair, strategy);
        }
    }

    /** Returns the length for two sequences of token numbers, or of characters given as the numbers of {@link Text}. */
    public static int length(int[] a, int[] b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            return a.length - pair.aLength() + length(pair, strategy);
        }
    }

    private static int length(SymbolPair pair, Strategy strategy) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return 0;
        }
        return switch (strategy) {
            case SERIAL -> serial(pair);
            case R_WAY -> rWay(pair);
            case BIT_PARALLEL -> BitTable.value(LcsBits.INSTANCE, pair, BitTable.WHOLE);
            case AUTO -> auto(pair);
        };
    }

    /**
     * Returns the subsequence along the canonical backtrace. Starting from the end, this backtrace takes the diagonal
     * if the characters are equal; otherwise, it consumes {@code a} if that does not shorten the result, and otherwise
     * {@code b}.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the result does not fit in a string, or the strategy
     *     is serial or r-way and the table has more than 67,108,864 cells
     */
    public static Text subsequence(Text a, Text b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            BackwardText text = new BackwardText("lcs", a, pair.suffix());
            Backtrace.walk(pair, moves("lcs", pair, strategy), (move, equal, i, j) -> {
                if (equal) {
                    text.prepend(pair.characterOfA(i));
                }
            });
            return text.text();
        }
    }

    /**
     * Returns the subsequence of two sequences of tokens along the same backtrace, as ascending indices in {@code a}.
     */
    public static int[] indexes(int[] a, int[] b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            int most = Math.min(a.length, b.length);
            TaskMemory.take((long) Integer.BYTES * most, () -> "a result of up to %,d tokens".formatted(most));
            int[] indexes = new int[most];
            int[] from = {most};
            for (int i = a.length - 1; i >= pair.aLength(); i--) {
                indexes[--from[0]] = i;
            }
            Backtrace.walk(pair, moves("lcs", pair, strategy), (move, equal, i, j) -> {
                if (equal) {
                    indexes[--from[0]] = i;
                }
            });
            return Arrays.copyOfRange(indexes, from[0], most);
        }
    }

    /** Returns the moves of the canonical backtrace for {@code function}. */
    static Backtrace.Moves moves(String function, SymbolPair pair, Strategy strategy) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return Backtrace.NO_MOVES;
        }
        return switch (strategy) {
            case SERIAL -> serialMoves(function, pair)::get;
            case R_WAY -> rWayMoves(function, pair)::get;
            case BIT_PARALLEL -> BitTable.forBacktrace(LcsBits.INSTANCE, pair, BitTable.WHOLE)::move;
            case AUTO -> BitTable.forBacktrace(LcsBits.INSTANCE, pair, limit(pair))::move;
        };
    }

    private static int auto(SymbolPair pair) {
        int limit = limit(pair);
        return limit == BitTable.WHOLE
                ? BitTable.value(LcsBits.INSTANCE, pair, BitTable.WHOLE)
                : (int) (((long) pair.aLength() + pair.bLength() - limit) / 2);
    }

    /**
     * Returns the number of insertions and deletions between the two strings if it is small for strings of this length,
     * otherwise {@link BitTable#WHOLE}. Tries bands of increasing width, which cost little compared with the whole
     * table even if none is wide enough.
     */
    private static int limit(SymbolPair pair) {
        int shorter = Math.min(pair.aLength(), pair.bLength());
        if (shorter < WORTH_A_BAND) {
            return BitTable.WHOLE;
        }
        long both = (long) pair.aLength() + pair.bLength();
        for (int limit = 128; limit <= shorter / 2; limit *= 4) {
            if (limit >= both - 2L * shorter) {
                int length = BitTable.value(LcsBits.INSTANCE, pair, limit);
                if (length >= 0 && both - 2L * length <= limit) {
                    return (int) (both - 2L * length);
                }
            }
        }
        return BitTable.WHOLE;
    }

    private static int serial(SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        int m = pair.bLength();
        int[] row = new int[m + 1];
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < pair.aLength(); i++) {
            cancellation.count(m);
            int diagonal = 0;
            for (int j = 0; j < m; j++) {
                int above = row[j + 1];
                row[j + 1] = a[i] == b[j] ? diagonal + 1 : Math.max(above, row[j]);
                diagonal = above;
            }
        }
        return row[m];
    }

    private static int rWay(SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        return RWayTable.fill(
                pair.aLength(),
                pair.bLength(),
                count -> 0,
                (i, j, diagonal, above, left) -> a[i] == b[j] ? diagonal + 1 : Math.max(above, left));
    }

    private static SerialTable rWayMoves(String function, SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        SerialTable moves = new SerialTable(function, pair.aLength(), pair.bLength());
        RWayTable.fill(pair.aLength(), pair.bLength(), count -> 0, (i, j, diagonal, above, left) -> {
            boolean equal = a[i] == b[j];
            moves.put(i, j, equal ? Move.DIAGONAL : above >= left ? Move.A : Move.B);
            return equal ? diagonal + 1 : Math.max(above, left);
        });
        return moves;
    }

    private static SerialTable serialMoves(String function, SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        int m = pair.bLength();
        SerialTable moves = new SerialTable(function, pair.aLength(), m);
        int[] row = new int[m + 1];
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < pair.aLength(); i++) {
            cancellation.count(m);
            int diagonal = 0;
            for (int j = 0; j < m; j++) {
                int above = row[j + 1];
                if (a[i] == b[j]) {
                    row[j + 1] = diagonal + 1;
                    moves.put(i, j, Move.DIAGONAL);
                } else {
                    row[j + 1] = Math.max(above, row[j]);
                    moves.put(i, j, above >= row[j] ? Move.A : Move.B);
                }
                diagonal = above;
            }
        }
        return moves;
    }
}
