package dev.bellman.join;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The passes of a join whose strings do not fit in the memory of a process. Strings are distributed to chunks by their
 * content, and each pass searches two chunks. There is one pass for every pair of chunks. Pairs within a chunk are
 * returned by only one of the chunk's passes.
 *
 * <p>For example, with three chunks, pass 0 searches chunks 0 and 1, pass 1 searches chunks 0 and 2, and pass 2
 * searches chunks 1 and 2. A chunk takes at most half of the memory. The keys of a string are generated once for each
 * chunk other than the string's own.
 */
public final class Passes implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of cells, the smallest units that are distributed to chunks. */
    public static final int CELLS = 1 << 12;

    /** A single pass with all strings. */
    public static final Passes ONE = new Passes(new short[0], 1);

    private final short[] chunkOfCell;
    private final int chunks;

    private Passes(short[] chunkOfCell, int chunks) {
        this.chunkOfCell = chunkOfCell;
        this.chunks = chunks;
    }

    /**
     * Returns passes whose strings fit in memory. Assigns cells to chunks greedily, which
     * keeps the number of chunks small.
     *
     * @param bytesOfCells the memory that the strings of each cell take
     * @param mostBytes the memory that a process has for strings
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if a cell takes more than half the memory of a process
     */
    public static Passes of(long[] bytesOfCells, long mostBytes) {
        if (Arrays.stream(bytesOfCells).sum() <= mostBytes) {
            return ONE;
        }
        short[] chunkOfCell = new short[CELLS];
        long[] bytes = new long[CELLS];
        int chunks = 0;
        // assign the largest cells first, each to the first chunk with room
        int[] cells = IntStream.range(0, CELLS)
                .boxed()
                .sorted(Comparator.comparingLong(cell -> -bytesOfCells[cell]))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int cell : cells) {
            if (bytesOfCells[cell] > mostBytes / 2) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_LIMIT,
                        ("the join on close strings: an executor must hold two groups of strings at a time, but one "
                                        + "group has %,d bytes, and only %,d bytes are available for both. Use more "
                                        + "memory (BELLMAN_DRIVER_MEMORY, or --executor-memory on a cluster), or "
                                        + "filter out the longest strings")
                                .formatted(bytesOfCells[cell], mostBytes));
            }
            int chunk = 0;
            while (bytes[chunk] + bytesOfCells[cell] > mostBytes / 2) {
                chunk++;
            }
            bytes[chunk] += bytesOfCells[cell];
            chunkOfCell[cell] = (short) chunk;
            chunks = Math.max(chunks, chunk + 1);
        }
        return new Passes(chunkOfCell, chunks);
    }

    public int count() {
        return chunks == 1 ? 1 : chunks * (chunks - 1) / 2;
    }

    public int chunks() {
        return chunks;
    }

    int chunk(StringBlock block, int index) {
        return chunks == 1 ? 0 : chunkOfCell[block.cell(index)];
    }

    /** Returns the chunks that a pass searches, in ascending order. */
    public int[] chunks(int pass) {
        if (chunks == 1) {
            return new int[] {0};
        }
        int second = 1;
        int first = pass;
        while (first >= second) {
            first -= second;
            second++;
        }
        return new int[] {first, second};
    }

    /** Returns which pairs count in a pass. */
    public Counted counted(int pass) {
        int[] of = chunks(pass);
        if (chunks == 1) {
            return new Counted(this, 0);
        }
        // the pairs within a chunk count in the pass with the next chunk, and the pairs within the last chunk count in
        // the pass with the first chunk
        boolean isLast = of[0] == 0 && of[1] == chunks - 1;
        return new Counted(this, of[1] == of[0] + 1 ? of[0] : isLast ? of[1] : -1);
    }

    /**
     * The pairs that count in a pass, which are the pairs between two chunks and possibly the pairs within one of them.
     *
     * @param within the chunk; -1 if there is none
     */
    public record Counted(Passes passes, int within) {
        /** Whether a pair counts. {@code x} and {@code y} may be the same string. */
        public boolean has(Strings strings, int x, int y) {
            if (passes.chunks == 1) {
                return true;
            }
            int chunk = passes.chunk(strings.block(x), strings.index(x));
            return chunk == within || x != y && chunk != passes.chunk(strings.block(y), strings.index(y));
        }
    }
}
