package dev.bellman.align.subsequence.paper;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.align.Move;
import dev.bellman.align.SymbolPair;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.large.tiles.ThreadTeam;
import java.util.Arrays;

/**
 * Computes the table of Zhao, "Parallel computing the shortest common supersequence problem" (2023): {@code M[i][j]} is
 * the length of the shortest common supersequence of the first {@code i} symbols of {@code x} and the first {@code j}
 * symbols of {@code y}. By equation (2) of the paper, this length is {@code i + j} if {@code i} or {@code j} is 0,
 * {@code M[i-1][j-1] + 1} if the last symbols are equal, and {@code min(M[i-1][j], M[i][j-1]) + 1} otherwise.
 *
 * <p><b>Anti-diagonal.</b> Cells with the same {@code i + j} are independent, so the threads share each anti-diagonal.
 * Anti-diagonals are contiguous in memory, with {@code y} reversed, so that neighbours are computed together; in the
 * paper they are strided across the rows.
 *
 * <p><b>Row-wise.</b> A cell is computed without its left neighbour. By equation (8), {@code A[c][j]} is the last
 * position up to {@code j} at which {@code y} has the symbol {@code c} of row {@code i}, or 0 if there is no such
 * position. From there on, each column adds one, so that by equation (9),
 *
 * <pre>M[i][j] = min(M[i-1][A-1] + j - A, M[i-1][j]) + 1,   where the first term is i - 1 + j if A = 0</pre>
 *
 * The threads share each row. The code uses the branch-free form that the paper mentions but does not print. Since
 * {@code M[i-1][0]} is {@code i - 1}, reading the column {@code max(A - 1, 0)} is correct in both cases, and also
 * yields {@code i} in column 0. A cell exceeds the cell above by 0 or 1, so it is {@code M[i-1][j] + 1} unless the
 * first term is smaller. Symbols are numbered in order of occurrence; all symbols that {@code y} lacks share a row of
 * zeros in {@code A}.
 *
 * <p>The same threads run for the whole table, as in Zhao's second version. To compute only a length, two rows or three
 * anti-diagonals are stored; to find a path through the table, all of them are stored.
 */
public final class SupersequenceTable {
    /** The maximum number of cells in a stored table, and of entries in {@code A}: 256 MiB each. */
    public static final long MAX_CELLS = 1 << 26;

    private static final String OTHER = "the strategy bit-parallel, ";

    /** An estimate of the bytes that an array takes in addition to its cells. */
    private static final long LINE_BYTES = 24;

    private final String function;
    private final PaperStrategy strategy;
    private final int[] x;
    private final int n;
    private final int[] y;
    private final int m;

    /** The rows or anti-diagonals; the k-th is {@code lines[k % lines.length]}. */
    private final int[][] lines;

    private SupersequenceTable(
            String function, PaperStrategy strategy, int[] x, int n, int[] y, int m, boolean whole, int threads) {
        this.function = function;
        this.strategy = strategy;
        this.x = x;
        this.n = n;
        this.y = y;
        this.m = m;
        if ((long) n + m >= Integer.MAX_VALUE) {
            throw limit("the strategy %s supports at most %,d characters in total"
                    .formatted(Strategies.name(strategy), Integer.MAX_VALUE - 1));
        }
        if (whole && (n + 1L) * (m + 1L) > MAX_CELLS) {
            throw limit("the strategy %s supports tables of at most %,d cells"
                    .formatted(Strategies.name(strategy), MAX_CELLS));
        }
        TaskMemory.take(
                function,
                whole ? Integer.BYTES * (n + 1L) * (m + 1L) + LINE_BYTES * ((long) n + m) : 4L * Integer.BYTES * m,
                OTHER,
                () -> "the table for %,d x %,d characters".formatted(n, m));
        lines = whole ? new int[isDiagonal() ? n + m + 1 : n + 1][] : new int[isDiagonal() ? 3 : 2][];
        for (int k = 0; k < lines.length; k++) {
            lines[k] = new int[isDiagonal() ? (whole ? last(k) - first(k) : Math.min(n, m)) + 1 : m + 1];
        }
        switch (strategy) {
            case SERIAL -> serial();
            case ANTI_DIAGONAL -> antiDiagonal(threads);
            case ROW_WISE, ROW_WISE_PERSISTENT -> rowWise(threads);
        }
    }

    /** Fills the table and returns only the length. */
    public static int length(String function, PaperStrategy strategy, SymbolPair pair, int threads) {
        return new SupersequenceTable(
                        function, strategy, pair.a(), pair.aLength(), pair.b(), pair.bLength(), false, threads)
                .at(pair.aLength(), pair.bLength());
    }

    /**
     * Returns the whole table for the first {@code n} symbols of {@code x} and the first {@code m} symbols of {@code
     * y}. No symbol may be negative.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table has more than {@link #MAX_CELLS} cells
     */
    public static SupersequenceTable whole(
            String function, PaperStrategy strategy, int[] x, int n, int[] y, int m, int threads) {
        return new SupersequenceTable(function, strategy, x, n, y, m, true, threads);
    }

    /** Returns M[i][j]. */
    public int at(int i, int j) {
        return isDiagonal() ? line(i + j)[i - first(i + j)] : line(i)[j];
    }

    /**
     * Returns the move of the canonical backtrace from the cell after {@code x[i]} and {@code y[j]}, which must differ.
     */
    public Move move(int i, int j) {
        return at(i + 1, j + 1) == at(i, j + 1) + 1 ? Move.A : Move.B;
    }

    private boolean isDiagonal() {
        return strategy == PaperStrategy.ANTI_DIAGONAL;
    }

    private int[] line(int k) {
        return lines[k % lines.length];
    }

    /** Returns the first row that anti-diagonal {@code d} crosses. */
    private int first(int d) {
        return Math.max(0, d - m);
    }

    private int last(int d) {
        return Math.min(n, d);
    }

    private BellmanException limit(String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_LIMIT,
                ("%s: without its common prefix and suffix, the pair has %,d x %,d characters; %s. Use the strategy "
                                + "bit-parallel, which has no such limit")
                        .formatted(function, n, m, what));
    }

    private void serial() {
        for (int j = 0; j <= m; j++) {
            lines[0][j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int i = 1; i <= n; i++) {
            cancellation.count(m);
            serialRow(x[i - 1], y, line(i - 1), line(i), i);
        }
    }

    private static void serialRow(int symbol, int[] y, int[] above, int[] row, int i) {
        row[0] = i;
        for (int j = 1; j < row.length; j++) {
            row[j] = symbol == y[j - 1] ? above[j - 1] + 1 : Math.min(above[j], row[j - 1]) + 1;
        }
    }

    private void antiDiagonal(int threads) {
        int[] reversed = new int[m];
        for (int j = 0; j < m; j++) {
            reversed[m - 1 - j] = y[j];
        }
        ThreadTeam.run(threads, (team, member) -> {
            Cancellation cancellation = new Cancellation();
            for (int d = 0; d <= n + m; d++) {
                int[] line = line(d);
                int from = Math.max(1, d - m);
                int count = Math.max(0, Math.min(n, d - 1) - from + 1);
                int begin = from + team.begin(member, count);
                int end = from + team.begin(member + 1, count);
                cancellation.count(end - begin);
                if (begin < end) {
                    diagonal(
                            begin,
                            end,
                            x,
                            reversed,
                            m - d,
                            line(d - 2),
                            first(d - 2),
                            line(d - 1),
                            first(d - 1),
                            line,
                            first(d));
                }
                if (member == 0 && d <= m) {
                    line[0] = d;
                }
                if (member == 0 && d <= n) {
                    line[d - first(d)] = d;
                }
                team.await();
            }
        });
    }

    /**
     * Computes the rows from {@code begin} (inclusive) to {@code end} (exclusive) of an anti-diagonal inside the table.
     * If the symbols differ, the corner plus 2 is at least the smallest neighbour plus 1, so a single minimum covers
     * both cases.
     */
    private static void diagonal(
            int begin,
            int end,
            int[] x,
            int[] reversed,
            int turn,
            int[] corners,
            int firstCorner,
            int[] neighbours,
            int firstNeighbour,
            int[] line,
            int first) {
        for (int i = begin; i < end; i++) {
            int differs = Math.min(x[i - 1] ^ reversed[turn + i], 1);
            int neighbour = Math.min(neighbours[i - 1 - firstNeighbour], neighbours[i - firstNeighbour]);
            line[i - first] = Math.min(neighbour, corners[i - 1 - firstCorner] + differs) + 1;
        }
    }

    private void rowWise(int threads) {
        int[] numbers = numbers();
        int symbols = Arrays.stream(numbers).max().orElse(0);
        if (symbols * (m + 1L) > MAX_CELLS) {
            throw limit(("the strings have %,d distinct characters in common; the strategy %s stores a row for each "
                            + "of them, and supports at most %,d entries in total")
                    .formatted(symbols, Strategies.name(strategy), MAX_CELLS));
        }
        TaskMemory.take(
                function, Integer.BYTES * (symbols + 1L) * (m + 1L), OTHER, () -> "the positions of %,d characters"
                        .formatted(symbols));
        int[][] places = new int[symbols + 1][m + 1];
        ThreadTeam.run(threads, (team, member) -> {
            Cancellation cancellation = new Cancellation();
            for (int c = team.begin(member, symbols) + 1; c <= team.begin(member + 1, symbols); c++) {
                cancellation.count(m);
                lastPlaces(c, numbers, places[c]);
            }
            int begin = team.begin(member, m + 1);
            int end = team.begin(member + 1, m + 1);
            for (int j = begin; j < end; j++) {
                lines[0][j] = j;
            }
            team.await();
            for (int i = 1; i <= n; i++) {
                cancellation.count(end - begin);
                row(line(i - 1), places[numbers[x[i - 1]]], line(i), begin, end);
                team.await();
            }
        });
    }

    /**
     * Returns a number for each symbol up to the largest symbol: numbers starting at 1 for symbols that occur in both
     * strings, 0 for all others.
     */
    private int[] numbers() {
        int largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, x[i]);
        }
        for (int j = 0; j < m; j++) {
            largest = Math.max(largest, y[j]);
        }
        boolean[] inY = new boolean[largest + 1];
        for (int j = 0; j < m; j++) {
            inY[y[j]] = true;
        }
        int[] numbers = new int[largest + 1];
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (inY[x[i]] && numbers[x[i]] == 0) {
                numbers[x[i]] = ++count;
            }
        }
        return numbers;
    }

    /** Computes equation (8) for one symbol. */
    private void lastPlaces(int number, int[] numbers, int[] places) {
        for (int j = 1; j <= m; j++) {
            places[j] = numbers[y[j - 1]] == number ? j : places[j - 1];
        }
    }

    /** Computes equation (9) without branches. */
    private static void row(int[] above, int[] places, int[] row, int begin, int end) {
        for (int j = begin; j < end; j++) {
            int place = places[j];
            int left = above[Math.max(place - 1, 0)] + j - place;
            row[j] = above[j] + 1 + (left - above[j] >> 31);
        }
    }
}
