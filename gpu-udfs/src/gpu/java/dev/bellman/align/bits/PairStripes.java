package dev.bellman.align.bits;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Launch;
import java.util.Arrays;

/**
 * Solves long pairs in stripes of rows, with one warp per stripe, so that even a single pair fills the GPU. Each warp
 * passes its stripe's lower border to the next warp through device memory. Processes as many pairs at a time as the
 * memory of a launch allows, but at least one.
 *
 * <p>A pair takes a quarter of a byte per column and stripe. Only the stripes that the GPU processes at the same time
 * take this memory, so it is linear in the pair's length. With tiles, a pair takes 8 bytes per 32 columns for every 256
 * rows, and 4 bytes (8 for edit distance) per 32 rows for every 128 columns. In total, this is one byte per 512 cells
 * (341 for edit distance): 2 or 3 GB for a table of a million by a million characters.
 */
final class PairStripes implements AutoCloseable {
    static final int COLUMNS_PER_BLOCK = 32;
    static final int BLOCKS_PER_TILE = 4;
    static final int WORDS_PER_TILE = 8;
    static final int ROWS_PER_TILE = 256;
    private static final int ROWS_PER_WORD = 1024;

    private final Scratch scratch = new Scratch();
    private final int first;
    private final int count;
    private final DeviceMemoryBuffer borderPlaces;
    private final DeviceMemoryBuffer borders;
    private final DeviceMemoryBuffer savedPlaces;
    private final DeviceMemoryBuffer saved;
    private final DeviceMemoryBuffer growths;

    /** Solves a class's pairs, starting at an index, for {@link #growths}. */
    static PairStripes growths(
            CudaModule module,
            String kernels,
            PairGroups groups,
            PairClass group,
            int[] lengths,
            int first,
            int words) {
        Kernel kernel = module.kernel(kernels + "_" + group.symbols().longKernels() + "_striped_" + words);
        return new PairStripes(kernel, groups.address(group.first()), lengths, first, words, 0, 0, 0);
    }

    /**
     * Solves pairs, starting at an index, and stores their last columns.
     *
     * @param pairs the device address of the pairs
     * @param places the device address of each pair's word offset in {@code columns}
     * @param columns the device address that receives the last columns
     */
    static PairStripes columns(
            CudaModule module,
            String kernels,
            PairClass group,
            long pairs,
            int[] lengths,
            int first,
            long places,
            long columns) {
        Kernel kernel = module.kernel(kernels + "_" + group.symbols().longKernels() + "_striped_1");
        return new PairStripes(kernel, pairs, lengths, first, 1, 0, places + (long) Long.BYTES * first, columns);
    }

    /**
     * Solves a class's pairs, starting at an index, for the traceback in {@code path.cuh}.
     *
     * @param savedBytes the number of bytes that the problem's kernels store for each word of a column
     */
    static PairStripes tiles(
            CudaModule module,
            String kernels,
            PairGroups groups,
            PairClass group,
            int[] lengths,
            int first,
            int savedBytes) {
        Kernel kernel = module.kernel(kernels + "_" + group.symbols().longKernels() + "_tiles");
        return new PairStripes(kernel, groups.address(group.first()), lengths, first, 1, savedBytes, 0, 0);
    }

    /**
     * @param lengths the lengths of all pairs, in the form that {@link PairGroups#lengths} returns
     * @param words the number of 32-row words per thread: 1 or 8
     * @param savedBytes the number of bytes that the problem's kernels store for each word of a column; 0 without tiles
     * @param columns the device address that receives the last columns, or 0 if they are not stored
     */
    private PairStripes(
            Kernel kernel,
            long pairs,
            int[] lengths,
            int first,
            int words,
            int savedBytes,
            long columnPlaces,
            long columns) {
        this.first = first;
        boolean tiles = savedBytes > 0;
        int mostWarps = kernel.residentBlocks(Kernel.WARP, 0);
        int mostBorderRows = mostWarps + 1;
        Places places = Places.of(lengths, first, words, savedBytes, mostBorderRows);
        count = places.count();
        try {
            DeviceMemoryBuffer firsts = DeviceArrays.writeInts(scratch, places.stripes());
            DeviceMemoryBuffer ticket = scratch.zeroInts(1);
            borderPlaces = DeviceArrays.writeLongs(scratch, places.borders());
            savedPlaces = DeviceArrays.writeLongs(scratch, places.saved());
            borders = scratch.filled(places.borderBytes() + Long.BYTES, (byte) -1);
            saved = scratch.allocate(savedBytes * places.savedWords());
            growths = scratch.filled(tiles || columns != 0 ? 0 : 4L * count, (byte) 0);
            Launch launch =
                    kernel.grid(Math.min(places.stripes()[count], mostWarps)).block(Kernel.WARP);
            long taking = pairs + (long) PairGroups.PAIR_BYTES * first;
            if (tiles) {
                launch.launch(
                        taking,
                        firsts.getAddress(),
                        count,
                        borderPlaces.getAddress(),
                        borders.getAddress(),
                        ticket.getAddress(),
                        savedPlaces.getAddress(),
                        saved.getAddress());
            } else {
                launch.launch(
                        taking,
                        firsts.getAddress(),
                        count,
                        borderPlaces.getAddress(),
                        borders.getAddress(),
                        ticket.getAddress(),
                        mostBorderRows,
                        columns != 0 ? 0L : growths.getAddress(),
                        columnPlaces,
                        columns);
            }
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /**
     * The pairs of a launch and the locations of their data.
     *
     * @param stripes the number of each pair's first stripe, followed by the total number of stripes
     * @param borders the offset of each pair's borders, in words
     * @param saved the offset of the words that each pair stores
     */
    private record Places(int[] stripes, long[] borders, long[] saved, long borderBytes, long savedWords) {
        int count() {
            return borders.length;
        }

        /** Selects as many pairs as fit, but at least one, starting at an index. */
        static Places of(int[] lengths, int first, int words, int savedBytes, int mostBorderRows) {
            boolean tiles = savedBytes > 0;
            long mostBytes = mostBytes();
            int most = lengths.length / 2 - first;
            int[] stripes = new int[most + 1];
            long[] borderAt = new long[most];
            long[] savedAt = new long[most];
            long borderBytes = 0;
            long savedWords = 0;
            int taken = 0;
            while (taken < most) {
                int pattern = lengths[2 * (first + taken)];
                int needed = PairStripes.stripes(pattern, words);
                long blocks = (lengths[2 * (first + taken) + 1] + COLUMNS_PER_BLOCK - 1L) / COLUMNS_PER_BLOCK;
                long tileRows = (pattern + ROWS_PER_TILE - 1L) / ROWS_PER_TILE;
                if (tiles && tileRows == 1 && blocks <= BLOCKS_PER_TILE) {
                    needed = 0;
                }
                long moreBorders =
                        needed == 0 ? 0 : Long.BYTES * blocks * (tiles ? tileRows : Math.min(needed, mostBorderRows));
                long moreSaved = tiles && needed > 0 ? blocks / BLOCKS_PER_TILE * tileRows * WORDS_PER_TILE : 0;
                if (taken > 0 && borderBytes + moreBorders + savedBytes * (savedWords + moreSaved) > mostBytes) {
                    break;
                }
                borderAt[taken] = borderBytes / Long.BYTES;
                savedAt[taken] = savedWords;
                borderBytes += moreBorders;
                savedWords += moreSaved;
                taken++;
                stripes[taken] = Math.addExact(stripes[taken - 1], needed);
            }
            return new Places(
                    Arrays.copyOf(stripes, taken + 1),
                    Arrays.copyOf(borderAt, taken),
                    Arrays.copyOf(savedAt, taken),
                    borderBytes,
                    savedWords);
        }
    }

    /**
     * Returns the maximum memory of a launch in addition to its pairs and results; a launch with a single pair may take
     * more.
     */
    static long mostBytes() {
        return GpuMemory.ofSession().perLaunch();
    }

    /** Returns the number of stripes into which a pattern is divided. */
    static int stripes(int pattern, int words) {
        return (int) ((pattern + ROWS_PER_WORD * words - 1L) / (ROWS_PER_WORD * words));
    }

    /** Returns the index after that of the last solved pair in the class. */
    int end() {
        return first + count;
    }

    int count() {
        return count;
    }

    long growths() {
        return growths.getAddress();
    }

    long borderPlaces() {
        return borderPlaces.getAddress();
    }

    long borders() {
        return borders.getAddress();
    }

    long savedPlaces() {
        return savedPlaces.getAddress();
    }

    long saved() {
        return saved.getAddress();
    }

    @Override
    public void close() {
        scratch.close();
    }
}
