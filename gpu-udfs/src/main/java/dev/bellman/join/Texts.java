package dev.bellman.join;

import dev.bellman.join.sort.Workers;
import java.util.List;

/**
 * The bytes of the strings in the order of their numbers, so that searches read them sequentially. A text consists of
 * the bytes of a few consecutive strings.
 *
 * @param bits the binary logarithm of the number of strings per text
 * @param texts the texts; the last one may have fewer strings
 * @param ends the end of each string in its text
 */
record Texts(int bits, byte[][] texts, int[] ends) {
    /** The maximum of {@link #bits}, for which the descriptions of the strings of a text fit in a core's cache. */
    private static final int MAX_BITS = 10;

    /**
     * Copies strings.
     *
     * @param places the block of each string, starting at the 33rd bit, and its index in the block
     * @param longest the number of characters of the longest string
     */
    static Texts of(List<StringBlock> blocks, long[] places, int longest) {
        // a character takes at most four bytes, and a text must fit in an array
        int bits = Math.max(0, Math.min(MAX_BITS, Integer.numberOfLeadingZeros(longest) - 3));
        Texts texts = new Texts(bits, new byte[count(places.length, bits)][], new int[places.length]);
        Workers.ranges(places.length, (from, to) -> {
            for (int text = count(from, bits); text < count(to, bits); text++) {
                texts.copy(blocks, places, text);
            }
        });
        return texts;
    }

    /** Returns the number of texts that begin before a string. */
    private static int count(int id, int bits) {
        return id + (1 << bits) - 1 >> bits;
    }

    private void copy(List<StringBlock> blocks, long[] places, int text) {
        int first = text << bits;
        int next = Math.min(places.length, first + (1 << bits));
        int size = 0;
        for (int id = first; id < next; id++) {
            StringBlock block = blocks.get((int) (places[id] >>> Integer.SIZE));
            int index = (int) places[id];
            size += block.end(index) - block.start(index);
            ends[id] = size;
        }
        byte[] bytes = new byte[size];
        for (int id = first; id < next; id++) {
            StringBlock block = blocks.get((int) (places[id] >>> Integer.SIZE));
            int start = start(id);
            System.arraycopy(block.bytes(), block.start((int) places[id]), bytes, start, end(id) - start);
        }
        texts[text] = bytes;
    }

    /** Returns the text that contains a string. */
    byte[] array(int id) {
        return texts[id >>> bits];
    }

    int start(int id) {
        return (id & (1 << bits) - 1) == 0 ? 0 : ends[id - 1];
    }

    int end(int id) {
        return ends[id];
    }
}
