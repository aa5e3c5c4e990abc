package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.CellCounter;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Struct;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Treats a batch's rows as instances of a problem: checks them, groups them by class and counts their cells.
 *
 * <p>For each row, a kernel of the function family ({@code columns/instances.cuh}) writes the row's class, its size and
 * the number of cells in its table; or that the function rejects the row, or that the CPU must solve it. The rest is
 * the same for all families:
 *
 * <ul>
 *   <li>Rejected rows become null, or the batch fails with the CPU function's message for the first of them.
 *   <li>Rows for the CPU, and rows whose size exceeds the limit of their class, are solved on the CPU, and their
 *       results are merged into the result column.
 *   <li>The other rows are {@linkplain #order sorted} by class, so that one launch can solve similar instances.
 *   <li>When the result is complete, the cells of all rows that have a result are counted.
 * </ul>
 */
public final class Instances {
    /** The limit if the instances of every class may have any size. */
    public static final IntUnaryOperator UNLIMITED = key -> Integer.MAX_VALUE;

    private static final String MODULE = "columns/instances";
    private static final int ROW_BLOCK = 256;

    /**
     * The outputs of the classifying kernel: the addresses of the class (int32), the size (int32) and the number of
     * cells (int64) of each row.
     */
    public record Classified(long keys, long sizes, long cells) {}

    record Summary(long cells, int rejected, int firstRejected) {}

    /**
     * The rows of a class, as positions in {@link #order}.
     *
     * @param key the class
     * @param largest the largest size of any row in the group
     */
    public record Group(int key, int from, int to, int largest) {
        public int count() {
            return to - from;
        }

        /** Merges this group with later groups, whose rows must not be larger. */
        public Group upTo(int end) {
            return new Group(key, from, end, largest);
        }
    }

    /** Launches a kernel that classifies all rows. Null rows are assigned the class {@code NULL_ROW}. */
    @FunctionalInterface
    public interface Classifier {
        void classify(Classified rows);
    }

    private final Batch batch;
    private final FunctionOptions options;
    private final CpuFunction cpu;
    private final int classes;
    private final CudaModule module = CudaModule.load(MODULE);
    private final DeviceMemoryBuffer sizes;
    private final Classified rows;
    private final long limits;
    private final DeviceMemoryBuffer order;
    private List<Group> groups;
    private Summary summary;
    private int firstForCpu;
    private int forCpu;

    /**
     * Classifies and groups the rows of a call.
     *
     * @param classes the number of classes
     * @param limit for each class, the largest size that the GPU solves, or {@link #UNLIMITED}
     * @throws BellmanException the exception of the CPU function if it rejects a row that must not become null
     */
    public Instances(Batch batch, SolverCall call, int classes, IntUnaryOperator limit, Classifier classifier) {
        this(batch, call.options(), call::onCpu, classes, limit, classifier);
    }

    /** Works like the other constructor for options and a CPU function that differ from the call's. */
    public Instances(
            Batch batch,
            FunctionOptions options,
            CpuFunction cpu,
            int classes,
            IntUnaryOperator limit,
            Classifier classifier) {
        this.batch = batch;
        this.options = options;
        this.cpu = cpu;
        this.classes = classes;
        sizes = batch.allocateInts(batch.rows());
        rows = new Classified(
                batch.allocateInts(batch.rows()).getAddress(),
                sizes.getAddress(),
                batch.allocateLongs(batch.rows()).getAddress());
        order = batch.allocateInts(batch.rows());
        limits = limit == UNLIMITED
                ? 0
                : DeviceArrays.writeInts(
                                batch.scratch(),
                                IntStream.range(0, classes).map(limit).toArray())
                        .getAddress();
        classifier.classify(rows);
        sort(count());
        batch.solveOnCpu(this::rowsForCpu, options, cpu);
        batch.whenDone(() -> options.cells().add(summary.cells()));
    }

    /**
     * Classifies and groups the rows for a module that exports the number of its {@code CLASSES}, and whose rows need
     * memory in proportion to their size.
     *
     * @param unit the number of bytes per unit of size
     */
    public static Instances of(Batch batch, SolverCall call, CudaModule module, int unit, Classifier classifier) {
        int most = GpuMemory.ofSession().largest(unit);
        return new Instances(batch, call, module.constant("CLASSES"), key -> most, classifier);
    }

    /**
     * Counts the rows in each class. Fails if there are rejected rows that must not become null.
     *
     * @return the number of rows in each class, then the number of rows for the CPU, then the largest size in each
     *     class
     */
    private int[] count() {
        int slots = classes + 1;
        int summaryBytes = Struct.of(Summary.class).bytes();
        DeviceMemoryBuffer counted = batch.scratch().filled(summaryBytes + 2L * Integer.BYTES * slots, (byte) 0);
        long counts = counted.getAddress() + summaryBytes;
        Kernel count = module.kernel("instances_count");
        int block = module.constant("COUNT_BLOCK");
        int sharedMemory = 2 * Integer.BYTES * slots;
        long blocks = ((long) batch.rows() + block - 1) / block;
        count.grid((int) Math.min(blocks, count.residentBlocks(block, sharedMemory)))
                .block(block)
                .sharedMemory(sharedMemory)
                .launch(
                        batch.rows(),
                        rows,
                        classes,
                        limits,
                        counted.getAddress(),
                        counts,
                        counts + (long) Integer.BYTES * slots);
        ByteBuffer read = DeviceArrays.read(counted);
        batch.scratch().free(counted);
        summary = Struct.of(Summary.class).read(read, 0);
        if (summary.rejected() > 0 && options.onInvalid() == OnInvalid.FAIL) {
            throw rejection(batch.rows() - summary.firstRejected());
        }
        int[] found = new int[2 * slots];
        read.position(summaryBytes).asIntBuffer().get(found);
        return found;
    }

    /** Sorts the rows by class and separates the rows that do not have a class. */
    private void sort(int... counted) {
        int slots = classes + 1;
        int[] starts = new int[slots];
        groups = new ArrayList<>();
        for (int key = 0; key < classes; key++) {
            starts[key + 1] = starts[key] + counted[key];
            if (counted[key] > 0) {
                groups.add(new Group(key, starts[key], starts[key + 1], counted[slots + key]));
            }
        }
        DeviceMemoryBuffer places = DeviceArrays.writeInts(batch.scratch(), starts);
        int block = module.constant("ORDER_BLOCK");
        module.kernel("instances_order")
                .threads(batch.rows(), block)
                .sharedMemory(Integer.BYTES * slots)
                .launch(batch.rows(), rows, classes, places.getAddress(), order.getAddress());
        batch.scratch().free(places);

        firstForCpu = starts[classes];
        forCpu = counted[classes];
        if (summary.rejected() > 0 || forCpu > 0) {
            module.kernel("instances_set_null")
                    .threads(batch.rows(), ROW_BLOCK)
                    .launch(batch.rows(), rows, batch.writableValidity());
        }
    }

    /** Returns a group for each class that has rows, in ascending order of the classes. */
    public List<Group> groups() {
        return groups;
    }

    /** Returns the rows of all classes, class after class, and then the rows for the CPU, as int32. */
    public DeviceMemoryBuffer order() {
        return order;
    }

    /** Returns the rows of a group. */
    public int[] rows(Group group) {
        return DeviceArrays.readInts(order, group.from(), group.count());
    }

    /** Returns the sizes of a group's rows. */
    public int[] sizes(Group group) {
        int[] all = DeviceArrays.readInts(sizes, 0, batch.rows());
        return Arrays.stream(rows(group)).map(row -> all[row]).toArray();
    }

    /**
     * Returns the classification that the kernels wrote for the rows. Kernels may change the classification to reject
     * rows or to assign them to the CPU; call {@link #regroup} afterwards.
     */
    public Classified classified() {
        return rows;
    }

    /**
     * Rejects the rows of consecutive groups whose result is negative, which marks an overflow, and {@linkplain
     * #regroup regroups}.
     *
     * @param results contains an int64 for each row of the batch
     * @return whether any rows were rejected
     */
    public boolean rejectNegative(List<Group> of, DeviceMemoryBuffer results) {
        if (of.isEmpty()) {
            return false;
        }
        int from = of.get(0).from();
        int to = of.get(of.size() - 1).to();
        module.kernel("instances_reject_negative")
                .threads(to - from, ROW_BLOCK)
                .launch(rows, order.getAddress(), from, to, results.getAddress());
        return regroup();
    }

    /**
     * Separates the rows that kernels have rejected or assigned to the CPU since the rows were last grouped. Returns
     * whether there are such rows.
     */
    public boolean regroup() {
        int before = summary.rejected();
        int[] counted = count();
        boolean more = summary.rejected() > before || counted[classes] > forCpu;
        if (more) {
            sort(counted);
        }
        return more;
    }

    /**
     * Assigns rows to the CPU that turn out to be too large for the GPU, and regroups. In the GPU's result, these rows
     * must look like null rows.
     */
    public void leaveToCpu(List<Integer> left) {
        if (!left.isEmpty()) {
            DeviceMemoryBuffer written = DeviceArrays.writeInts(
                    batch.scratch(), left.stream().mapToInt(Integer::intValue).toArray());
            module.kernel("instances_leave_to_cpu")
                    .threads(left.size(), ROW_BLOCK)
                    .launch(rows, written.getAddress(), left.size());
            regroup();
        }
    }

    private int[] rowsForCpu() {
        return forCpu == 0 ? new int[0] : DeviceArrays.readInts(order, firstForCpu, forCpu);
    }

    /** Returns the exception that the CPU function throws for a rejected row. */
    private BellmanException rejection(int row) {
        try {
            cpu.call(new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE), batch.row(row));
        } catch (BellmanException e) {
            return e;
        }
        return new BellmanException(
                ErrorCode.BELLMAN_INTERNAL,
                "the GPU rejected row %d of a batch, but the CPU solved it: %s".formatted(row, batch.row(row)));
    }
}
