package dev.bellman.series;

import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;

/**
 * Launches the kernels for pairs whose tables are stored in registers ({@code series/whole.cuh}). The classes of these
 * pairs follow the classes of all other pairs; the size of a pair is the length of the longer series.
 */
final class WholeTables {
    record SeriesWhole(long order, int from, int to, long ticket, int lanes, int stride) {}

    private final int firstClass;
    private final int sizes;
    private final int widths;
    private final int heights;
    private final int minRows;
    private final int moreRows;
    private final int maxRows;
    private final int parts;
    private final int unrolled;

    /** @param batch the module {@code series/batch}, which contains the constants */
    WholeTables(CudaModule batch) {
        firstClass = batch.constant("STRIPE_CLASSES");
        sizes = batch.constant("WHOLE_SIZES");
        widths = batch.constant("WHOLE_WIDTHS");
        heights = batch.constant("WHOLE_HEIGHTS");
        minRows = batch.constant("WHOLE_MIN_ROWS");
        moreRows = batch.constant("WHOLE_MORE_ROWS");
        maxRows = batch.constant("WHOLE_MAX_ROWS");
        parts = batch.constant("WHOLE_PARTS");
        unrolled = batch.constant("WHOLE_UNROLLED");
    }

    int firstClass() {
        return firstClass;
    }

    /** Whether the pairs of a group are solved with tables in registers. */
    boolean has(Instances.Group group) {
        return group.key() >= firstClass;
    }

    private int shape(Instances.Group group) {
        return has(group) ? (group.key() - firstClass) / sizes : -1;
    }

    /** Returns the groups of a batch, where groups that one launch can solve are merged. */
    List<Instances.Group> merged(List<Instances.Group> groups) {
        List<Instances.Group> merged = new ArrayList<>();
        int before = -1;
        for (Instances.Group group : groups) {
            int shape = shape(group);
            if (shape >= 0 && shape == before) {
                merged.add(merged.remove(merged.size() - 1).upTo(group.to()));
            } else {
                merged.add(group);
            }
            before = shape;
        }
        return merged;
    }

    /**
     * Solves a group.
     *
     * @param names the names of the cell rules, indexed by the power of the differences minus 1
     * @param suffix the suffix that a rule's name has for the type of the numbers
     */
    void solve(
            Instances.Group group,
            String[] names,
            String suffix,
            int numberBytes,
            SeriesKernel.Calls calls,
            SeriesKernel.Answers answers,
            long order) {
        int shape = shape(group);
        int lanes = 1 << shape % widths;
        int height = shape / widths % heights;
        int rows = height + 1 < heights ? minRows + height * moreRows : maxRows;
        String name = "whole_" + names[shape / widths / heights];
        Kernel kernel = CudaModule.load("series/" + name).kernel("series_%s%s_%s".formatted(name, suffix, rows));
        // the stride is odd, so that lanes of different pairs read different banks
        int stride = lanes * rows + group.largest() + 2 * lanes * parts + unrolled | 1;
        int sharedMemory = Kernel.WARP / lanes * stride * numberBytes;
        long blocks = ((long) lanes * group.count() + Kernel.WARP - 1) / Kernel.WARP;
        try (Scratch scratch = new Scratch()) {
            long ticket = scratch.zeroInts(1).getAddress();
            kernel.grid((int) Math.min(blocks, kernel.residentBlocks(Kernel.WARP, sharedMemory)))
                    .block(Kernel.WARP)
                    .sharedMemory(sharedMemory)
                    .launch(new SeriesWhole(order, group.from(), group.to(), ticket, lanes, stride), calls, answers);
        }
    }
}
