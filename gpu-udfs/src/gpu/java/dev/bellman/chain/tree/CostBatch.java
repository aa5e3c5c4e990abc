package dev.bellman.chain.tree;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Sorts the instances of a batch on the GPU by the width of their costs and by their number of leaves. Two lists of
 * costs define an instance. See {@code chain/tree/costs.cu}.
 */
final class CostBatch {
    /** The kernels of a problem. */
    interface Solver {
        /** Returns the maximum number of leaves of an instance, given the width of its costs. */
        int maxLeaves(int width, GpuMemory memory);

        /**
         * Solves the instances of a group: writes the costs (with negative bits if a cost overflows) and, if trees are
         * requested, the parts of the trees in preorder.
         *
         * @param width the width class of the costs
         * @param group one of the groups that {@link #instances} returns; its rows' sizes are their numbers of leaves,
         *     which differ by up to a factor of two
         * @param partOffsets the address of the offset of each row's first tree part; 0 if trees are not requested
         */
        void solve(CostBatch costs, int width, Instances.Group group, long partOffsets, long parts);
    }

    private static final int BLOCK = 128;

    private final Batch batch;
    private final Solver solver;
    private final DeviceColumn first;
    private final DeviceColumn second;
    private final CudaModule module = CudaModule.load("chain/tree/costs");
    private final int sizes = module.constant("SIZES");
    private final GpuMemory memory = GpuMemory.ofSession();
    private final Instances instances;
    private final DeviceMemoryBuffer costs;
    private final boolean doubles;

    /**
     * @param doubles whether the lists contain DOUBLE instead of BIGINT values
     * @param givenWeights whether the two lists are leaves and weights instead of keys and gaps
     */
    CostBatch(Batch batch, SolverCall call, boolean doubles, boolean givenWeights, Solver solver) {
        this.batch = batch;
        this.solver = solver;
        this.doubles = doubles;
        DType element = doubles ? DType.FLOAT64 : DType.INT64;
        first = batch.lists(0, element);
        second = batch.lists(1, element);
        costs = batch.allocateLongs(batch.rows());
        int[] maxLeaves = IntStream.range(0, module.constant("WIDTHS"))
                .map(width -> solver.maxLeaves(width, memory))
                .toArray();
        instances = new Instances(
                batch, call, maxLeaves.length * sizes, key -> maxLeaves[key / sizes], rows -> module.kernel(
                                "costs_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                first.offsets(),
                                first.elements().validity(),
                                first.elements().values(),
                                second.offsets(),
                                second.elements().validity(),
                                second.elements().values(),
                                givenWeights ? 1 : 0,
                                doubles ? 1 : 0,
                                rows));
    }

    /** Whether a list contains DOUBLE instead of BIGINT values. */
    static boolean hasDoubles(SolverCall call, String list) {
        return ((ArrayType) call.type(list)).elementType().equals(DataTypes.DoubleType);
    }

    DeviceColumn first() {
        return first;
    }

    DeviceColumn second() {
        return second;
    }

    Instances instances() {
        return instances;
    }

    int rows() {
        return batch.rows();
    }

    GpuMemory memory() {
        return memory;
    }

    /** Returns the cost of each instance as int64 or float64; it is undefined for null rows. */
    DeviceMemoryBuffer costs() {
        return costs;
    }

    /** Returns {@link #costs} as a column. */
    Result costColumn() {
        return doubles ? Result.doubles(costs) : Result.longs(costs);
    }

    /** Finds the costs. Rows that overflow become null. */
    void solve() {
        solve(0, 0);
        rejectOverflows();
    }

    /** The offsets of the parts of each tree, and the parts. */
    record Trees(Offsets offsets, DeviceMemoryBuffer parts) {}

    /**
     * Computes the costs and the trees. Rows that overflow become null. If rows become null, they lose their parts, so
     * the other rows are solved again.
     */
    Trees solveTrees() {
        while (true) {
            int rows = batch.rows();
            DeviceMemoryBuffer lengths = batch.allocateInts(rows + 1L);
            module.kernel("costs_lengths")
                    .threads(rows + 1L, BLOCK)
                    .launch(rows, instances.classified(), lengths.getAddress());
            Offsets offsets = batch.offsets(lengths);
            DeviceMemoryBuffer parts = batch.allocateInts(offsets.total());
            solve(offsets.buffer().getAddress(), parts.getAddress());
            if (!rejectOverflows()) {
                return new Trees(offsets, parts);
            }
            batch.scratch().free(parts);
        }
    }

    private void solve(long partOffsets, long parts) {
        instances.groups().forEach(group -> solver.solve(this, group.key() / sizes, group, partOffsets, parts));
    }

    /**
     * Rejects rows that overflow, and returns whether there are any. A double that marks an overflow also has negative
     * bits as an int64.
     */
    private boolean rejectOverflows() {
        return instances.rejectNegative(instances.groups(), costs);
    }
}
