package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Solves those long pairs of a batch that differ by few edits ({@code edit_wave.cuh}), and leaves the other pairs to
 * the kernels that fill tables.
 */
final class EditWaves {
    /** The arguments of the kernels ({@code EditWaves} in {@code edit_wave.cuh}). */
    record Waves(long pairs, int least, int most, int cap, long limits, long results, long solved, long countSolved) {}

    /** The static shared memory of a block in bytes, rounded up. */
    private static final int STATIC_BYTES = 1_024;

    private static final int ROWS_PER_WORD = 32;
    private static final int GATHER_BLOCK = 256;

    private final CudaModule module = CudaModule.load("align/distance/edit_wave");
    private final int small = module.constant("WAVE_SMALL");
    private final PairGroups groups;
    private final long limits;
    private final DeviceMemoryBuffer results;

    /**
     * @param limits the address of each row's maximum distance, or 0 if there is no limit
     * @param results receives an int32 for each row
     */
    EditWaves(PairGroups groups, long limits, DeviceMemoryBuffer results) {
        this.groups = groups;
        this.limits = limits;
        this.results = results;
    }

    /** Solves pairs that differ by few edits and returns the classes of the other pairs. */
    List<PairClass> solve() {
        List<PairClass> classes = groups.shapes();
        List<PairClass> tried = classes.stream().filter(this::isLong).toList();
        if (tried.isEmpty()) {
            return classes;
        }
        List<PairClass> left = new ArrayList<>(classes);
        left.removeAll(tried);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer solved = scratch.zeroInts(groups.count());
            DeviceMemoryBuffer counts = scratch.zeroInts(tried.size());
            for (int i = 0; i < tried.size(); i++) {
                solve(
                        tried.get(i),
                        solved.getAddress()
                                + (long) Integer.BYTES * tried.get(i).first(),
                        counts.getAddress() + (long) Integer.BYTES * i);
            }
            int[] count = DeviceArrays.readInts(counts, 0, tried.size());
            for (int i = 0; i < tried.size(); i++) {
                PairClass group = tried.get(i);
                if (count[i] == 0) {
                    left.add(group);
                } else if (count[i] < group.count()) {
                    left.add(without(group, DeviceArrays.readInts(solved, group.first(), group.count())));
                }
            }
        }
        return left;
    }

    private boolean isLong(PairClass group) {
        return switch (group.shape()) {
            case PairClass.EMPTY -> false;
            case PairClass.STRIPED -> true;
            default -> ROWS_PER_WORD * group.lanes() * group.words() >= module.constant("WAVE_LETTERS");
        };
    }

    private void solve(PairClass group, long solved, long count) {
        launch(group, 0, small, small, module.constant("WAVE_SMALL_BLOCK"), solved, count);
        if (group.shape() == PairClass.STRIPED) {
            int bound = largestBound(group);
            int medium = module.constant("WAVE_MEDIUM");
            if (bound > small) {
                launch(group, small + 1, medium, medium, module.constant("WAVE_MEDIUM_BLOCK"), solved, count);
            }
            if (bound > medium) {
                int available = Device.current().sharedMemoryPerBlock() - STATIC_BYTES;
                int cap = Math.min(bound, available / (2 * Integer.BYTES) - module.constant("WAVE_MARGIN"));
                int block = module.constant("WAVE_LARGE_BLOCK");
                launch(group, medium + 1, Integer.MAX_VALUE, cap, block, solved, count);
            }
        }
    }

    private int largestBound(PairClass group) {
        int[] lengths = groups.lengths(group);
        int longest = 0;
        for (int i = 0; i < lengths.length; i += 2) {
            longest = Math.max(longest, Math.min(lengths[i], lengths[i + 1]));
        }
        return longest / module.constant("LETTERS_OF_AN_EDIT");
    }

    /** Solves those pairs of a class whose bounds are between {@code least} and {@code most}. */
    private void launch(PairClass group, int least, int most, int cap, int block, long solved, long count) {
        Kernel kernel = module.kernel(group.symbols().isWide() ? "edit_wave_characters" : "edit_wave_bytes");
        kernel.grid(group.count())
                .block(block)
                .sharedMemory(2 * Integer.BYTES * (cap + module.constant("WAVE_MARGIN")))
                .launch(new Waves(
                        groups.address(group.first()), least, most, cap, limits, results.getAddress(), solved, count));
    }

    /** Moves the pairs that are not solved to the front of the class, and returns the class of these pairs. */
    private PairClass without(PairClass group, int... solved) {
        int[] left =
                IntStream.range(0, solved.length).filter(i -> solved[i] == 0).toArray();
        Kernel gather = module.kernel("edit_wave_gather");
        long pairs = groups.address(group.first());
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer moved = scratch.allocate((long) PairGroups.PAIR_BYTES * left.length);
            long members = DeviceArrays.writeInts(scratch, left).getAddress();
            gather.threads(left.length, GATHER_BLOCK).launch(pairs, members, left.length, moved.getAddress());
            gather.threads(left.length, GATHER_BLOCK).launch(moved.getAddress(), 0L, left.length, pairs);
        }
        return new PairClass(group.symbols(), group.shape(), group.textClass(), group.first(), left.length);
    }
}
