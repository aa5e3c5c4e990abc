package dev.bellman.join;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct strings of both sides of a join, numbered by length, then by a hash of their content, then by their bytes: the same numbers in every
 * process with the same strings, whatever their order. Strings of different groups are different.
 */
public final class Strings {
    /** Set for a string in rows of the left side; {@link #RIGHT} is set for one in rows of the right side. */
    static final int LEFT = 1;

    static final int RIGHT = 2;
    static final int BOTH = LEFT | RIGHT;

    private static final int NOT_ASCII = 4;

    private final List<StringBlock> blocks;
    /** The block of each string and its index there. */
    private final long[] places;

    private final int[] lengths;
    private final long[] signatures;
    private final byte[] flags;
    private final int longest;
    private final boolean grouped;

    private Strings(List<StringBlock> blocks, long[] places, int[] lengths, long[] signatures, byte[] flags) {
        this.blocks = blocks;
        this.places = places;
        this.lengths = lengths;
        this.signatures = signatures;
        this.flags = flags;
        longest = lengths.length == 0 ? 0 : lengths[lengths.length - 1];
        grouped = blocks.stream().anyMatch(StringBlock::grouped);
    }

    /** Numbers the strings of the blocks, which must be distinct. */
    public static Strings of(List<StringBlock> blocks) {
        int count = 0;
        for (StringBlock block : blocks) {
            count = Math.addExact(count, block.count());
        }
        long[] places = new long[count];
        int at = 0;
        for (int block = 0; block < blocks.size(); block++) {
            for (int index = 0; index < blocks.get(block).count(); index++) {
                places[at++] = (long) block << 32 | index;
            }
        }
        return of(blocks, places);
    }

    /** The subset with the given numbers. */
    Strings subset(int[] ids) {
        return of(blocks, Arrays.stream(ids).mapToLong(id -> places[id]).toArray());
    }

    private static Strings of(List<StringBlock> blocks, long[] unordered) {
        int count = unordered.length;
        int[] lengths = new int[count];
        long[] signatures = new long[count];
        byte[] flags = new byte[count];
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            StringBlock block = blocks.get((int) (unordered[i] >>> 32));
            int index = (int) unordered[i];
            describe(block, index, i, lengths, signatures, flags, hashes);
        }
        int[] order = order(blocks, unordered, lengths, hashes);
        long[] places = new long[count];
        int[] orderedLengths = new int[count];
        long[] orderedSignatures = new long[count];
        byte[] orderedFlags = new byte[count];
        for (int i = 0; i < count; i++) {
            int from = order[i];
            places[i] = unordered[from];
            orderedLengths[i] = lengths[from];
            orderedSignatures[i] = signatures[from];
            orderedFlags[i] = flags[from];
        }
        return new Strings(blocks, places, orderedLengths, orderedSignatures, orderedFlags);
    }

    /**
     * Length, flags, hash and signature. A signature has a bit for each class of characters that occurs, and one for each that occurs twice,
     * so an edit changes at most two of them: replacing a character clears one bit and sets another.
     */
    private static void describe(
            StringBlock block, int index, int i, int[] lengths, long[] signatures, byte[] flags, long[] hashes) {
        byte[] bytes = block.bytes();
        int start = block.start(index);
        int end = block.end(index);
        long hash = Hash.mix(block.group(index) + 0x51_7CC1_B727_220AL);
        int seen = 0;
        long once = 0;
        long twice = 0;
        for (int at = start; at < end; at++) {
            int value = bytes[at];
            seen |= value;
            hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
            long bit = 1L << (value & 31);
            twice |= once & bit;
            once |= bit;
        }
        int side = (block.left(index) > 0 ? LEFT : 0) | (block.right(index) > 0 ? RIGHT : 0);
        hashes[i] = Hash.mix(hash);
        if (seen >= 0) {
            lengths[i] = end - start;
            signatures[i] = once | twice << 32;
            flags[i] = (byte) side;
            return;
        }
        once = 0;
        twice = 0;
        int[] characters = Text.of(Arrays.copyOfRange(bytes, start, end)).characters();
        for (int character : characters) {
            long bit = 1L << (character & 31);
            twice |= once & bit;
            once |= bit;
        }
        lengths[i] = characters.length;
        signatures[i] = once | twice << 32;
        flags[i] = (byte) (side | NOT_ASCII);
    }

    private static int[] order(List<StringBlock> blocks, long[] places, int[] lengths, long[] hashes) {
        int count = places.length;
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        int[] starts = new int[longest + 2];
        for (int length : lengths) {
            starts[length + 1]++;
        }
        for (int length = 0; length <= longest; length++) {
            starts[length + 1] += starts[length];
        }
        int[] byLength = new int[count];
        int[] next = Arrays.copyOf(starts, longest + 1);
        for (int i = 0; i < count; i++) {
            byLength[next[lengths[i]]++] = i;
        }
        int[] order = new int[count];
        int most = 0;
        for (int length = 0; length <= longest; length++) {
            most = Math.max(most, starts[length + 1] - starts[length]);
        }
        long[] words = new long[most];
        long[] spare = new long[most];
        int low = 32 - Integer.numberOfLeadingZeros(most);
        long mask = (1L << low) - 1;
        for (int length = 0; length <= longest; length++) {
            int start = starts[length];
            int size = starts[length + 1] - start;
            for (int i = 0; i < size; i++) {
                words[i] = hashes[byLength[start + i]] & ~mask | i;
            }
            RadixSort.sort(words, spare, size);
            for (int i = 0; i < size; ) {
                int end = i;
                while (end < size && (words[end] & ~mask) == (words[i] & ~mask)) {
                    order[start + end] = byLength[start + (int) (words[end] & mask)];
                    end++;
                }
                if (end - i > 1) {
                    sortTies(blocks, places, hashes, order, start + i, start + end);
                }
                i = end;
            }
        }
        return order;
    }

    private static void sortTies(
            List<StringBlock> blocks, long[] places, long[] hashes, int[] order, int from, int to) {
        Integer[] ties = new Integer[to - from];
        Arrays.setAll(ties, i -> order[from + i]);
        Arrays.sort(ties, (x, y) -> {
            int byHash = Long.compare(hashes[x], hashes[y]);
            return byHash != 0 ? byHash : compare(blocks, places[x], places[y]);
        });
        for (int i = 0; i < ties.length; i++) {
            order[from + i] = ties[i];
        }
    }

    private static int compare(List<StringBlock> blocks, long x, long y) {
        StringBlock xBlock = blocks.get((int) (x >>> 32));
        StringBlock yBlock = blocks.get((int) (y >>> 32));
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

    public int count() {
        return places.length;
    }

    /** In characters; ascending with the number of the string. */
    public int length(int id) {
        return lengths[id];
    }

    int longest() {
        return longest;
    }

    /** Whether any string has this length. */
    boolean[] lengthsThatOccur() {
        boolean[] occur = new boolean[longest + 1];
        for (int length : lengths) {
            occur[length] = true;
        }
        return occur;
    }

    boolean isAscii(int id) {
        return (flags[id] & NOT_ASCII) == 0;
    }

    /** {@link #LEFT}, {@link #RIGHT} or {@link #BOTH}. */
    int sides(int id) {
        return flags[id] & BOTH;
    }

    long signature(int id) {
        return signatures[id];
    }

    /** Whether two strings whose distance is at most {@code k} may have these signatures. */
    boolean mayBeWithin(int x, int y, int k) {
        return Long.bitCount(signatures[x] ^ signatures[y]) <= 2 * k;
    }

    boolean grouped() {
        return grouped;
    }

    public long group(int id) {
        return grouped ? block(id).group(index(id)) : 0;
    }

    /** The rows of the left side that have the string. */
    public long left(int id) {
        return block(id).left(index(id));
    }

    /** The rows of the right side that have the string. */
    public long right(int id) {
        return block(id).right(index(id));
    }

    /** The bytes of a string. */
    public byte[] bytes(int id) {
        return Arrays.copyOfRange(
                block(id).bytes(), block(id).start(index(id)), block(id).end(index(id)));
    }

    /** Writes the symbols of a string of ASCII, multiples of {@link SymbolPair#STRIDE}. */
    void symbols(int id, int from, int to, int[] symbols) {
        byte[] bytes = block(id).bytes();
        int start = block(id).start(index(id)) + from;
        for (int i = 0; i < to - from; i++) {
            symbols[i] = bytes[start + i] * SymbolPair.STRIDE;
        }
    }

    /** Writes the characters of a string; there must be enough room. */
    void characters(int id, int[] characters) {
        if (isAscii(id)) {
            byte[] bytes = block(id).bytes();
            int start = block(id).start(index(id));
            for (int i = 0; i < lengths[id]; i++) {
                characters[i] = bytes[start + i];
            }
        } else {
            int[] decoded = Text.of(bytes(id)).characters();
            System.arraycopy(decoded, 0, characters, 0, decoded.length);
        }
    }

    StringBlock block(int id) {
        return blocks.get((int) (places[id] >>> 32));
    }

    int index(int id) {
        return (int) places[id];
    }
}
