package dev.bellman.align.score;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.List;

/** The pairs that one launch solves in stripes, and their memory. */
final class AlignStripes implements AutoCloseable {
    /** The argument of the kernels ({@code Stripes} in {@code stripes.cuh}). */
    record Stripes(
            long pairs,
            long firsts,
            int count,
            long crossingPlaces,
            long crossings,
            long wayPlaces,
            long ways,
            long ends,
            long ticket,
            int passed,
            int columns) {}

    static final int LANES = 32;
    static final int ROWS = 16;
    static final int HEIGHT = LANES * ROWS;

    /**
     * The number of bytes per column for the values that cross the border below a stripe; gap costs with two pieces
     * need twice as many.
     */
    static final int CROSSING_BYTES = 8;

    /**
     * The number of bytes per step for a stripe's traceback directions: four bits for each row of each lane. Gap costs
     * with two pieces need twice as many.
     */
    static final int WAY_BYTES = LANES * ROWS / 2;

    private static final int END_BYTES = 16;

    private final Scratch scratch = new Scratch();
    private final Stripes stripes;
    private final int total;
    private final int pieces;
    private final long crossingBytes;

    private AlignStripes(long address, List<AlignBatch.ScoredPair> pairs, int stripeCount, int pieces, boolean keeps) {
        this.pieces = pieces;
        int count = pairs.size();
        int[] firsts = new int[count + 1];
        long[] crossingPlaces = new long[count];
        long[] wayPlaces = new long[count];
        long crossings = 0;
        long ways = 0;
        for (int i = 0; i < count; i++) {
            int own = count(pairs.get(i));
            crossingPlaces[i] = crossings;
            wayPlaces[i] = ways / Integer.BYTES;
            firsts[i + 1] = firsts[i] + own;
            crossings += (long) own * pairs.get(i).bLength();
            ways += own * wayBytes(pairs.get(i).bLength(), pieces);
        }
        total = stripeCount;
        crossingBytes = CROSSING_BYTES * pieces * crossings;
        try {
            // mark border values that are not computed yet with a value that cannot occur there
            DeviceMemoryBuffer crossed = scratch.filled(crossingBytes, (byte) 0x80);
            DeviceMemoryBuffer kept = keeps ? scratch.allocate(ways) : null;
            stripes = new Stripes(
                    address,
                    DeviceArrays.writeInts(scratch, firsts).getAddress(),
                    count,
                    DeviceArrays.writeLongs(scratch, crossingPlaces).getAddress(),
                    crossed.getAddress(),
                    DeviceArrays.writeLongs(scratch, wayPlaces).getAddress(),
                    keeps ? kept.getAddress() : 0,
                    scratch.allocate((long) END_BYTES * total).getAddress(),
                    scratch.zeroInts(1).getAddress(),
                    0,
                    Integer.MAX_VALUE);
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /** Creates stripes that solve the only pair again and store its traceback directions. */
    private AlignStripes(Stripes solved, int pieces, int first, int end, int columns) {
        this.pieces = pieces;
        total = end - first;
        crossingBytes = 0;
        try {
            stripes = new Stripes(
                    solved.pairs(),
                    DeviceArrays.writeInts(scratch, 0, total).getAddress(),
                    1,
                    solved.crossingPlaces(),
                    solved.crossings(),
                    DeviceArrays.writeLongs(scratch, 0).getAddress(),
                    scratch.allocate(total * wayBytes(columns, pieces)).getAddress(),
                    scratch.allocate((long) END_BYTES * total).getAddress(),
                    scratch.zeroInts(1).getAddress(),
                    first,
                    columns);
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    private static int count(AlignBatch.ScoredPair pair) {
        return (pair.aLength() + HEIGHT - 1) / HEIGHT;
    }

    private static long steps(AlignBatch.ScoredPair pair) {
        return pair.bLength() + LANES - 1L;
    }

    /** Returns the size of one stripe's traceback directions in bytes. */
    private static long wayBytes(int columns, int pieces) {
        return (columns + LANES - 1L) * WAY_BYTES * pieces;
    }

    /**
     * Returns the size in bytes of stripes that have the given total number of columns, which includes the columns by
     * which lanes lag.
     */
    private static long bytes(long columns, int pieces, boolean keeps) {
        return columns * pieces * (CROSSING_BYTES + (keeps ? WAY_BYTES : 0));
    }

    /**
     * Selects as many pairs of a run as fit, but at least one.
     *
     * @param pairs the pairs of the run
     * @param pieces the number of pieces of gap costs
     * @param keeps whether to store traceback directions
     */
    static AlignStripes of(
            AlignBatch.Run run, List<AlignBatch.ScoredPair> pairs, int first, int pieces, boolean keeps) {
        long most = GpuMemory.ofSession().perLaunch();
        long bytes = 0;
        int stripes = 0;
        int end = first;
        while (end < pairs.size()) {
            AlignBatch.ScoredPair pair = pairs.get(end);
            bytes += bytes(count(pair) * steps(pair), pieces, keeps);
            if (end > first && bytes > most) {
                break;
            }
            stripes += count(pair);
            end++;
        }
        return new AlignStripes(run.address(first), pairs.subList(first, end), stripes, pieces, keeps);
    }

    /** Whether the border values and the traceback directions of a pair exceed the available memory. */
    static boolean needsParts(AlignBatch.ScoredPair pair, int pieces) {
        return bytes(count(pair) * steps(pair), pieces, true)
                > GpuMemory.ofSession().perInstance();
    }

    /** Selects one pair of a run, without traceback directions. */
    static AlignStripes withoutWays(AlignBatch.Run run, AlignBatch.ScoredPair pair, int index, int pieces) {
        return new AlignStripes(run.address(index), List.of(pair), count(pair), pieces, false);
    }

    /**
     * Recomputes stripes of the only pair after it has been solved, and stores their traceback directions. Recomputes
     * as many stripes as fit.
     *
     * @param rows the row, counted from 1, that the last recomputed stripe contains
     * @param columns the number of columns to recompute
     * @param most the maximum number of stripes; with more stripes, some would have to wait for others
     */
    AlignStripes again(int rows, int columns, int most) {
        int end = (rows + HEIGHT - 1) / HEIGHT;
        long room = GpuMemory.ofSession().perInstance() - crossingBytes;
        long fit = Math.max(1, Math.min(most, room / wayBytes(columns, pieces)));
        return new AlignStripes(stripes, pieces, (int) Math.max(0, end - fit), end, columns);
    }

    int count() {
        return stripes.count();
    }

    Stripes stripes() {
        return stripes;
    }

    /** Solves all stripes, with one warp per stripe, as many at a time as fit on the GPU. */
    void solve(Kernel kernel, int block, int sharedMemory, long scheme) {
        long blocks = ((long) total * LANES + block - 1) / block;
        kernel.grid((int) Math.min(blocks, kernel.residentBlocks(block, sharedMemory)))
                .block(block)
                .sharedMemory(sharedMemory)
                .launch(stripes, scheme);
    }

    /** Frees the memory without waiting for the kernels, because memory is freed in stream order. */
    @Override
    public void close() {
        scratch.close();
    }
}
