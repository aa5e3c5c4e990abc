package dev.bellman.join;

import dev.bellman.align.Text;
import dev.bellman.join.sort.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The strings of a join, or some of them, before they are numbered.
 *
 * @param places the block of each string, its index in the block, and its flags
 * @param words space for a word for each string, by which the strings are sorted
 */
record DescribedStrings(long[] places, long[] hashes, long[] words, int[] lengths) {
    /** The bits of a place from this one on are flags. */
    static final int FLAGS = 60;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long HIGHEST_BITS = 0x8080_8080_8080_8080L;

    /** Allocates the arrays in parallel, because zeroing them takes longer than filling them. */
    static DescribedStrings of(int count) {
        long[][] arrays = new long[3][];
        int[][] lengths = new int[1][];
        Workers.each(arrays.length + 1, i -> {
            if (i < arrays.length) {
                arrays[i] = new long[count];
            } else {
                lengths[0] = new int[count];
            }
        });
        return new DescribedStrings(arrays[0], arrays[1], arrays[2], lengths[0]);
    }

    /** Computes the length, flags and hash of the string at a place, and stores them at the index {@code i}. */
    void describe(List<StringBlock> blocks, long place, int i) {
        StringBlock block = blocks.get((int) (place >>> 32));
        int index = (int) place;
        byte[] bytes = block.bytes();
        int start = block.start(index);
        int end = block.end(index);
        long hash = Hash.mix(block.group(index) + 0x51_7CC1_B727_220AL);
        long seen = 0;
        int at = start;
        while (at < end) {
            boolean isWord = end - at >= Long.BYTES;
            long value = isWord ? (long) WORDS.get(bytes, at) : bytes[at];
            at += isWord ? Long.BYTES : 1;
            seen |= value;
            hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        boolean isAscii = (seen & HIGHEST_BITS) == 0;
        long flags = rowFlags(block, index) | (isAscii ? 0 : Strings.NOT_ASCII);
        hashes[i] = Hash.mix(hash);
        lengths[i] = isAscii
                ? end - start
                : Text.of(Arrays.copyOfRange(bytes, start, end)).characters().length;
        places[i] = place | flags << FLAGS;
    }

    /** Returns the flags that depend on the numbers of rows. */
    static long rowFlags(StringBlock block, int index) {
        return (block.left(index) > 0 ? Strings.LEFT : 0)
                | (block.right(index) > 0 ? Strings.RIGHT : 0)
                | (block.left(index) > 1 ? Strings.SEVERAL_LEFT : 0);
    }

    /** Sorts a range of words that differ only in their low bits, which are indexes of strings. */
    void sortTies(List<StringBlock> blocks, long mask, int from, int to) {
        Long[] ties = new Long[to - from];
        Arrays.setAll(ties, i -> words[from + i]);
        Arrays.sort(ties, (one, other) -> {
            int x = (int) (one & mask);
            int y = (int) (other & mask);
            int byHash = Long.compareUnsigned(hashes[x], hashes[y]);
            return byHash != 0 ? byHash : compare(blocks, places[x], places[y]);
        });
        for (int i = 0; i < ties.length; i++) {
            words[from + i] = ties[i];
        }
    }

    /** Returns the block number in a place, which may include flags. */
    private static int blockAt(long place) {
        return (int) (place << Long.SIZE - FLAGS >>> Long.SIZE - FLAGS + 32);
    }

    private static int compare(List<StringBlock> blocks, long x, long y) {
        StringBlock xBlock = blocks.get(blockAt(x));
        StringBlock yBlock = blocks.get(blockAt(y));
        int byGroup = Long.compare(xBlock.group((int) x), yBlock.group((int) y));
        return byGroup != 0
                ? byGroup
                : Arrays.compare(
                        xBlock.bytes(),
                        xBlock.start((int) x),
                        xBlock.end((int) x),
                        yBlock.bytes(),
                        yBlock.start((int) y),
                        yBlock.end((int) y));
    }
}
