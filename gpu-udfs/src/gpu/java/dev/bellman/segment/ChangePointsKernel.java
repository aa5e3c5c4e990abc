package dev.bellman.segment;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Runs {@code change_points(values, penalty, cost, min_size)} and
 * {@code change_points_of(values, count, cost, min_size)} on the GPU, with a group of lanes per series. A series
 * consists of numbers or points. The CPU solves long series, points of at least 128 dimensions, the cost {@code l1},
 * and penalties by a criterion other than {@code bic}. See {@code segment/change_points.cu}.
 */
record ChangePointsKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long offsets,
            long pointOffsets,
            long pointValidity,
            long validity,
            long values,
            long penalties,
            long criterionOffsets,
            long criteria,
            long numbers,
            long costOffsets,
            long costs,
            long minSizes) {}

    record Slots(
            long order,
            int count,
            int stride,
            long inverses,
            long sums,
            long sources,
            long targets,
            long keptSums,
            long keptKeys,
            long kept,
            long starts,
            int tables,
            int dimensions) {}

    record Answers(long counts, long points) {}

    /** The costs that the GPU supports, in the order of their numbers. */
    private static final String[] COSTS = {"l2", "normal", "poisson"};

    private static final DataType NUMBERS = Types.list(Types.DOUBLE);

    private static final int FEW_LANES = 8;
    private static final int ALL_LANES = 32;

    /**
     * The smallest number of values or points for which 32 lanes, instead of 8, solve a series. On an H200, 8 lanes are
     * faster for {@code l2} up to about 400 values, and 32 lanes are faster for {@code normal} from 200 values on.
     */
    private static final int LONG = 256;

    /**
     * A slot's bytes for each position of a series, without sums and the starts of segments: four doubles and an int.
     */
    private static final int BYTES_OF_A_POSITION = 4 * Double.BYTES + Integer.BYTES;

    /** A slot's bytes for the sums of each position and dimension. */
    private static final int BYTES_OF_SUMS = 4 * Double.BYTES;

    @Override
    public DataType type() {
        return Types.list(Types.INT);
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/change_points");
        int block = module.constant("SEGMENT_BLOCK");
        DeviceColumn series = batch.column(0, hasPoints() ? Types.list(NUMBERS) : NUMBERS);
        boolean byCriterion = isByCriterion();
        Calls calls = calls(batch, series);
        GpuMemory memory = GpuMemory.ofSession();
        int most = module.constant("MAX_VALUES");
        int sizes = module.constant("SIZES");
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant(hasPoints() ? "POINT_CLASSES" : "CLASSES"),
                key -> memory.largest(
                        most, values -> bytes(values + 1, dimensions(module, key), tables(key % sizes))),
                rows -> module.kernel("change_points_classify")
                        .threads((long) ALL_LANES * batch.rows(), block)
                        .launch(batch.rows(), batch.validity(), calls, rows));
        DeviceMemoryBuffer counts = batch.scratch().filled(Integer.BYTES * (batch.rows() + 1L), (byte) 0);
        Answers answers = new Answers(
                counts.getAddress(),
                batch.allocate((long) Integer.BYTES * series.elements().rows()).getAddress());
        for (Instances.Group group : instances.groups()) {
            if (byCriterion) {
                module.kernel("change_points_criterion")
                        .threads((long) ALL_LANES * group.count(), block)
                        .launch(
                                instances.order().getAddress() + (long) Integer.BYTES * group.from(),
                                group.count(),
                                calls);
            }
            long bytes = bytes(group.largest() + 1, dimensions(module, group.key()), tables(group.key() % sizes));
            int together = memory.together(group.count(), bytes);
            for (int from = group.from(); from < group.to(); from += together) {
                long order = instances.order().getAddress() + (long) Integer.BYTES * from;
                solve(module, group, order, Math.min(together, group.to() - from), calls, answers);
            }
        }
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer points = batch.allocate((long) Integer.BYTES * offsets.total());
        module.kernel("change_points_copy")
                .threads(batch.rows(), block)
                .launch(
                        batch.rows(),
                        calls,
                        answers,
                        instances.classified(),
                        offsets.buffer().getAddress(),
                        points.getAddress());
        return Result.lists(offsets, Result.ints(points));
    }

    private boolean hasPoints() {
        return call.type("values") instanceof ArrayType array && array.elementType() instanceof ArrayType;
    }

    private boolean hasNumber() {
        return call.column("count") >= 0;
    }

    private boolean isByCriterion() {
        return !hasNumber() && call.type("penalty").equals(DataTypes.StringType);
    }

    private Calls calls(Batch batch, DeviceColumn series) {
        int cost = call.column("cost");
        int minSize = call.column("min_size");
        DeviceColumn points = series.elements();
        DeviceColumn numbers = hasPoints() ? points.elements() : points;
        return new Calls(
                series.offsets(),
                hasPoints() ? points.offsets() : 0,
                hasPoints() ? points.validity() : 0,
                numbers.validity(),
                numbers.values(),
                hasNumber() ? 0 : penalties(batch, isByCriterion()),
                isByCriterion() ? batch.strings(1).offsets() : 0,
                isByCriterion() ? batch.strings(1).values() : 0,
                hasNumber() ? batch.ints(1).values() : 0,
                cost < 0 ? 0 : batch.strings(cost).offsets(),
                cost < 0 ? 0 : batch.strings(cost).values(),
                minSize < 0 ? 0 : batch.ints(minSize).values());
    }

    /**
     * Returns the address of the penalties. If the penalties are those of the Bayesian information criterion, the
     * memory is uninitialized, and a kernel computes them.
     */
    private static long penalties(Batch batch, boolean byCriterion) {
        return byCriterion
                ? batch.allocate((long) Double.BYTES * batch.rows()).getAddress()
                : batch.column(1, Types.DOUBLE).values();
    }

    /** Returns an upper bound on the number of segments, from the number of bits in the number of change points. */
    private static int tables(int bits) {
        return 1 << bits;
    }

    /** Returns an upper bound on the number of dimensions of a class's points; 1 for series of numbers. */
    private int dimensions(CudaModule module, int key) {
        return hasPoints() ? (2 << key / module.constant("CLASSES")) - 1 : 1;
    }

    private static long bytes(int positions, int dimensions, int tables) {
        return (BYTES_OF_A_POSITION + (long) BYTES_OF_SUMS * dimensions + (long) Integer.BYTES * tables) * positions;
    }

    private void solve(
            CudaModule module, Instances.Group group, long order, int count, Calls calls, Answers answers) {
        int block = module.constant("SEGMENT_BLOCK");
        int stride = group.largest() + 1;
        long positions = (long) count * stride;
        int sizes = module.constant("SIZES");
        int tables = tables(group.key() % sizes);
        int dimensions = dimensions(module, group.key());
        String cost = COSTS[group.key() % module.constant("CLASSES") / sizes / sizes];
        String name = "change_points_" + cost + (hasPoints() ? "_of_points_" : "_");
        int lanes = group.largest() < LONG ? FEW_LANES : ALL_LANES;
        try (Scratch scratch = new Scratch()) {
            Slots slots = new Slots(
                    order,
                    count,
                    stride,
                    scratch.allocate((long) Double.BYTES * stride).getAddress(),
                    scratch.allocate(BYTES_OF_SUMS * positions * dimensions).getAddress(),
                    scratch.allocate(Double.BYTES * positions).getAddress(),
                    scratch.allocate(Double.BYTES * positions).getAddress(),
                    scratch.allocate(Double.BYTES * positions).getAddress(),
                    scratch.allocate(Double.BYTES * positions).getAddress(),
                    scratch.allocate(Integer.BYTES * positions).getAddress(),
                    scratch.allocate(Integer.BYTES * positions * tables).getAddress(),
                    tables,
                    dimensions);
            module.kernel("change_points_sums").threads((long) count * dimensions, block).launch(slots, calls);
            module.kernel(name + lanes).threads((long) count * lanes, block).launch(slots, calls, answers);
        }
    }
}
