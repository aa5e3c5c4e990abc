package dev.bellman.join;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.join.sort.Buckets;
import dev.bellman.join.sort.Workers;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct strings of both sides of a join. They are numbered by length, then by a hash of their group and content,
 * and then by group and bytes, so every process with the same strings, in any order, assigns the same numbers. Equal
 * strings in different groups count as different.
 */
public final class Strings {
    /**
     * The flag of strings in rows of the left side; {@link #RIGHT} is the flag of strings in rows of the right side.
     */
    static final int LEFT = 1;

    static final int RIGHT = 2;
    static final int BOTH = LEFT | RIGHT;

    private static final int NOT_ASCII = 4;
    /** The flag of strings that occur in several rows of the left side. */
    private static final int SEVERAL_LEFT = 8;
    /**
     * Two words describe each string. This is the index of the word that contains the string's place; the bits of that
     * word from {@link #FLAGS} on are flags.
     */
    private static final int PLACE = 1;

    private static final int FLAGS = 60;

    /** The maximum memory for strings, which ensures that string numbers fit in an int. */
    public static final long MAX_BYTES = (Integer.MAX_VALUE - 8L) / 2 * StringTotals.BYTES_A_STRING;

    private final List<StringBlock> blocks;
    /** The block of each string, and its index in the block. */
    private final long[] places;

    private final int[] lengths;
    private final long[] signatures;
    private final byte[] flags;
    /**
     * The first string of each length, or of the next greater length that occurs; the last entry is the number of
     * strings.
     */
    private final int[] firsts;

    private final boolean grouped;

    private Strings(
            List<StringBlock> blocks, long[] places, int[] lengths, long[] signatures, byte[] flags, int[] firsts) {
        this.blocks = blocks;
        this.places = places;
        this.lengths = lengths;
        this.signatures = signatures;
        this.flags = flags;
        this.firsts = firsts;
        grouped = blocks.stream().anyMatch(StringBlock::grouped);
    }

    /**
     * Numbers the strings in the blocks. The strings must be distinct and take at most {@link #MAX_BYTES} bytes, as
     * counted by {@link StringTotals}.
     */
    public static Strings of(List<StringBlock> blocks) {
        int count =
                Math.toIntExact(blocks.stream().mapToLong(StringBlock::count).sum());
        int[] starts = new int[blocks.size() + 1];
        for (int block = 0; block < blocks.size(); block++) {
            starts[block + 1] = starts[block] + blocks.get(block).count();
        }
        long[][] arrays = arrays(count);
        int[] lengths = new int[count];
        Workers.firstAlone(blocks.size(), block -> {
            for (int index = 0; index < blocks.get(block).count(); index++) {
                describe(blocks, (long) block << 32 | index, starts[block] + index, arrays, lengths);
            }
        });
        return of(blocks, arrays, lengths);
    }

    /**
     * Returns the strings at the given places. A place contains a block number, starting at the 33rd bit, and the index
     * in that block.
     */
    Strings subset(long[] chosen) {
        long[][] arrays = arrays(chosen.length);
        int[] lengths = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            describe(blocks, chosen[i], i, arrays, lengths);
        }
        return of(blocks, arrays, lengths);
    }

    /**
     * Allocates the arrays in parallel, because zeroing them takes longer than filling them. The first array contains
     * two words per string, which are read together: the signature and the place. The second array contains the
     * hashes.
     */
    private static long[][] arrays(int count) {
        long[][] arrays = new long[5][];
        Workers.each(arrays.length, i -> arrays[i] = new long[i == 0 ? 2 * count : count]);
        return arrays;
    }

    private static Strings of(List<StringBlock> blocks, long[][] arrays, int[] lengths) {
        long[] described = arrays[0];
        long[] hashes = arrays[1];
        long[] words = arrays[2];
        long[] places = arrays[3];
        long[] signatures = arrays[4];
        int count = places.length;
        byte[] flags = new byte[count];
        int[] firsts = firsts(lengths);
        Buckets buckets = new Buckets(firsts);
        buckets.deal(lengths, hashes, words);
        long mask = Buckets.mask(count);
        Workers.ranges(count, (from, to) -> {
            for (int bucket = buckets.from(from); bucket < buckets.from(to); bucket++) {
                int end = buckets.start(bucket + 1);
                Arrays.sort(words, buckets.start(bucket), end);
                for (int i = buckets.start(bucket); i < end; ) {
                    int next = i + 1;
                    while (next < end && (words[next] & ~mask) == (words[i] & ~mask)) {
                        next++;
                    }
                    if (next - i > 1) {
                        sortTies(blocks, described, hashes, words, mask, i, next);
                    }
                    i = next;
                }
                for (int i = buckets.start(bucket); i < end; i++) {
                    int string = (int) (words[i] & mask);
                    long place = described[2 * string + PLACE];
                    places[i] = place & ~(-1L << FLAGS);
                    flags[i] = (byte) (place >>> FLAGS);
                    signatures[i] = described[2 * string];
                }
            }
        });
        for (int length = 0; length < firsts.length - 1; length++) {
            Arrays.fill(lengths, firsts[length], firsts[length + 1], length);
        }
        return new Strings(blocks, places, lengths, signatures, flags, firsts);
    }

    /**
     * Computes the length, flags, hash and signature of the string at a place. A signature has one bit for each
     * character class that occurs and one bit for each class that occurs at least twice. Therefore, an edit changes at
     * most two bits: replacing a character clears one bit and sets another.
     */
    private static void describe(List<StringBlock> blocks, long place, int i, long[][] arrays, int[] lengths) {
        StringBlock block = blocks.get((int) (place >>> 32));
        int index = (int) place;
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
        long flags = (block.left(index) > 0 ? LEFT : 0)
                | (block.right(index) > 0 ? RIGHT : 0)
                | (block.left(index) > 1 ? SEVERAL_LEFT : 0);
        arrays[1][i] = Hash.mix(hash);
        lengths[i] = end - start;
        if (seen < 0) {
            flags |= NOT_ASCII;
            once = 0;
            twice = 0;
            int[] characters = Text.of(Arrays.copyOfRange(bytes, start, end)).characters();
            for (int character : characters) {
                long bit = 1L << (character & 31);
                twice |= once & bit;
                once |= bit;
            }
            lengths[i] = characters.length;
        }
        arrays[0][2 * i] = once | twice << 32;
        arrays[0][2 * i + PLACE] = place | flags << FLAGS;
    }

    private static int[] firsts(int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        int[] firsts = new int[longest + 2];
        for (int length : lengths) {
            firsts[length + 1]++;
        }
        for (int length = 0; length <= longest; length++) {
            firsts[length + 1] += firsts[length];
        }
        return firsts;
    }

    /** Orders strings whose words differ only in their places. */
    private static void sortTies(
            List<StringBlock> blocks, long[] described, long[] hashes, long[] words, long mask, int from, int to) {
        Long[] ties = new Long[to - from];
        Arrays.setAll(ties, i -> words[from + i]);
        Arrays.sort(ties, (one, other) -> {
            int x = (int) (one & mask);
            int y = (int) (other & mask);
            int byHash = Long.compare(hashes[x], hashes[y]);
            return byHash != 0 ? byHash : compare(blocks, described[2 * x + PLACE], described[2 * y + PLACE]);
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

    /** Returns the blocks that contain the strings; the blocks of a subset also contain other strings. */
    List<StringBlock> blocks() {
        return blocks;
    }

    public int count() {
        return places.length;
    }

    /** Returns the length in characters, which never decreases as the string number grows. */
    public int length(int id) {
        return lengths[id];
    }

    int longest() {
        return firsts.length - 2;
    }

    /** Returns, for each length, whether any string has it. */
    boolean[] lengthsThatOccur() {
        boolean[] occur = new boolean[firsts.length - 1];
        for (int length = 0; length < occur.length; length++) {
            occur[length] = firsts[length] < firsts[length + 1];
        }
        return occur;
    }

    /**
     * Returns the first string of a length up to {@code longest() + 1}, or of the next greater length that occurs.
     * Returns the number of strings if there is no such string.
     */
    int first(int length) {
        return firsts[length];
    }

    boolean isAscii(int id) {
        return (flags[id] & NOT_ASCII) == 0;
    }

    /** Returns {@link #LEFT}, {@link #RIGHT} or {@link #BOTH}. */
    int sides(int id) {
        return flags[id] & BOTH;
    }

    long signature(int id) {
        return signatures[id];
    }

    /** Whether two strings may differ, judging by their signatures, in at most the given number of characters. */
    boolean mayBeApart(int x, int y, int characters) {
        return Long.bitCount(signatures[x] ^ signatures[y]) <= characters;
    }

    public long group(int id) {
        return grouped ? block(id).group(index(id)) : 0;
    }

    /** Returns the number of rows of the left side that contain the string. */
    long left(int id) {
        return block(id).left(index(id));
    }

    /** Returns the number of rows of the right side that contain the string. */
    long right(int id) {
        return block(id).right(index(id));
    }

    /** Whether any row of the left side contains the string. */
    public boolean isLeft(int id) {
        return (flags[id] & LEFT) != 0;
    }

    /** Whether any row of the right side contains the string. */
    public boolean isRight(int id) {
        return (flags[id] & RIGHT) != 0;
    }

    /** Whether several rows of the left side contain the string. */
    public boolean isSeveralTimesLeft(int id) {
        return (flags[id] & SEVERAL_LEFT) != 0;
    }

    byte[] bytes(int id) {
        return Arrays.copyOfRange(array(id), start(id), end(id));
    }

    /** Returns the array that contains a string's bytes, from {@link #start} to {@link #end}. */
    public byte[] array(int id) {
        return block(id).bytes();
    }

    public int start(int id) {
        return block(id).start(index(id));
    }

    public int end(int id) {
        return block(id).end(index(id));
    }

    /**
     * Writes the symbols from {@code from} (inclusive) to {@code to} (exclusive) of an ASCII string, as multiples of
     * {@link SymbolPair#STRIDE}.
     */
    void symbols(int id, int from, int to, int[] symbols) {
        byte[] bytes = block(id).bytes();
        int start = block(id).start(index(id)) + from;
        for (int i = 0; i < to - from; i++) {
            symbols[i] = bytes[start + i] * SymbolPair.STRIDE;
        }
    }

    /** Writes the characters of a string to an array, which must be large enough. */
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

    /** Returns the block that contains a string. */
    public StringBlock block(int id) {
        return blocks.get((int) (places[id] >>> 32));
    }

    /** Returns the index of a string in its block. */
    public int index(int id) {
        return (int) places[id];
    }
}
