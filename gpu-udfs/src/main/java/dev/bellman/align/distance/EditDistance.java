package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.Backtrace;
import dev.bellman.align.Cigar;
import dev.bellman.align.Move;
import dev.bellman.align.SerialTable;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.align.bits.AsciiDistance;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.EditDistanceBits;
import dev.bellman.align.paper.RWayTable;
import dev.bellman.columns.Cancellation;

/**
 * The Levenshtein distance: the minimum number of insertions, deletions and substitutions of characters that turn one
 * string into the other. This class also computes an alignment with this number of edits.
 */
public final class EditDistance {
    public enum Strategy {
        /**
         * Uses the bit-parallel algorithm. For long strings, computes only a band of the table if the distance is
         * small. To compute a distance, uses {@link FewEdits} instead if the limit is small or long strings differ by
         * few edits.
         */
        AUTO,
        /**
         * Computes the table of Wagner and Fischer, "The string-to-string correction problem" (1974), cell by cell. To
         * compute a distance, stores one row; to compute an alignment, stores all moves.
         */
        SERIAL,
        /**
         * Computes the same table in tiles: on a CPU, in the order of a 2-way recursion; on a GPU, in the order of a
         * two-level r-way recursion (Javanmard et al., 2019).
         */
        R_WAY,
        /**
         * Computes the table on words of 64 rows, after Myers (1999) and Hyyrö (2003): the whole table or, for long
         * strings with a small limit, a band.
         */
        BIT_PARALLEL
    }

    /** The minimum length of both strings for which a band pays off. */
    private static final int WORTH_A_BAND = 1024;

    private EditDistance() {}

    /** Returns the distance between two strings. */
    public static int distance(String a, String b, Strategy strategy) {
        return distance(Text.of(a), Text.of(b), strategy);
    }

    /** Returns the distance between {@code a} and {@code b}. */
    public static int distance(Text a, Text b, Strategy strategy) {
        if (isBitParallel(strategy) && AsciiDistance.supports(a, b)) {
            return AsciiDistance.of(a, b, Integer.MAX_VALUE);
        }
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            return distance(pair, strategy);
        }
    }

    private static boolean isBitParallel(Strategy strategy) {
        return strategy == Strategy.AUTO || strategy == Strategy.BIT_PARALLEL;
    }

    private static int distance(SymbolPair pair, Strategy strategy) {
        return switch (strategy) {
            case SERIAL -> serial(pair, null);
            case R_WAY -> rWay(pair);
            case BIT_PARALLEL -> distance(pair, BitTable.WHOLE);
            case AUTO -> {
                int close = close(pair);
                yield close == BitTable.WHOLE ? distance(pair, BitTable.WHOLE) : close;
            }
        };
    }

    /**
     * Returns the distance between {@code a} and {@code b}, or -1 if it exceeds {@code max}. A negative {@code max}
     * excludes every distance; {@link Integer#MAX_VALUE} allows every distance.
     */
    public static int distance(Text a, Text b, int max, Strategy strategy) {
        if (max == Integer.MAX_VALUE) {
            return distance(a, b, strategy);
        }
        if (max >= 0 && strategy == Strategy.AUTO && FewEdits.pays(a, b, max)) {
            return FewEdits.distance(a.bytes(), b.bytes(), max);
        }
        if (max >= 0 && isBitParallel(strategy) && AsciiDistance.supports(a, b)) {
            int distance = AsciiDistance.of(a, b, max);
            return distance > max ? -1 : distance;
        }
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            return limited(pair, max, strategy);
        }
    }

    /**
     * Returns the distance between two sequences of tokens, given as token numbers, or -1 if it exceeds {@code max}.
     */
    public static int distance(int[] a, int[] b, int max, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.core(a, b)) {
            return max == Integer.MAX_VALUE ? distance(pair, strategy) : limited(pair, max, strategy);
        }
    }

    private static int limited(SymbolPair pair, int max, Strategy strategy) {
        if (max < 0) {
            return -1;
        }
        int distance =
                switch (strategy) {
                    case SERIAL -> serial(pair, null);
                    case R_WAY -> rWay(pair);
                    case BIT_PARALLEL -> atMost(pair, max);
                    case AUTO -> {
                        int few = shorter(pair) < WORTH_A_BAND ? -1 : FewEdits.distance(pair, max);
                        yield few < 0 ? atMost(pair, max) : few;
                    }
                };
        return distance > max ? -1 : distance;
    }

    /**
     * Returns the canonical alignment as a CIGAR: {@code =} and {@code X} consume a character of both strings, {@code
     * I} consumes a character of {@code a} only, and {@code D} a character of {@code b} only. Among all alignments with
     * the fewest edits, the canonical alignment is the one that, starting from the end, takes the diagonal if possible,
     * and otherwise consumes {@code a} if possible.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the CIGAR does not fit in a string, or the strategy
     *     is serial or r-way and the table has more than 67,108,864 cells
     */
    public static String cigar(Text a, Text b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            Cigar cigar = new Cigar();
            cigar.append('=', b.lengthOfLast(pair.suffix()));
            Backtrace.walk(pair, moves(pair, strategy), cigar);
            return cigar.toString();
        }
    }

    /** Returns the canonical alignment of two sequences of tokens, given as token numbers. */
    public static String cigar(int[] a, int[] b, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.withoutSuffix(a, b)) {
            Cigar cigar = new Cigar();
            cigar.append('=', a.length - pair.aLength());
            Backtrace.walk(pair, moves(pair, strategy), cigar);
            return cigar.toString();
        }
    }

    private static Backtrace.Moves moves(SymbolPair pair, Strategy strategy) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return Backtrace.NO_MOVES;
        }
        if (strategy == Strategy.SERIAL || strategy == Strategy.R_WAY) {
            SerialTable moves = new SerialTable("edit_cigar", pair.aLength(), pair.bLength());
            if (strategy == Strategy.SERIAL) {
                serial(pair, moves);
            } else {
                rWay(pair, moves);
            }
            return moves::get;
        }
        int limit = strategy == Strategy.AUTO ? close(pair) : BitTable.WHOLE;
        return BitTable.forBacktrace(EditDistanceBits.INSTANCE, pair, limit)::move;
    }

    /**
     * Returns the distance if it is small for strings of this length, otherwise {@link BitTable#WHOLE}. Tries few edits
     * and then bands of increasing width, which cost little compared with the whole table even if none is wide enough.
     */
    static int close(SymbolPair pair) {
        int shorter = shorter(pair);
        if (shorter < WORTH_A_BAND) {
            return BitTable.WHOLE;
        }
        int few = FewEdits.distance(pair, Integer.MAX_VALUE);
        if (few >= 0) {
            return few;
        }
        int difference = Math.abs(pair.aLength() - pair.bLength());
        for (int max = 64; max <= shorter / 4; max *= 4) {
            if (max >= difference) {
                int distance = distance(pair, max);
                if (distance >= 0 && distance <= max) {
                    return distance;
                }
            }
        }
        return BitTable.WHOLE;
    }

    private static int shorter(SymbolPair pair) {
        return Math.min(pair.aLength(), pair.bLength());
    }

    /** Returns the distance if it is at most {@code max}, otherwise a larger value or -1. */
    private static int atMost(SymbolPair pair, int max) {
        if (Math.abs((long) pair.aLength() - pair.bLength()) > max) {
            return -1;
        }
        int longer = Math.max(pair.aLength(), pair.bLength());
        return distance(pair, max < longer ? max : BitTable.WHOLE);
    }

    private static int distance(SymbolPair pair, int limit) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return Math.max(pair.aLength(), pair.bLength());
        }
        return BitTable.value(EditDistanceBits.INSTANCE, pair, limit);
    }

    /** @param moves receives the move of each cell; null if only the distance is needed */
    private static int serial(SymbolPair pair, SerialTable moves) {
        int[] a = pair.a();
        int[] b = pair.b();
        int m = pair.bLength();
        int[] row = new int[m + 1];
        for (int j = 0; j <= m; j++) {
            row[j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < pair.aLength(); i++) {
            cancellation.count(m);
            int diagonal = row[0];
            row[0] = i + 1;
            for (int j = 0; j < m; j++) {
                int substituted = diagonal + (a[i] == b[j] ? 0 : 1);
                int above = row[j + 1] + 1;
                int best = Math.min(substituted, Math.min(above, row[j] + 1));
                if (moves != null) {
                    moves.put(i, j, best == substituted ? Move.DIAGONAL : best == above ? Move.A : Move.B);
                }
                diagonal = row[j + 1];
                row[j + 1] = best;
            }
        }
        return row[m];
    }

    private static int rWay(SymbolPair pair) {
        if (pair.aLength() == 0 || pair.bLength() == 0) {
            return Math.max(pair.aLength(), pair.bLength());
        }
        int[] a = pair.a();
        int[] b = pair.b();
        return RWayTable.fill(
                pair.aLength(),
                pair.bLength(),
                count -> count,
                (i, j, diagonal, above, left) ->
                        Math.min(diagonal + (a[i] == b[j] ? 0 : 1), Math.min(above, left) + 1));
    }

    private static void rWay(SymbolPair pair, SerialTable moves) {
        int[] a = pair.a();
        int[] b = pair.b();
        RWayTable.fill(pair.aLength(), pair.bLength(), count -> count, (i, j, diagonal, above, left) -> {
            int substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            int best = Math.min(substituted, Math.min(above, left) + 1);
            moves.put(i, j, best == substituted ? Move.DIAGONAL : best == above + 1 ? Move.A : Move.B);
            return best;
        });
    }
}
