package dev.bellman.align.search;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the searches of {@link SearchFunctions} on the GPU, bit-parallel, with one thread or several lanes of a warp per
 * pair. The CPU searches for patterns that do not fit in a warp: those with more than 12,288 characters, or 1,024 if
 * some characters are not ASCII.
 *
 * @param anywhere whether the match may begin anywhere
 * @param position whether to return the match's position in addition to its distance
 */
record EditSearchKernel(SolverCall call, boolean anywhere, boolean position) implements ColumnarKernel {
    private static final int BLOCK = 256;

    /** The flags, and the addresses of each row's numbers ({@code Search} in {@code edit_search.cu}). */
    record Search(int anywhere, int last, long limits, long distances, long ends, long begins) {}

    @Override
    public Result evaluate(Batch batch) {
        PairGroups pairs = PairGroups.searches(batch, call);
        List<PairClass> classes = pairs.shapes();
        long bytes = (long) Integer.BYTES * batch.rows();
        DeviceMemoryBuffer distances = batch.allocate(bytes);
        if (!position) {
            long limits = PairGroups.limits(batch, call);
            Search search = new Search(anywhere ? 1 : 0, 0, limits, distances.getAddress(), 0, 0);
            classes.forEach(group -> solve(group, pairs.address(group.first()), search));
            leaveLong(pairs, classes);
            return Result.ints(distances);
        }
        DeviceMemoryBuffer ends = batch.allocate(bytes);
        DeviceMemoryBuffer begins = batch.scratch().filled(bytes, (byte) 0);
        Search search =
                new Search(anywhere ? 1 : 0, 0, 0, distances.getAddress(), ends.getAddress(), begins.getAddress());
        classes.forEach(group -> solve(group, pairs.address(group.first()), search));
        if (anywhere) {
            findBegins(batch, pairs, classes, search);
        }
        leaveLong(pairs, classes);
        return Result.struct(Result.ints(distances), Result.ints(begins), Result.ints(ends));
    }

    private void findBegins(Batch batch, PairGroups pairs, List<PairClass> classes, Search search) {
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        boolean anyWide = classes.stream().anyMatch(group -> group.symbols().isWide());
        int symbolBytes = anyWide ? Integer.BYTES : 1;
        long room =
                batch.allocate(symbolBytes * (a.valueBytes() + b.valueBytes())).getAddress();
        Search backward = new Search(0, 1, 0, search.distances(), search.ends(), search.begins());
        for (PairClass group : classes) {
            if (group.shape() >= PairClass.STRIPED) {
                continue;
            }
            DeviceMemoryBuffer turned = batch.allocate((long) PairGroups.PAIR_BYTES * group.count());
            module().kernel("edit_search_turn")
                    .warps(group.count(), BLOCK)
                    .launch(
                            pairs.address(group.first()),
                            group.count(),
                            group.symbols().isWide() ? 1 : 0,
                            a.offsets(),
                            b.offsets(),
                            symbolBytes,
                            room,
                            search,
                            turned.getAddress());
            solve(group, turned.getAddress(), backward);
        }
    }

    /** @param pairs the device address of the pairs of the class */
    private void solve(PairClass group, long pairs, Search search) {
        if (group.shape() == PairClass.EMPTY) {
            module().kernel("edit_search_empty").threads(group.count(), BLOCK).launch(pairs, group.count(), search);
        } else if (group.shape() != PairClass.STRIPED) {
            solve(group, letters(group), position, pairs, group.count(), search);
        }
    }

    /**
     * Solves pairs of a class whose patterns are not empty and fit in a warp.
     *
     * @param letters the part of the kernel's name that identifies the alphabet
     * @param places whether to find a column with the smallest value
     */
    static void solve(PairClass group, String letters, boolean places, long pairs, int count, Search search) {
        module().kernel("edit_search_%s%s_%sx%s"
                        .formatted(
                                places && group.lanes() == 1 ? "places_" : "", letters, group.lanes(), group.words()))
                .threads((long) group.lanes() * count, group.block())
                .launch(pairs, count, search);
    }

    /** Returns the part of a kernel's name that identifies the alphabet of a class. */
    static String letters(PairClass group) {
        return group.lanes() == 1 ? group.symbols().kernels() : group.symbols().longKernels();
    }

    /** Leaves patterns that do not fit in a warp to the CPU. */
    static void leaveLong(PairGroups pairs, List<PairClass> classes) {
        pairs.leaveToCpu(classes.stream()
                .filter(group -> group.shape() == PairClass.STRIPED)
                .flatMapToInt(group -> Arrays.stream(pairs.rows(group)))
                .boxed()
                .toList());
    }

    private static CudaModule module() {
        return CudaModule.load("align/search/edit_search");
    }
}
