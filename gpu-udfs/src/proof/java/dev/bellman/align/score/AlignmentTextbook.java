package dev.bellman.align.score;

import dev.bellman.BellmanException;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines the score and alignment functions by Gotoh's complete tables (1982) and the canonical path through them. If
 * gap costs have two pieces, tries every length of a gap, as in Waterman, Smith and Beyer, "Some biological sequence
 * metrics" (1976). Extensions follow ksw2's {@code ksw_extd}, whose target is a.
 */
final class AlignmentTextbook {
    private static final long NONE = Long.MIN_VALUE / 4;

    private final int[] a;
    private final int[] b;
    private final AlignmentMode mode;
    private final Scoring scoring;
    private final ExtensionLimits limits;
    private final long[][] best;
    private final long[][] insert;
    private final long[][] delete;

    AlignmentTextbook(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        this(a, b, mode, scoring, ExtensionLimits.UNLIMITED);
    }

    AlignmentTextbook(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits) {
        this.a = a;
        this.b = b;
        this.mode = mode;
        this.scoring = scoring;
        this.limits = limits;
        best = new long[a.length + 1][b.length + 1];
        insert = new long[a.length + 1][b.length + 1];
        delete = new long[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                fill(i, j);
            }
        }
    }

    private boolean isFreeBegin(int i, int j) {
        return i == 0 && j == 0 || i == 0 && mode.firstRowFree || j == 0 && mode.firstColumnFree;
    }

    private void fill(int i, int j) {
        if (Math.abs(i - j) > limits.band()) {
            insert[i][j] = NONE;
            delete[i][j] = NONE;
            best[i][j] = NONE;
            return;
        }
        if (isFreeBegin(i, j)) {
            insert[i][j] = NONE;
            delete[i][j] = NONE;
            best[i][j] = 0;
            return;
        }
        if (scoring.hasTwoPieces()) {
            insert[i][j] = NONE;
            delete[i][j] = NONE;
            for (int length = 1; length <= i; length++) {
                insert[i][j] = Math.max(insert[i][j], inserted(i, j, length));
            }
            for (int length = 1; length <= j; length++) {
                delete[i][j] = Math.max(delete[i][j], deleted(i, j, length));
            }
        } else {
            fillGaps(i, j);
        }
        best[i][j] = Math.max(insert[i][j], delete[i][j]);
        if (i > 0 && j > 0) {
            best[i][j] = Math.max(best[i][j], matched(i, j));
        }
        if (mode == AlignmentMode.LOCAL) {
            best[i][j] = Math.max(best[i][j], 0);
        }
    }

    private void fillGaps(int i, int j) {
        insert[i][j] = i == 0
                ? NONE
                : Math.max(
                        insertOpened(i, j), insert[i - 1][j] - scoring.insert().extend());
        delete[i][j] = j == 0
                ? NONE
                : Math.max(
                        deleteOpened(i, j), delete[i][j - 1] - scoring.delete().extend());
    }

    private long inserted(int i, int j, int length) {
        return best[i - length][j] - scoring.insert().of(length);
    }

    private long deleted(int i, int j, int length) {
        return best[i][j - length] - scoring.delete().of(length);
    }

    private long matched(int i, int j) {
        return best[i - 1][j - 1] + scoring.score(a[i - 1], b[j - 1]);
    }

    private long insertOpened(int i, int j) {
        return best[i - 1][j] - scoring.insert().open();
    }

    private long deleteOpened(int i, int j) {
        return best[i][j - 1] - scoring.delete().open();
    }

    /** Returns the best end. Ties: the end with the smallest position in a, then in b. */
    private int[] end() {
        if (mode == AlignmentMode.EXTENSION) {
            return endOfExtension();
        }
        int[] end = null;
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (mode.mayEnd(i, j, a.length, b.length) && (end == null || best[i][j] > best[end[0]][end[1]])) {
                    end = new int[] {i, j};
                }
            }
        }
        return end;
    }

    private int[] endOfExtension() {
        int[] end = {0, 0};
        for (int i = 1; i <= a.length; i++) {
            int bestJ = -1;
            for (int j = 1; j <= b.length; j++) {
                if (Math.abs(i - j) <= limits.band() && (bestJ < 0 || best[i][j] > best[i][bestJ])) {
                    bestJ = j;
                }
            }
            if (bestJ < 0) {
                break;
            }
            long drop = best[end[0]][end[1]] - best[i][bestJ];
            int moreOfA = i - end[0] - (bestJ - end[1]);
            long apart = moreOfA > 0
                    ? (long) moreOfA * scoring.insert().extend2()
                    : (long) -moreOfA * scoring.delete().extend2();
            if (drop < 0) {
                end = new int[] {i, bestJ};
            } else if (bestJ >= end[1] && limits.zDrop() != ExtensionLimits.NO_LIMIT && drop > limits.zDrop() + apart) {
                break;
            }
        }
        return end;
    }

    long score() {
        return best[end()[0]][end()[1]];
    }

    /**
     * Traces the path from the end: prefers the diagonal, then a letter of a, then a letter of b, among the steps that
     * are best.
     */
    Alignment alignment() {
        int i = end()[0];
        int j = end()[1];
        StringBuilder steps = new StringBuilder();
        char gap = ' ';
        while (gap != ' ' || !isBegin(i, j)) {
            if (gap == ' ' && i > 0 && j > 0 && best[i][j] == matched(i, j)) {
                steps.append(a[i - 1] == b[j - 1] ? '=' : 'X');
                i--;
                j--;
                continue;
            }
            if (gap == ' ') {
                gap = best[i][j] == insert[i][j] ? 'I' : 'D';
            }
            if (scoring.hasTwoPieces()) {
                boolean inserts = gap == 'I';
                int length = 1;
                while (best[i][j] != (inserts ? inserted(i, j, length) : deleted(i, j, length))) {
                    length++;
                }
                steps.append(String.valueOf(gap).repeat(length));
                i -= inserts ? length : 0;
                j -= inserts ? 0 : length;
                gap = ' ';
                continue;
            }
            steps.append(gap);
            boolean opened = gap == 'I' ? insert[i][j] == insertOpened(i, j) : delete[i][j] == deleteOpened(i, j);
            if (gap == 'I') {
                i--;
            } else {
                j--;
            }
            gap = opened ? ' ' : gap;
        }
        String path = steps.reverse().toString();
        return new Alignment(
                score(),
                i,
                end()[0],
                j,
                end()[1],
                cigar(path),
                (int) path.chars().filter(step -> step == '=').count(),
                (int) path.chars().filter(step -> step == 'I' || step == 'D').count());
    }

    private boolean isBegin(int i, int j) {
        return isFreeBegin(i, j) || mode == AlignmentMode.LOCAL && best[i][j] == 0;
    }

    private static String cigar(String path) {
        StringBuilder cigar = new StringBuilder();
        for (int from = 0, to = 0; from < path.length(); from = to) {
            while (to < path.length() && path.charAt(to) == path.charAt(from)) {
                to++;
            }
            cigar.append(to - from).append(path.charAt(from));
        }
        return cigar.toString();
    }

    /** Computes the tables for {@code (a, b, mode, scoring, ...)}. */
    private static AlignmentTextbook of(InternalRow arguments) {
        AlignmentMode mode =
                AlignmentMode.of("textbook", arguments.getUTF8String(2).toString());
        Scoring scoring = Scoring.of("textbook", arguments.getUTF8String(3).toString());
        return new AlignmentTextbook(
                scoring.symbols(
                        "textbook", "a", Text.of(arguments.getUTF8String(0).getBytes())),
                scoring.symbols(
                        "textbook", "b", Text.of(arguments.getUTF8String(1).getBytes())),
                mode,
                scoring,
                ExtensionLimits.of("textbook", mode, arguments.getInt(5), arguments.getInt(6)));
    }

    private static boolean tooLow(InternalRow arguments, long score) {
        return score < arguments.getLong(4);
    }

    /** @throws BellmanException if the functions reject the input */
    static Long score(InternalRow arguments) {
        long score = of(arguments).score();
        return tooLow(arguments, score) ? null : Long.valueOf(score);
    }

    /** @throws BellmanException if the functions reject the input */
    static InternalRow alignment(InternalRow arguments) {
        Alignment found = of(arguments).alignment();
        return tooLow(arguments, found.score())
                ? null
                : new GenericInternalRow(new Object[] {
                    found.score(),
                    found.beginA(),
                    found.endA(),
                    found.beginB(),
                    found.endB(),
                    UTF8String.fromString(found.cigar()),
                    found.identities(),
                    found.gaps()
                });
    }
}
