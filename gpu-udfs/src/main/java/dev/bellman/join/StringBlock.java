package dev.bellman.join;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.join.sort.Workers;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Some distinct strings in the format sent between processes: their concatenated bytes and the attributes of each
 * string. A block may also contain the rows with these strings, encoded as words and grouped by string in the order in
 * which the strings were added.
 */
public final class StringBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The memory, in bytes, from which a block is full. A single string may take more memory. */
    private static final int ENOUGH_BYTES = 1 << 24;

    /** The number of words that describe a string without a group; a group is one more word. */
    private static final int WORDS = 3;

    private static final int LEFT = 1;
    private static final int RIGHT = 2;
    private static final int GROUP = 3;

    private final boolean grouped;
    private final int words;
    private byte[] bytes;
    /**
     * The words that describe each string, which are read together: the ends of its bytes (in the lower half) and of
     * its rows, its row counts on the left and right sides, and its group.
     */
    private long[] entries;

    private int count;

    private long[] rows;

    /** @param grouped whether strings have groups */
    public StringBlock(boolean grouped) {
        this(grouped, 64, 1 << 10, 0);
    }

    private StringBlock(boolean grouped, int strings, int bytes, int rows) {
        this.grouped = grouped;
        words = grouped ? WORDS + 1 : WORDS;
        this.bytes = new byte[bytes];
        entries = new long[words * strings];
        this.rows = new long[rows];
    }

    /** Returns an empty block with space for slightly more than the strings of this block. */
    public StringBlock another() {
        return new StringBlock(grouped, more(count), more(start(count)), more(firstRow(count)));
    }

    private static int more(int used) {
        return Math.min(Integer.MAX_VALUE / 8, used + used / 32);
    }

    /**
     * Adds a string.
     *
     * @param string an array whose first {@code length} bytes are the string
     * @param group the string's group; only strings of the same group form pairs
     * @param leftRows the number of rows of the left side that contain the string
     * @param rightRows the number of rows of the right side that contain the string
     */
    public void add(byte[] string, int length, long group, long leftRows, long rightRows) {
        int start = start(count);
        int end = Math.addExact(start, length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, grown(bytes.length, end));
        }
        System.arraycopy(string, 0, bytes, start, length);
        int at = words * count;
        if (at + words > entries.length) {
            entries = Arrays.copyOf(entries, grown(entries.length, at + words));
        }
        entries[at] = (long) firstRow(count) << Integer.SIZE | end;
        entries[at + LEFT] = leftRows;
        entries[at + RIGHT] = rightRows;
        if (grouped) {
            entries[at + GROUP] = group;
        }
        count++;
    }

    /** Returns a larger array size. */
    private static int grown(int size, int needed) {
        return (int) Math.min(Math.max(2L * size, needed), Integer.MAX_VALUE - 8);
    }

    /**
     * Appends rows to the last string. Without such a call, the string has no rows.
     *
     * @param row an array whose first {@code size} words are the rows
     */
    public void addRows(long[] row, int size) {
        int last = words * (count - 1);
        int start = firstRow(count);
        long end = (long) start + size;
        if (end > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("the join on close strings: rows with the same string take %,d bytes, more than an array can "
                                    + "hold. Filter out empty strings and placeholders, or deduplicate the strings")
                            .formatted(Long.BYTES * end));
        }
        if (end > rows.length) {
            rows = Arrays.copyOf(rows, grown(rows.length, (int) end));
        }
        System.arraycopy(row, 0, rows, start, size);
        entries[last] = end << Integer.SIZE | (int) entries[last];
    }

    /** Whether the next string should begin a new block. */
    public boolean isFull() {
        return memory() >= ENOUGH_BYTES;
    }

    private long memory() {
        return 2L * start(count) + (long) StringTotals.BYTES_A_STRING * count + rowBytes(0, count);
    }

    /** Returns the number of bytes that the rows of a range of strings take. */
    private long rowBytes(int from, int to) {
        return (long) Long.BYTES * (firstRow(to) - firstRow(from));
    }

    /** Removes the unused space of arrays in which it exceeds an eighth of the used space, and returns this block. */
    public StringBlock trimmed() {
        if (isWasteful(bytes.length, start(count))) {
            bytes = Arrays.copyOf(bytes, start(count));
        }
        if (isWasteful(entries.length, words * count)) {
            entries = Arrays.copyOf(entries, words * count);
        }
        if (isWasteful(rows.length, firstRow(count))) {
            rows = Arrays.copyOf(rows, firstRow(count));
        }
        return this;
    }

    private static boolean isWasteful(int size, int used) {
        return size - used > used / 8;
    }

    /** Splits the strings by chunk. Returns a block for each chunk, or null for a chunk without strings. */
    public StringBlock[] split(Passes passes) {
        StringBlock[] blocks = new StringBlock[passes.chunks()];
        for (int index = 0; index < count; index++) {
            int chunk = passes.chunk(this, index);
            if (blocks[chunk] == null) {
                blocks[chunk] = new StringBlock(grouped);
            }
            byte[] string = Arrays.copyOfRange(bytes, start(index), end(index));
            blocks[chunk].add(string, string.length, group(index), left(index), right(index));
            long[] ofString = Arrays.copyOfRange(rows, firstRow(index), firstRow(index + 1));
            blocks[chunk].addRows(ofString, ofString.length);
        }
        for (StringBlock block : blocks) {
            if (block != null) {
                block.trimmed();
            }
        }
        return blocks;
    }

    public StringTotals totals() {
        int seen = 0;
        for (int at = 0; at < start(count); at++) {
            seen |= bytes[at];
        }
        int longest = 0;
        double equalRows = 0;
        double leftRows = 0;
        for (int index = 0; index < count; index++) {
            longest = Math.max(longest, end(index) - start(index));
            equalRows += (double) left(index) * right(index);
            leftRows += left(index);
        }
        return new StringTotals(count, memory(), longest, seen >= 0, equalRows, leftRows);
    }

    /** Adds the memory that each string takes to the total of the string's cell. */
    public void addTo(long[] bytesOfCells) {
        for (int index = 0; index < count; index++) {
            bytesOfCells[cell(index)] +=
                    2L * (end(index) - start(index)) + StringTotals.BYTES_A_STRING + rowBytes(index, index + 1);
        }
    }

    /** Returns the cell of {@link Passes} to which a string belongs. */
    int cell(int index) {
        return (int) hash(index) & Passes.CELLS - 1;
    }

    /** Returns a hash of a string and its group, independent of the hash by which strings are numbered. */
    long hash(int index) {
        long hash = Hash.mix(group(index) + 0x1F83_D9AB_FB41_BD6BL);
        for (int at = start(index); at < end(index); at++) {
            hash = 31 * hash + bytes[at];
        }
        return Hash.mix(hash);
    }

    public int count() {
        return count;
    }

    /** Returns, for each {@code i}, the number of strings that have at least {@code 2^i} rows. */
    int[] rowsReach() {
        int[] counts = new int[Long.SIZE];
        for (int index = 0; index < count; index++) {
            counts[Long.SIZE - 1 - Long.numberOfLeadingZeros(left(index) + right(index))]++;
        }
        for (int power = Long.SIZE - 2; power >= 0; power--) {
            counts[power] += counts[power + 1];
        }
        return counts;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int start(int index) {
        return index == 0 ? 0 : (int) entries[words * (index - 1)];
    }

    public int end(int index) {
        return (int) entries[words * index];
    }

    /** Returns the number of rows of the left side that contain a string. */
    public long left(int index) {
        return entries[words * index + LEFT];
    }

    /** Returns the number of rows of the right side that contain a string. */
    public long right(int index) {
        return entries[words * index + RIGHT];
    }

    /** Returns the rows in the block. */
    public long[] rows() {
        return rows;
    }

    /** Returns the index in {@link #rows} of the first row of a string. */
    public int firstRow(int index) {
        return index == 0 ? 0 : (int) (entries[words * (index - 1)] >>> Integer.SIZE);
    }

    public long group(int index) {
        return grouped ? entries[words * index + GROUP] : 0;
    }

    boolean grouped() {
        return grouped;
    }

    /**
     * The bytes of the strings of blocks in the order of their numbers, so that searches read them sequentially. A text
     * consists of the bytes of consecutive strings.
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
}
