package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes distances with transpositions on the GPU, cell by cell. A few threads solve a short pair; a long pair is
 * solved in tiles. See {@code align/distance/transpositions.cuh}.
 */
final class TranspositionTables {
    private static final int BLOCK = 128;

    /**
     * The possible numbers of columns per thread. The choice minimizes the number of threads, then the number of idle
     * columns.
     */
    private static final int[] COLUMNS = {6, 8, 10};

    private final CudaModule module;
    private final String kernels;
    private final PairGroups pairs;
    private final long limits;
    private final DeviceMemoryBuffer distances;
    private final GpuMemory memory = GpuMemory.ofSession();

    /**
     * @param file the source file of the kernels, whose name is also the prefix of their names
     * @param limits the address of each row's maximum distance; 0 if there is no limit
     * @param distances receives an int32 for each row
     */
    TranspositionTables(String file, PairGroups pairs, long limits, DeviceMemoryBuffer distances) {
        module = CudaModule.load("align/distance/" + file);
        kernels = file;
        this.pairs = pairs;
        this.limits = limits;
        this.distances = distances;
    }

    void solve(PairClass group) {
        if (group.shape() == PairClass.EMPTY) {
            module.kernel(kernels + "_empty")
                    .threads(group.count(), BLOCK)
                    .launch(pairs.address(group.first()), group.count(), limits, distances.getAddress());
            return;
        }
        int longest =
                group.shape() == PairClass.STRIPED ? Integer.MAX_VALUE : Kernel.WARP * group.lanes() * group.words();
        if (longest <= Kernel.WARP * COLUMNS[COLUMNS.length - 1]) {
            solveByThreads(group, longest);
        } else {
            solveByTiles(group);
        }
    }

    private String symbols(PairClass group) {
        return kernels + (group.symbols().isWide() ? "_characters_" : "_bytes_");
    }

    private void solveByThreads(PairClass group, int longest) {
        int threads = threads(longest, COLUMNS[COLUMNS.length - 1]);
        int columns = Arrays.stream(COLUMNS)
                .filter(each -> threads(longest, each) == threads)
                .findFirst()
                .orElseThrow();
        module.kernel(symbols(group) + columns)
                .threads((long) threads * group.count(), BLOCK)
                .launch(pairs.address(group.first()), group.count(), threads, limits, distances.getAddress());
    }

    /** Returns the number of threads for a pair; always a power of two. */
    private static int threads(int length, int columns) {
        int needed = (length + columns - 1) / columns;
        return needed == 1 ? 1 : Integer.highestOneBit(needed - 1) * 2;
    }

    /** Solves as many pairs at a time as the memory allows; the CPU solves pairs that do not fit. */
    private void solveByTiles(PairClass group) {
        int[] lengths = pairs.lengths(group);
        long[] bytes = IntStream.range(0, group.count())
                .mapToLong(i -> bytes(lengths[2 * i], lengths[2 * i + 1]))
                .toArray();
        List<Integer> tooLarge = new ArrayList<>();
        int[] rows = pairs.rows(group);
        for (int first = 0; first < group.count(); ) {
            int end = first;
            long together = 0;
            while (end < group.count() && (end == first || together + bytes[end] <= memory.perLaunch())) {
                together += bytes[end++];
            }
            if (together > memory.perInstance()) {
                tooLarge.add(rows[first]);
            } else {
                solveTiles(group, first, end, lengths, bytes, together);
            }
            first = end;
        }
        pairs.leaveToCpu(tooLarge);
    }

    private void solveTiles(PairClass group, int first, int end, int[] lengths, long[] bytes, long together) {
        long[] places = new long[end - first];
        int stripes = 0;
        int chunks = 0;
        for (int i = first; i < end; i++) {
            places[i - first] = i == first ? 0 : places[i - first - 1] + bytes[i - 1];
            stripes = Math.max(stripes, stripes(lengths[2 * i]));
            chunks = Math.max(chunks, (lengths[2 * i + 1] - 1) / module.constant("CHUNK") + 1);
        }
        try (Scratch scratch = new Scratch()) {
            long room = scratch.allocate(together).getAddress();
            long placesOnGpu = DeviceArrays.writeLongs(scratch, places).getAddress();
            for (int diagonal = 0; diagonal < stripes + chunks - 1; diagonal++) {
                module.kernel(symbols(group) + "tiles")
                        .warps((long) stripes * places.length, BLOCK)
                        .launch(
                                pairs.address(group.first() + first),
                                places.length,
                                stripes,
                                diagonal,
                                placesOnGpu,
                                room,
                                limits,
                                distances.getAddress());
            }
        }
    }

    private int stripes(int pattern) {
        return (pattern - 1) / module.constant("STRIPE") + 1;
    }

    /** Returns the number of bytes that a pair needs for the values that cross the borders of its tiles. */
    private long bytes(int pattern, int text) {
        return (long) module.constant("CROSSING_BYTES") * text
                + (long) module.constant("STRIPE_BYTES") * stripes(pattern);
    }
}
