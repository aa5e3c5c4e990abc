package dev.bellman.join;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.join.sort.Buckets;
import dev.bellman.join.sort.Workers;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct strings of both sides of a join. They are numbered by length, then by a hash of their group and content,
 * which is an unsigned number, and then by group and bytes, so every process with the same strings, in any order,
 * assigns the same numbers. Equal strings in different groups count as different.
 */
public final class Strings {
    /**
     * The flag of strings in rows of the left side; {@link #RIGHT} is the flag of strings in rows of the right side.
     */
    static final int LEFT = 1;

    static final int RIGHT = 2;
    static final int BOTH = LEFT | RIGHT;

    static final int NOT_ASCII = 4;
    /** The flag of strings that occur in several rows of the left side. */
    static final int SEVERAL_LEFT = 8;
    /** The maximum memory for strings, which ensures that string numbers fit in an int. */
    public static final long MAX_BYTES = (Integer.MAX_VALUE - 8L) / 2 * StringTotals.BYTES_A_STRING;

    private final List<StringBlock> blocks;
    /** The block of each string, and its index in the block. */
    private final long[] places;

    private final int[] lengths;
    private final byte[] flags;
    /**
     * The first string of each length, or of the next greater length that occurs; the last entry is the number of
     * strings.
     */
    private final int[] firsts;

    private final boolean grouped;

    /** The bytes of the strings; null until {@link #readable} is called. */
    private StringBlock.Texts texts;

    private long[] signatures;

    private Strings(List<StringBlock> blocks, long[] places, int[] lengths, byte[] flags, int[] firsts) {
        this.blocks = blocks;
        this.places = places;
        this.lengths = lengths;
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
        DescribedStrings described = DescribedStrings.of(count);
        Workers.firstAlone(blocks.size(), block -> {
            for (int index = 0; index < blocks.get(block).count(); index++) {
                described.describe(blocks, (long) block << 32 | index, starts[block] + index);
            }
        });
        return of(blocks, described);
    }

    /**
     * Returns the strings at the given places. A place contains a block number, starting at the 33rd bit, and the index
     * in that block.
     */
    Strings subset(long[] chosen) {
        DescribedStrings described = DescribedStrings.of(chosen.length);
        for (int i = 0; i < chosen.length; i++) {
            described.describe(blocks, chosen[i], i);
        }
        return of(blocks, described);
    }

    private static Strings of(List<StringBlock> blocks, DescribedStrings described) {
        long[] words = described.words();
        int count = words.length;
        byte[] flags = new byte[count];
        int[] firsts = firsts(counts(described.lengths()));
        Buckets buckets = new Buckets(firsts);
        buckets.deal(described.lengths(), described.hashes(), words);
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
                        described.sortTies(blocks, mask, i, next);
                    }
                    i = next;
                }
                for (int i = buckets.start(bucket); i < end; i++) {
                    long place = described.places()[(int) (words[i] & mask)];
                    words[i] = place & ~(-1L << DescribedStrings.FLAGS);
                    flags[i] = (byte) (place >>> DescribedStrings.FLAGS);
                }
            }
        });
        // words now contains places; the arrays of lengths and hashes are reused for lengths and signatures
        Strings strings = new Strings(blocks, words, described.lengths(), flags, firsts);
        strings.read(described.hashes());
        return strings;
    }

    /**
     * Returns ASCII strings that a GPU has numbered.
     *
     * @param places the block of each string, starting at the 33rd bit, and its index in the block
     * @param lengths an array in which this method stores the length of each string
     * @param flags the flags of each string
     * @param ofLengths the number of strings of each length
     */
    static Strings numbered(List<StringBlock> blocks, long[] places, int[] lengths, byte[] flags, int... ofLengths) {
        int longest = ofLengths.length - 1;
        while (longest > 0 && ofLengths[longest] == 0) {
            longest--;
        }
        Strings strings = new Strings(blocks, places, lengths, flags, firsts(Arrays.copyOf(ofLengths, longest + 1)));
        Workers.ranges(places.length, strings::describe);
        return strings;
    }

    /** Makes the bytes and the signatures available, which only searches on a CPU need. */
    synchronized void readable() {
        if (texts == null) {
            read(new long[count()]);
        }
    }

    private void read(long[] spare) {
        texts = StringBlock.Texts.of(blocks, places, longest());
        signatures = spare;
        Workers.ranges(count(), (from, to) -> {
            describe(from, to);
            for (int id = from; id < to; id++) {
                signatures[id] = computeSignature(id);
            }
        });
    }

    /** Computes the lengths of a range of strings. */
    private void describe(int from, int to) {
        int length = 0;
        for (int id = from; id < to; id++) {
            while (firsts[length + 1] <= id) {
                length++;
            }
            lengths[id] = length;
        }
    }

    /**
     * Computes a signature, which has one bit for each character class that occurs and one bit for each class that
     * occurs at least twice. Therefore, an edit changes at most two bits: replacing a character clears one bit and sets
     * another.
     */
    private long computeSignature(int id) {
        long once = 0;
        long twice = 0;
        if (isAscii(id)) {
            byte[] bytes = array(id);
            int end = end(id);
            for (int at = start(id); at < end; at++) {
                long bit = 1L << (bytes[at] & 31);
                twice |= once & bit;
                once |= bit;
            }
        } else {
            for (int character : Text.of(bytes(id)).characters()) {
                long bit = 1L << (character & 31);
                twice |= once & bit;
                once |= bit;
            }
        }
        return once | twice << 32;
    }

    /** Returns the number of strings of each length. */
    private static int[] counts(int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        int[] counts = new int[longest + 1];
        for (int length : lengths) {
            counts[length]++;
        }
        return counts;
    }

    private static int[] firsts(int[] ofLengths) {
        int[] firsts = new int[ofLengths.length + 1];
        for (int length = 0; length < ofLengths.length; length++) {
            firsts[length + 1] = firsts[length] + ofLengths[length];
        }
        return firsts;
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

    /** Returns the bytes of a string, even if the strings are not {@link #readable}. */
    public byte[] bytes(int id) {
        StringBlock block = block(id);
        return Arrays.copyOfRange(block.bytes(), block.start(index(id)), block.end(index(id)));
    }

    /** Returns the array that contains a string's bytes, from {@link #start} to {@link #end}. */
    private byte[] array(int id) {
        return texts.array(id);
    }

    private int start(int id) {
        return texts.start(id);
    }

    private int end(int id) {
        return texts.end(id);
    }

    /**
     * Writes the symbols from {@code from} (inclusive) to {@code to} (exclusive) of an ASCII string, as multiples of
     * {@link SymbolPair#STRIDE}.
     */
    void symbols(int id, int from, int to, int[] symbols) {
        byte[] bytes = array(id);
        int start = start(id) + from;
        for (int i = 0; i < to - from; i++) {
            symbols[i] = bytes[start + i] * SymbolPair.STRIDE;
        }
    }

    /** Writes the characters of a string to an array, which must be large enough. */
    void characters(int id, int[] characters) {
        if (isAscii(id)) {
            byte[] bytes = array(id);
            int start = start(id);
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
        return blocks.get(blockNumber(id));
    }

    int blockNumber(int id) {
        return (int) (places[id] >>> 32);
    }

    /** Returns the index of a string in its block. */
    public int index(int id) {
        return (int) places[id];
    }
}
