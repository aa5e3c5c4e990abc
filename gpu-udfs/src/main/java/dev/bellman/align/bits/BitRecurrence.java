package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * A recurrence for the table of two strings, computed on the differences between neighbouring cells, 64 rows at a time.
 * A strip covers the rows of a few words and advances column by column; its vertical differences stay in local
 * variables.
 */
public interface BitRecurrence {
    /** The maximum number of words that {@link Strip#advance} accepts; a word covers 64 rows. */
    int MAX_WORDS = 3;

    /** The maximum number of words that {@link #alone} accepts. */
    int MAX_WORDS_ALONE = 4;

    /**
     * Returns the number of bit vectors that hold the differences of 64 cells. These vectors are interleaved in every
     * array. The history uses the same number of vectors.
     */
    int vectors();

    /** Returns a word of bit vector {@code vector} for the vertical differences at the table's left border. */
    long left(int vector);

    /** Returns the value of one vertical difference at the left border. */
    int leftStep();

    /** Returns a word of bit vector {@code vector} for the horizontal differences at the table's top border. */
    long top(int vector);

    /** Returns the loops that process the columns of a strip. */
    Strip strip();

    /**
     * Returns the last cell's value in a table that consists of a single strip. Such a table has no borders to other
     * strips, so all differences can stay in registers. This method is used for short pairs, which are the most common.
     *
     * @param words the number of words, 1 to {@link #MAX_WORDS_ALONE}
     * @param columns the symbols of the {@code m} columns
     * @param lastRows a mask of the rows in the last word that belong to the table
     */
    int alone(int words, long[] matches, int[] columns, int m, long lastRows);

    /** Returns the sum of the vertical differences in the rows whose bits are set in {@code rows}. */
    int down(long[] vertical, int at, long rows);

    /** Returns the sum of the horizontal differences in a word's 64 columns. */
    int along(long[] horizontal, int at);

    /**
     * Returns a lower bound on the number of edits (insertions, deletions and substitutions) on any path to a cell in
     * row {@code row} and one of the columns {@code column} to {@code column + 64}, where row 0 and column 0 precede
     * the first symbols. The table has the value {@code value} in the first of these columns, and the words of {@code
     * horizontal} from {@code at} contain the differences between these columns.
     */
    long minCost(long row, long column, long value, long[] horizontal, int at);

    /** Returns the move of the canonical backtrace from a cell whose symbols differ, given its bit in the history. */
    Move move(long[] history, int at, int bit);

    /** The loops over a strip's columns. */
    @FunctionalInterface
    interface Strip {
        /**
         * Advances a strip.
         *
         * @param words the number of words in the strip, 1 to {@link #MAX_WORDS}
         * @param matches the rows that contain each symbol: {@code words} words starting at {@code matches[symbol]}
         * @param columns the symbols of the columns
         * @param from the first column, a multiple of 64
         * @param to one past the last column, a multiple of 64 unless it is the end of the table
         * @param vertical the vertical differences of the strip's rows, starting at {@code verticalAt}; updated in
         *     place
         * @param horizontal the horizontal differences of the row above the strip; on return, the columns {@code from}
         *     to {@code to} (exclusive) contain the differences of the strip's last row
         * @param history receives the data that a backtrace needs from each column, or null; word {@code word} is at
         *     {@code historyAt + word * historyStride + column * vectors()}
         */
        void advance(
                int words,
                long[] matches,
                int[] columns,
                int from,
                int to,
                long[] vertical,
                int verticalAt,
                long[] horizontal,
                long[] history,
                int historyAt,
                int historyStride);
    }
}
