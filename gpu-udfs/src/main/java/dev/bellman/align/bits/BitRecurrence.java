package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * A recurrence over the table of a pair, computed on the differences between neighbouring cells, 64 rows at a time. A
 * strip is a few words of rows; it advances column by column, with its vertical differences in local variables.
 */
public interface BitRecurrence {
    /** The maximum number of words of rows in a strip. */
    int MAX_WORDS = 3;

    /** The maximum number of words of rows in a table of a single strip. */
    int MAX_WORDS_ALONE = 4;

    /**
     * The number of bit vectors that hold the differences of 64 cells, interleaved in every array; the history keeps as
     * many.
     */
    int vectors();

    /** The vertical differences of the table's left border, a word of vector {@code vector}. */
    long left(int vector);

    /** One vertical difference of the left border. */
    int leftStep();

    /** The horizontal differences of the table's top border. */
    long top(int vector);

    /**
     * Advances a strip.
     *
     * @param words the words of rows in the strip, 1 to {@link #MAX_WORDS}
     * @param matches the rows that hold a symbol: {@code words} words starting at {@code matches[symbol]}
     * @param columns the symbols of the columns
     * @param from the first column, a multiple of 64
     * @param to one past the last column, a multiple of 64 unless it is the end of the table
     * @param vertical the vertical differences of the strip's rows, from {@code verticalAt}: updated in place
     * @param horizontal the horizontal differences of all columns: on entry, of the row above the strip; on return, of
     *     its last row
     * @param history null, or what a backtrace needs from each column; word {@code word} is at {@code historyAt +
     *     word * historyStride + column * vectors()}
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

    /**
     * The value of the last cell of a table of a single strip, without borders to other strips, so that everything fits
     * in registers. Used for short pairs, which are the most common.
     *
     * @param words the words of rows, 1 to {@link #MAX_WORDS_ALONE}
     * @param columns the symbols of the columns, {@code m} of them
     * @param lastRows the rows of the last word that belong to the table
     */
    int alone(int words, long[] matches, int[] columns, int m, long lastRows);

    /** The sum of the differences of a word's set rows. */
    int down(long[] vertical, int at, long rows);

    /** The sum of the differences of the 64 columns of a word. */
    int along(long[] horizontal, int at);

    /**
     * A lower bound of the insertions, deletions and substitutions of the paths to {@code row} rows and {@code column}
     * to {@code column + 64} columns, where the table is {@code value} at the first of these and {@code horizontal[at]}
     * has the differences to the others.
     */
    long minCost(long row, long column, long value, long[] horizontal, int at);

    /** The move of the canonical backtrace from a cell whose symbols differ, from its bit in the history. */
    Move move(long[] history, int at, int bit);
}
