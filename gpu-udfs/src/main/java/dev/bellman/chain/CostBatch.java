package dev.bellman.chain;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.OnInvalid;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.ListColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The instances of a batch that are given by two lists of costs, on the GPU, sorted by the width of their costs and by size. See
 * {@code chain/costs.cu}.
 */
final class CostBatch {
    /**
     * Instances of one width whose leaves differ by up to a factor of two: positions in {@link #order}.
     *
     * @param leaves the most of an instance
     */
    record Group(int width, int from, int to, int leaves) {
        int count() {
            return to - from;
        }
    }

    /** The kernels of a problem. */
    interface Solver {
        /**
         * Solves the instances of a group: writes the costs, bits that are negative where one overflows, and, if trees are wanted, their
         * parts in preorder.
         *
         * @param partOffsets address of where the parts of each row begin; 0 if trees are not wanted
         */
        void solve(CostBatch costs, Group group, long partOffsets, long parts);
    }

    /** Bytes of scratch memory that suffice to keep the device busy; an instance that needs more gets it. */
    private static final long SCRATCH = 2L << 30;

    private static final int CLASSES = 32;
    private static final int WIDTHS = 3;
    private static final int MOST_LEAVES = WIDTHS * CLASSES;
    private static final int FIRST_REJECTED = 2 * WIDTHS * CLASSES;
    private static final int BLOCK = 128;

    private final Batch batch;
    private final CostsUdf udf;
    private final boolean givenWeights;
    private final ListColumn first;
    private final ListColumn second;
    private final CudaModule module = CudaModule.load("chain/costs");
    private final DeviceMemoryBuffer states;
    private final DeviceMemoryBuffer leaves;
    private final DeviceMemoryBuffer keys;
    private final DeviceMemoryBuffer order;
    private final DeviceMemoryBuffer costs;
    private DeviceMemoryBuffer counts;
    private List<Group> groups;

    /** @param givenWeights whether the lists are leaves and weights, and not keys and gaps */
    CostBatch(Batch batch, CostsUdf udf, boolean givenWeights) {
        this.batch = batch;
        this.udf = udf;
        this.givenWeights = givenWeights;
        DType element = udf.doubles ? DType.FLOAT64 : DType.INT64;
        first = batch.lists(0, element);
        second = batch.lists(1, element);
        int rows = batch.rows();
        states = batch.scratch().filled(rows, (byte) 0);
        leaves = batch.allocate(4L * rows);
        keys = batch.allocate(4L * rows);
        order = batch.allocate(4L * rows);
        costs = batch.allocate(8L * rows);
        sort();
        setRejectedNull();
    }

    ListColumn first() {
        return first;
    }

    ListColumn second() {
        return second;
    }

    /** The rows by group, int32. */
    DeviceMemoryBuffer order() {
        return order;
    }

    /** The cost of each instance, int64 or float64; undefined where the row is null. */
    DeviceMemoryBuffer costs() {
        return costs;
    }

    /** How many leaves each of some rows has. */
    int[] leaves(int[] rows) {
        int[] all = DeviceArrays.readInts(leaves, 0, batch.rows());
        return IntStream.of(rows).map(row -> all[row]).toArray();
    }

    /** Finds the costs; rows that overflow become null. */
    void solve(Solver solver) {
        groups.forEach(group -> solver.solve(this, group, 0, 0));
        if (setOverflowsNull()) {
            sort();
        }
        count();
    }

    /** Where the trees' parts begin, and the parts. */
    record Trees(Offsets offsets, DeviceMemoryBuffer parts) {}

    /** Finds the costs and the trees. If rows overflow they become null, and since these have no parts the others are solved again. */
    Trees solveTrees(Solver solver) {
        while (true) {
            int rows = batch.rows();
            DeviceMemoryBuffer lengths = batch.allocate(4L * (rows + 1L));
            module.kernel("costs_lengths")
                    .threads(rows + 1L, BLOCK)
                    .launch(rows, leaves.getAddress(), lengths.getAddress());
            Offsets offsets = batch.offsets(lengths);
            DeviceMemoryBuffer parts = batch.allocate(4L * offsets.total());
            groups.forEach(group -> solver.solve(this, group, offsets.buffer().getAddress(), parts.getAddress()));
            if (!setOverflowsNull()) {
                count();
                return new Trees(offsets, parts);
            }
            batch.scratch().free(parts);
            sort();
        }
    }

    /** The number of slots of so many bytes that a group may have; at least one. */
    static int slots(Group group, long slotBytes, int residentBlocks) {
        return (int) Math.min(Math.min(group.count(), residentBlocks), Math.max(1, SCRATCH / slotBytes));
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if one instance's table is larger than the device's memory */
    void checkMemory(Group group, long slotBytes) {
        long memory = Cuda.memGetInfo().total;
        if (slotBytes > memory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: the table of an instance of %d leaves takes %d bytes; the GPU has %d"
                            .formatted(udf.function, group.leaves(), slotBytes, memory));
        }
    }

    private void sort() {
        int rows = batch.rows();
        counts = batch.scratch().filled(4L * (FIRST_REJECTED + 1), (byte) 0);
        module.kernel("costs_classify")
                .threads(32L * rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        first.offsets(),
                        first.elementValidity(),
                        first.values(),
                        second.offsets(),
                        second.elementValidity(),
                        second.values(),
                        givenWeights ? 1 : 0,
                        udf.doubles ? 1 : 0,
                        states.getAddress(),
                        leaves.getAddress(),
                        keys.getAddress(),
                        counts.getAddress());
        int[] summary = DeviceArrays.readInts(counts, 0, FIRST_REJECTED);
        int[] starts = new int[WIDTHS * CLASSES];
        groups = new ArrayList<>();
        int from = 0;
        for (int key = 0; key < starts.length; key++) {
            starts[key] = from;
            int to = from + summary[key];
            if (to > from) {
                groups.add(new Group(key / CLASSES, from, to, summary[MOST_LEAVES + key]));
            }
            from = to;
        }
        module.kernel("costs_order")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        keys.getAddress(),
                        DeviceArrays.writeInts(batch.scratch(), starts).getAddress(),
                        order.getAddress());
    }

    private boolean setOverflowsNull() {
        module.kernel("costs_reject_overflows")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), costs.getAddress(), states.getAddress(), counts.getAddress());
        return setRejectedNull();
    }

    /** Makes rejected rows null, or throws what the CPU does for the first of them; whether there are any since the last sorting. */
    private boolean setRejectedNull() {
        int rejected = DeviceArrays.readInts(counts, FIRST_REJECTED, 1)[0];
        if (rejected == 0) {
            return false;
        }
        if (udf.options.onInvalid() == OnInvalid.FAIL) {
            throw failure(batch.rows() - rejected);
        }
        CudaModule.load("chain/batch")
                .kernel("chain_set_null")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), states.getAddress(), batch.writableValidity());
        Cuda.asyncMemset(counts.getAddress() + 4L * FIRST_REJECTED, (byte) 0, Integer.BYTES);
        return true;
    }

    /** What the CPU says of a row that is not allowed. */
    private BellmanException failure(int row) {
        List<Object> lists = batch.row(row);
        try {
            udf.call((ArrayData) lists.get(0), (ArrayData) lists.get(1));
        } catch (BellmanException e) {
            return e;
        }
        return new BellmanException(
                ErrorCode.BELLMAN_INTERNAL,
                "%s: the GPU rejects row %d of a batch that the CPU solves".formatted(udf.function, row));
    }

    /** Counts the candidates of the tables; last of all, for what comes before may run again. */
    private void count() {
        DeviceMemoryBuffer candidates = batch.scratch().filled(Long.BYTES, (byte) 0);
        module.kernel("costs_candidates")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), leaves.getAddress(), candidates.getAddress());
        udf.options.cells().add(DeviceArrays.readLongs(candidates, 0, 1)[0]);
    }
}
