package dev.bellman.align.bits;

import dev.bellman.columns.VectorClasses;
import java.util.Optional;

/** Advances both halves of a {@link MiddleColumn} table at once. */
interface BothEnds {
    /** The number of words in {@code matches} per character. */
    int STRIDE = 4;

    /** The implementation with vector instructions; empty if {@link VectorClasses} does not load it or it is slow. */
    Optional<BothEnds> VECTORS = VectorClasses.load(BothEnds.class, "VectorEnds").stream()
            .filter(BothEnds::isFast)
            .findFirst();

    /** Whether the processor has vectors of four words. */
    boolean isFast();

    /**
     * Computes the vertical differences in the middle column, {@code m / 2} columns after the first.
     *
     * @param matches for each character, the rows that contain it: two words that count rows from the first, and two
     *     that count rows from the last. The words from {@code none} on are 0
     * @param columns the {@code m} characters of the columns, starting at {@code begin}
     * @param vertical receives the increases of these four words, and then the decreases
     */
    void advance(long[] matches, int none, byte[] columns, int begin, int m, long[] vertical);
}
