package dev.bellman.align;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.Arrays;

/**
 * Long pairs in stripes of rows, a warp each, so that a single pair fills the GPU: warps hand their lower borders on through device
 * memory. Works on as many pairs at a time as the memory set aside for borders allows, and on one at least.
 */
final class PairStripes implements AutoCloseable {
    /** What a stripe leaves behind. */
    enum Keep {
        /** The growth of the last column. */
        GROWTH,
        /** What {@code path.cuh} needs to solve any tile again. */
        TILES
    }

    private static final int SHARE_OF_MEMORY = 64;
    private static final int BLOCK = 64;
    private static final int COLUMNS_PER_BLOCK = 32;
    private static final int BLOCKS_PER_TILE = 32;
    private static final int ROWS_PER_WORD = 1024;

    private final Scratch scratch = new Scratch();
    private final int first;
    private final int count;
    private final DeviceMemoryBuffer borderPlaces;
    private final DeviceMemoryBuffer borders;
    private final DeviceMemoryBuffer savedPlaces;
    private final DeviceMemoryBuffer saved;
    private final DeviceMemoryBuffer growths;

    /**
     * Solves the pairs of a class from a place on.
     *
     * @param lengths as {@link PairGroups#lengths} has them
     * @param kernels the beginning of the kernel's name
     * @param words 1 or 8: words of 32 rows in a thread; 1 for tiles
     */
    PairStripes(
            CudaModule module,
            String kernels,
            PairGroups groups,
            PairClass group,
            int[] lengths,
            int first,
            int words,
            Keep keep) {
        this.first = first;
        long mostBytes = mostBytes();
        int most = group.count() - first;
        int[] stripes = new int[most + 1];
        long[] borderAt = new long[most];
        long[] savedAt = new long[most];
        long borderWords = 0;
        long savedWords = 0;
        int taken = 0;
        while (taken < most) {
            int needed = stripes(lengths[2 * (first + taken)], words);
            long blocks = (lengths[2 * (first + taken) + 1] + COLUMNS_PER_BLOCK - 1L) / COLUMNS_PER_BLOCK;
            if (keep == Keep.TILES && needed == 1 && blocks <= BLOCKS_PER_TILE) {
                needed = 0;
            }
            long moreBorders = needed * blocks;
            long moreSaved = keep == Keep.TILES ? blocks / BLOCKS_PER_TILE * needed * BLOCKS_PER_TILE : 0;
            if (taken > 0 && Long.BYTES * (borderWords + moreBorders + savedWords + moreSaved) > mostBytes) {
                break;
            }
            borderAt[taken] = borderWords;
            savedAt[taken] = savedWords;
            borderWords += moreBorders;
            savedWords += moreSaved;
            taken++;
            stripes[taken] = Math.addExact(stripes[taken - 1], needed);
        }
        count = taken;
        try {
            DeviceMemoryBuffer firsts = DeviceArrays.writeInts(scratch, Arrays.copyOf(stripes, count + 1));
            DeviceMemoryBuffer ticket = scratch.filled(Integer.BYTES, (byte) 0);
            borderPlaces = DeviceArrays.writeLongs(scratch, Arrays.copyOf(borderAt, count));
            savedPlaces = DeviceArrays.writeLongs(scratch, Arrays.copyOf(savedAt, count));
            borders = scratch.filled(Math.max(1, Long.BYTES * borderWords), (byte) -1);
            saved = scratch.allocate(Math.max(1, Long.BYTES * savedWords));
            growths = scratch.filled(4L * count, (byte) 0);
            Kernel kernel = module.kernel(kernels + "_" + group.symbols().kernels() + "_striped_" + words);
            long blocks = (stripes[count] + 1L) / 2;
            kernel.grid((int) Math.min(blocks, kernel.residentBlocks(BLOCK, 0)))
                    .block(BLOCK)
                    .launch(
                            groups.address(group.first() + first),
                            firsts.getAddress(),
                            count,
                            borderPlaces.getAddress(),
                            borders.getAddress(),
                            savedPlaces.getAddress(),
                            keep == Keep.TILES ? saved.getAddress() : 0L,
                            ticket.getAddress(),
                            growths.getAddress());
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /** The memory that a launch may take beside its pairs and results, where one pair does not need more. */
    static long mostBytes() {
        return Cuda.memGetInfo().total / SHARE_OF_MEMORY;
    }

    /** How many stripes a pattern takes. */
    static int stripes(int pattern, int words) {
        return (int) ((pattern + ROWS_PER_WORD * words - 1L) / (ROWS_PER_WORD * words));
    }

    /** The place in the class behind the last pair that was solved. */
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
