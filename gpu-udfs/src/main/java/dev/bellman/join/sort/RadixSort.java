package dev.bellman.join.sort;

import java.util.Arrays;

/**
 * Sorts words whose highest bits are uniformly distributed, such as hashes: at most two passes distribute them by their
 * highest bits, then each small bucket is sorted separately. Words that differ only in their lowest bits do not slow
 * the sort down if they arrive in order.
 */
public final class RadixSort {
    private static final int FIRST_BITS = 11;
    /** The approximate average number of words in a bucket after the last pass. */
    private static final int HEAP = 16;

    private static final int SECOND_BITS = 10;
    private static final int BY_INSERTION = 40;

    private RadixSort() {}

    /**
     * Sorts the first {@code count} words as unsigned numbers. {@code spare} is scratch space for at least as many
     * words.
     */
    public static void sort(long[] words, long[] spare, int count) {
        if (count <= BY_INSERTION) {
            smallHeap(words, 0, count, true);
            return;
        }
        int bits = Math.min(FIRST_BITS, bits(count));
        int[] ends = deal(words, 0, count, spare, 64 - bits, bits);
        int start = 0;
        int[] secondEnds = new int[1 << SECOND_BITS];
        for (int heap = 0; heap < ends.length; heap++) {
            int end = ends[heap];
            int size = end - start;
            int second = bits < FIRST_BITS || size <= BY_INSERTION ? 0 : Math.min(SECOND_BITS, bits(size));
            if (second == 0) {
                System.arraycopy(spare, start, words, start, size);
                smallHeap(words, start, end, false);
            } else {
                deal(spare, start, end, words, 64 - bits - second, second, secondEnds);
                int from = start;
                for (int i = 0; i < 1 << second; i++) {
                    smallHeap(words, from, secondEnds[i], false);
                    from = secondEnds[i];
                }
            }
            start = end;
        }
    }

    private static int bits(int count) {
        return Math.max(1, 32 - Integer.numberOfLeadingZeros(count / HEAP));
    }

    private static int[] deal(long[] from, int start, int end, long[] to, int shift, int bits) {
        int[] ends = new int[1 << bits];
        deal(from, start, end, to, shift, bits, ends);
        return ends;
    }

    /**
     * Distributes words stably by {@code bits} bits, starting at bit {@code shift}, and stores the end of each bucket
     * in {@code ends}.
     */
    private static void deal(long[] from, int start, int end, long[] to, int shift, int bits, int[] ends) {
        int mask = (1 << bits) - 1;
        Arrays.fill(ends, 0, mask + 1, 0);
        for (int i = start; i < end; i++) {
            ends[(int) (from[i] >>> shift) & mask]++;
        }
        int at = start;
        for (int heap = 0; heap <= mask; heap++) {
            int size = ends[heap];
            ends[heap] = at;
            at += size;
        }
        for (int i = start; i < end; i++) {
            long word = from[i];
            to[ends[(int) (word >>> shift) & mask]++] = word;
        }
    }

    /** @param signs whether words may differ in the highest bit */
    private static void smallHeap(long[] words, int start, int end, boolean signs) {
        if (end - start > BY_INSERTION) {
            // all words have the same highest bit
            Arrays.sort(words, start, end);
            return;
        }
        for (int i = start + 1; i < end; i++) {
            long word = words[i];
            int at = i;
            while (at > start && (signs ? Long.compareUnsigned(words[at - 1], word) > 0 : words[at - 1] > word)) {
                words[at] = words[at - 1];
                at--;
            }
            words[at] = word;
        }
    }
}
