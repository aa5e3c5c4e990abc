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
 * consists of numbers or points. The CPU solves long series, points of at least 128 dimensions, and penalties by a
 * criterion other than {@code bic}. See {@code segment/change_points.cu}.
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
            int dimensions,
            Trees trees) {}

    record Trees(long sums, long sorted, long unsorted, long magnitudes, long zeros, long places, int levels) {
        static final Trees NONE = new Trees(0, 0, 0, 0, 0, 0, 0);
    }

    record Answers(long counts, long points) {}

    /** The costs that the GPU supports, in the order of their numbers. */
    private static final String[] COSTS = {"l2", "normal", "poisson", "l1"};

    private static final DataType NUMBERS = Types.list(Types.DOUBLE);

    private static final int FEW_LANES = 8;
    private static final int ALL_LANES = 32;

    /**
     * The smallest number of values or points for which 32 lanes, instead of 8, solve a series. On an H200, 8 lanes are
     * faster for {@code l2} up to about 400 values, and 32 lanes are faster for {@code normal} from 200 values on.
     */
    private static final int LONG = 256;

    /**
     * A slot's bytes for each position of a series, without sums, trees and the starts of segments: four doubles and an
     * int.
     */
    private static final int BYTES_OF_A_POSITION = 4 * Double.BYTES + Integer.BYTES;

    /** A slot's bytes for the sums of each position and dimension. */
    private static final int BYTES_OF_SUMS = 4 * Double.BYTES;

    /** A tree's bytes for the sum of each position and level. */
    private static final int BYTES_OF_A_PAIR = 2 * Double.BYTES;

    /** A tree's bytes for each position, without levels: two doubles and two shorts. */
    private static final int BYTES_OF_A_PLACE = 2 * Double.BYTES + 2 * Short.BYTES;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/change_points");
        int block = module.constant("SEGMENT_BLOCK");
        DeviceColumn series = batch.column(0, hasPoints() ? Types.list(NUMBERS) : NUMBERS);
        boolean byCriterion = isByCriterion();
        Calls calls = calls(batch, series);
        GpuMemory memory = GpuMemory.ofSession();
        int most = module.constant("MAX_VALUES");
        Instances instances = new Instances(
                batch,
                call,
                module.constant(hasPoints() ? "POINT_CLASSES" : "CLASSES"),
                key -> memory.largest(most, values -> bytes(module, key, values + 1)),
                rows -> module.kernel("change_points_classify")
                        .threads((long) ALL_LANES * batch.rows(), block)
                        .launch(batch.rows(), batch.validity(), calls, rows));
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(batch.rows() + 1L);
        Answers answers = new Answers(
                counts.getAddress(),
                batch.allocateInts(series.elements().rows()).getAddress());
        for (Instances.Group group : instances.groups()) {
            if (byCriterion) {
                module.kernel("change_points_criterion")
                        .threads((long) ALL_LANES * group.count(), block)
                        .launch(
                                instances.order().getAddress() + (long) Integer.BYTES * group.from(),
                                group.count(),
                                calls);
            }
            int together = memory.together(group.count(), bytes(module, group.key(), group.largest() + 1));
            for (int from = group.from(); from < group.to(); from += together) {
                long order = instances.order().getAddress() + (long) Integer.BYTES * from;
                solve(module, group, order, Math.min(together, group.to() - from), calls, answers);
            }
        }
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer points = batch.allocateInts(offsets.total());
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
                ? batch.allocateDoubles(batch.rows()).getAddress()
                : batch.column(1, Types.DOUBLE).values();
    }

    /**
     * Returns an upper bound on the number of segments of a class's rows. The class contains the number of bits in the
     * number of values and that in the number of change points, as an index in the list of pairs (0, 0), (1, 0),
     * (1, 1), (2, 0) and so on.
     */
    private static int tables(CudaModule module, int key) {
        int pair = key % module.constant("PAIRS");
        for (int bits = 0; pair > bits; bits++) {
            pair -= bits + 1;
        }
        return 1 << pair;
    }

    private static String cost(CudaModule module, int key) {
        return COSTS[key % module.constant("CLASSES") / module.constant("PAIRS")];
    }

    /** Returns an upper bound on the number of dimensions of a class's points; 1 for series of numbers. */
    private int dimensions(CudaModule module, int key) {
        return hasPoints() ? (2 << key / module.constant("CLASSES")) - 1 : 1;
    }

    private long bytes(CudaModule module, int key, int positions) {
        int ofADimension = BYTES_OF_SUMS;
        if (cost(module, key).equals("l1")) {
            int levels = RankTree.levels(positions - 1);
            ofADimension = BYTES_OF_A_PLACE + levels * Short.BYTES + (levels + 1) * BYTES_OF_A_PAIR;
        }
        return (BYTES_OF_A_POSITION
                        + (long) ofADimension * dimensions(module, key)
                        + (long) Integer.BYTES * tables(module, key))
                * positions;
    }

    private void solve(CudaModule module, Instances.Group group, long order, int count, Calls calls, Answers answers) {
        int block = module.constant("SEGMENT_BLOCK");
        int stride = group.largest() + 1;
        long positions = (long) count * stride;
        int tables = tables(module, group.key());
        int dimensions = dimensions(module, group.key());
        long series = (long) count * dimensions;
        String cost = cost(module, group.key());
        boolean hasTrees = cost.equals("l1");
        int lanes = group.largest() < LONG ? FEW_LANES : ALL_LANES;
        try (Scratch scratch = new Scratch()) {
            Slots slots = new Slots(
                    order,
                    count,
                    stride,
                    doubles(scratch, hasTrees ? 0 : stride),
                    scratch.allocate(hasTrees ? 0 : BYTES_OF_SUMS * positions * dimensions)
                            .getAddress(),
                    doubles(scratch, positions),
                    doubles(scratch, positions),
                    doubles(scratch, cost.equals("l2") ? positions : 0),
                    doubles(scratch, positions),
                    scratch.allocateInts(positions).getAddress(),
                    scratch.allocate(Integer.BYTES * positions * tables).getAddress(),
                    tables,
                    dimensions,
                    hasTrees ? trees(scratch, series, stride) : Trees.NONE);
            if (hasTrees) {
                module.kernel("change_points_ranks")
                        .threads(ALL_LANES * series, block)
                        .launch(slots, calls);
                long levels = slots.trees().levels() + 1;
                module.kernel("change_points_rank_sums")
                        .threads(levels * series, block)
                        .launch(slots, calls);
            } else {
                module.kernel("change_points_sums").threads(series, block).launch(slots, calls);
            }
            module.kernel("change_points_" + cost + (hasPoints() ? "_of_points_" : "_") + lanes)
                    .threads((long) count * lanes, block)
                    .launch(slots, calls, answers);
        }
    }

    private static long doubles(Scratch scratch, long count) {
        return scratch.allocateDoubles(count).getAddress();
    }

    /** Allocates trees for the given number of series. */
    private static Trees trees(Scratch scratch, long series, int stride) {
        int levels = RankTree.levels(stride - 1);
        long positions = series * stride;
        return new Trees(
                scratch.allocate(BYTES_OF_A_PAIR * (levels + 1) * positions).getAddress(),
                doubles(scratch, positions),
                doubles(scratch, positions),
                doubles(scratch, series),
                scratch.allocate(Short.BYTES * levels * positions).getAddress(),
                scratch.allocate(2 * Short.BYTES * positions).getAddress(),
                levels);
    }
}
