package dev.bellman.align.score;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * The limits of an {@linkplain AlignmentMode#EXTENSION extension}, as Li defines them in "Minimap2: pairwise alignment
 * for nucleotide sequences" (2018) and in ksw2.
 *
 * @param band the maximum difference between the numbers of letters of {@code a} and {@code b} in any prefix of the
 *     alignment, at most {@code UNLIMITED.band}
 * @param zDrop the amount by which the best score of a row may be below the best score so far, in addition to the cost
 *     of extending a gap from one cell's diagonal to the other's; {@link #NO_LIMIT} to compute all rows
 */
record ExtensionLimits(int band, int zDrop) {
    /** The default of {@code band} and {@code zDrop}: no limit. */
    static final int NO_LIMIT = Integer.MAX_VALUE;

    /**
     * No limits. The band is so wide that it contains every cell, but small enough that adding a length does not
     * overflow.
     */
    static final ExtensionLimits UNLIMITED = new ExtensionLimits(NO_LIMIT / 2, NO_LIMIT);

    /**
     * Returns the limits of a call.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if a limit is negative, or if a limit is given for
     *     a mode other than {@code extension}
     */
    static ExtensionLimits of(String function, AlignmentMode mode, int band, int zDrop) {
        check(function, mode, "band", band);
        check(function, mode, "z_drop", zDrop);
        return new ExtensionLimits(Math.min(band, UNLIMITED.band), zDrop);
    }

    private static void check(String function, AlignmentMode mode, String name, int value) {
        check(function, name, value);
        if (value != NO_LIMIT && mode != AlignmentMode.EXTENSION) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: %s is %d, but the mode is '%s'. Use the mode 'extension', or omit %s"
                            .formatted(function, name, value, mode.sqlName(), name));
        }
    }

    static void check(String function, String name, int value) {
        if (value < 0) {
            throw BellmanException.inSetting(function, "%s is %d; it must be at least 0".formatted(name, value));
        }
    }

    /** Returns the first column of a row within the band, not counting column 0. */
    int first(int row) {
        return Math.max(1, row - band);
    }

    /** Returns the last column of a row within the band, at most {@code columns}. */
    int last(int row, int columns) {
        return (int) Math.min(columns, (long) row + band);
    }

    /** Returns the number of cells in the band. */
    long cells(int rows, int columns) {
        if (band >= Math.max(rows, columns)) {
            return (long) rows * columns;
        }
        long cells = 0;
        for (int row = 1; row <= rows; row++) {
            cells += Math.max(0, last(row, columns) - first(row) + 1);
        }
        return cells;
    }
}
