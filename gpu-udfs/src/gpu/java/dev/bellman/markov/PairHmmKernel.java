package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Computes the base-10 logarithms of the likelihoods of reads on the GPU. See {@code markov/pair_hmm.cu}. */
record PairHmmKernel(SolverCall call) implements ColumnarKernel {
    static final String MODULE = "markov/pair_hmm";
    private static final int BLOCK = 256;

    private static final String FLOAT = "pair_hmm_float_";
    private static final String DOUBLE = "pair_hmm_";

    /**
     * Where the kernels write the results of a group.
     *
     * @param logs the address of the logarithms
     * @param rest the address of the rows whose likelihoods are too small or too large for floats, in any order
     * @param count the address of the number of these rows
     */
    record Results(long logs, long rest, long count) {}

    /** Kernels for pairs whose tables are not divided into strips, and the number of lanes that solve a pair. */
    record Shape(String kind, int rows, int lanes) {
        /** The number of lanes of the smallest shapes. */
        private static final int LEAST_LANES = 8;

        /**
         * Returns a shape for constant or varied probabilities of gaps.
         *
         * @param index the number of the shape, as {@code shape_of} returns it
         * @param most the maximum number of rows per lane
         */
        static Shape of(String kind, int index, int most) {
            if (index < most) {
                return new Shape(kind, index + 1, LEAST_LANES);
            }
            int half = most / 2;
            int larger = index - most;
            return new Shape(kind, half + 1 + larger % half, 2 * LEAST_LANES << larger / half);
        }

        /** Returns the shape that solves this shape's pairs with DOUBLE numbers. */
        Shape ofDoubles() {
            return kind.equals("openings")
                    ? new Shape("varied", (rows * lanes + Kernel.WARP - 1) / Kernel.WARP, Kernel.WARP)
                    : this;
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load(MODULE);
        PairHmmCalls calls = PairHmmCalls.of(batch, call);
        int lengths = module.constant("PAIR_HMM_LENGTHS");
        Instances instances = new Instances(
                batch,
                call,
                module.constant("PAIR_HMM_SHAPES") * lengths,
                key -> longestHaplotype(module, key / lengths),
                classified -> module.kernel("pair_hmm_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        DeviceMemoryBuffer logs = batch.allocateDoubles(batch.rows());
        List<Instances.Group> groups = ofShapes(instances.groups(), lengths);
        DeviceMemoryBuffer rest = batch.scratch().allocateInts(batch.rows());
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(groups.size());
        for (int g = 0; g < groups.size(); g++) {
            Instances.Group group = groups.get(g);
            Results results = new Results(
                    logs.getAddress(),
                    rest.getAddress() + (long) Integer.BYTES * group.from(),
                    counts.getAddress() + (long) Integer.BYTES * g);
            solve(module, FLOAT, group, group.key() / lengths, instances.order(), calls, results);
        }
        int[] counted = DeviceArrays.readInts(counts, 0, groups.size());
        for (int g = 0; g < groups.size(); g++) {
            Instances.Group all = groups.get(g);
            Instances.Group group = new Instances.Group(all.key(), all.from(), all.from() + counted[g], all.largest());
            if (group.count() > 0) {
                solve(module, DOUBLE, group, group.key() / lengths, rest, calls, new Results(logs.getAddress(), 0, 0));
            }
        }
        return Result.doubles(logs);
    }

    /** Merges the length classes of each shape. */
    private static List<Instances.Group> ofShapes(List<Instances.Group> groups, int lengths) {
        List<Instances.Group> merged = new ArrayList<>();
        for (Instances.Group group : groups) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).key() / lengths == group.key() / lengths) {
                merged.set(last, merged.get(last).upTo(group.to()));
            } else {
                merged.add(group);
            }
        }
        return merged;
    }

    /** Returns the number of bytes that a shape needs for each base of the haplotype. */
    private static int borderBytes(CudaModule module, int shape) {
        return shape == module.constant("LONG_SHAPE")
                ? module.constant("LONG_BORDER_BYTES")
                : shape == module.constant("WIDE_SHAPE") ? module.constant("WIDE_BORDER_BYTES") : 0;
    }

    /** Returns the length of the longest haplotype for which a shape's memory suffices. */
    private static int longestHaplotype(CudaModule module, int shape) {
        int bytes = borderBytes(module, shape);
        return bytes == 0 ? Integer.MAX_VALUE : GpuMemory.ofSession().largest(bytes);
    }

    private static void solve(
            CudaModule module,
            String numbers,
            Instances.Group group,
            int index,
            DeviceMemoryBuffer order,
            PairHmmCalls calls,
            Results results) {
        if (borderBytes(module, index) > 0) {
            Kernel kernel = module.kernel(numbers + (index == module.constant("LONG_SHAPE") ? "long" : "wide"));
            long bytes = (long) borderBytes(module, index) * group.largest();
            new Slots(GpuMemory.ofSession(), order.getAddress())
                    .solve(group, new Slots.Shape(kernel, Kernel.WARP), bytes, calls, results);
            return;
        }
        Shape shape = numbers.equals(FLOAT)
                ? shape(module, index)
                : shape(module, index).ofDoubles();
        module.kernel("%s%s_%s".formatted(numbers, shape.kind(), shape.rows()))
                .threads((long) shape.lanes() * group.count(), module.constant("PAIR_HMM_BLOCK"))
                .launch(order.getAddress(), group.from(), group.to(), shape.lanes(), calls, results);
    }

    private static Shape shape(CudaModule module, int index) {
        int first = 0;
        for (String kind : List.of("constant", "openings", "varied")) {
            int most = module.constant(kind.toUpperCase(Locale.ROOT) + "_ROWS");
            if (index < first + 2 * most) {
                return Shape.of(kind, index - first, most);
            }
            first += 2 * most;
        }
        throw new IllegalArgumentException("there is no shape " + index);
    }
}
