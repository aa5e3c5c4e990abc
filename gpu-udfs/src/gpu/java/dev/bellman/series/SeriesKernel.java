package dev.bellman.series;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.Arrays;

/**
 * Computes distances between series on the GPU, in the cheaper of two ways ({@code series/batch.cu}): with a few lanes
 * per pair, one stripe of the table after another, or with one warp per stripe. If the band contains
 * all cells, tables of {@code dtw} of numbers are stored in registers if this is cheaper still ({@link WholeTables}).
 */
final class SeriesKernel implements ColumnarKernel {
    record Lists(long offsets, long validity, long pointOffsets, long numberValidity, long numbers) {
        /** @param series the type of a list: numbers, or points */
        static Lists of(Batch batch, int argument, DataType series) {
            boolean points = series == POINTS;
            DeviceColumn column = batch.column(argument, series);
            DeviceColumn entries = column.elements();
            DeviceColumn numbers = points ? entries.elements() : entries;
            return new Lists(
                    column.offsets(),
                    entries.validity(),
                    points ? entries.offsets() : 0,
                    numbers.validity(),
                    numbers.values());
        }
    }

    record Calls(Lists a, Lists b, long bands, long powers, long most, long parameters, int anywhere, int floats) {}

    record Answers(long distances, long counts, long begins, long ends, Instances.Classified rowsOf) {}

    record Groups(long order, int from, int to, long ticket, long slots, long slotBytes, int slotCount) {}

    record Stripes(
            long order,
            int from,
            int count,
            long firsts,
            long places,
            long crossings,
            long ticket,
            long slots,
            long slotBytes) {}

    /**
     * The rows of a batch.
     *
     * @param paths null if no paths are requested
     */
    private record Work(Calls calls, Answers answers, Instances instances, SeriesPaths paths) {}

    /** The functions that compute distances between series. */
    enum Kind {
        DTW("absolute", "squared", Double.BYTES),
        PATH("path_absolute", "path_squared", Double.BYTES),
        SEARCH("search_absolute", "search_squared", 2 * Double.BYTES),
        LCSS("lcss", "lcss", Integer.BYTES),
        EDR("edr", "edr", Integer.BYTES),
        ERP("erp", "erp", Double.BYTES),
        FRECHET("frechet", "frechet", Double.BYTES),
        SOFT("soft", "soft", Double.BYTES);

        /** The names of the cell rules, indexed by the power of the differences minus 1. */
        private final String[] names;

        private final int cellBytes;

        Kind(String absolute, String squared, int cellBytes) {
            names = new String[] {absolute, squared};
            this.cellBytes = cellBytes;
        }

        /** Whether the function accepts empty series. */
        private boolean isEdit() {
            return this == LCSS || this == EDR || this == ERP;
        }

        private boolean counts() {
            return this == LCSS || this == EDR;
        }

        /** Whether a row of cells takes more registers than a single number per cell. */
        private boolean hasLargeCells() {
            return this == SEARCH || this == ERP || this == SOFT;
        }

        /** Returns the name of the parameter that the cell rule uses, if it uses one. */
        private String parameter() {
            return this == ERP ? "gap" : this == SOFT ? "gamma" : "tolerance";
        }

        private double leastParameter() {
            return this == ERP ? Double.NEGATIVE_INFINITY : this == SOFT ? Double.MIN_VALUE : 0;
        }
    }

    static final DataType NUMBERS = Types.list(Types.DOUBLE);
    private static final DataType FLOATS = Types.list(Types.of(DType.FLOAT32));
    static final DataType POINTS = Types.list(NUMBERS);
    private static final int BLOCK = 128;

    private final SolverCall call;
    private final DataType series;
    private final Kind kind;
    private final CudaModule module = CudaModule.load("series/batch");
    private final GpuMemory memory = GpuMemory.ofSession();
    private final WholeTables whole = new WholeTables(module);
    private final int sizes = module.constant("SIZES");
    private final int dimensions = module.constant("MANY");
    private final int block = module.constant("SERIES_BLOCK");
    private final int unit = module.constant("SLOT_UNIT");

    SeriesKernel(SolverCall call, Kind kind) {
        this.call = call;
        var type = call.type(kind == Kind.SEARCH ? "query" : "a");
        series = type.equals(SeriesFunctions.POINTS) ? POINTS : type.equals(SeriesFunctions.FLOATS) ? FLOATS : NUMBERS;
        this.kind = kind;
    }

    @Override
    public Result evaluate(Batch batch) {
        Calls calls = calls(batch);
        Instances instances = classified(batch, calls);
        long valueBytes = kind.counts() ? Integer.BYTES : Double.BYTES;
        DeviceMemoryBuffer values = batch.allocate(valueBytes * batch.rows());
        DeviceMemoryBuffer begins = batch.allocateInts(kind == Kind.SEARCH ? batch.rows() : 0);
        DeviceMemoryBuffer ends = batch.allocateInts(kind == Kind.SEARCH ? batch.rows() : 0);
        SeriesPaths paths = kind == Kind.PATH ? SeriesPaths.of(batch, points(batch, 0) + points(batch, 1)) : null;
        Answers answers = new Answers(
                values.getAddress(),
                paths == null ? values.getAddress() : paths.counts().getAddress(),
                begins.getAddress(),
                ends.getAddress(),
                instances.classified());
        Work work = new Work(calls, answers, instances, paths);
        for (Instances.Group group : whole.merged(instances.groups())) {
            if (whole.has(group)) {
                whole.solve(
                        group,
                        kind.names,
                        suffix(),
                        cellBytes(),
                        calls,
                        answers,
                        instances.order().getAddress());
            } else if (group.key() / sizes % 2 == 0) {
                solveByGroups(work, group);
            } else {
                solveByStripes(work, group);
            }
        }
        if (kind != Kind.SEARCH && kind != Kind.PATH) {
            return kind.counts() ? Result.ints(values) : Result.doubles(values);
        }
        // separates the rows that kernels rejected because their distance is infinite
        instances.regroup();
        if (kind == Kind.PATH) {
            return Result.struct(Result.doubles(values), paths.cells(batch, calls, instances));
        }
        return Result.struct(Result.doubles(values), Result.ints(begins), Result.ints(ends));
    }

    private Instances classified(Batch batch, Calls calls) {
        int limit = memory.largest(unit);
        int classes = kind == Kind.DTW ? module.constant("CLASSES") : whole.firstClass();
        return new Instances(
                batch,
                call,
                classes,
                key -> key < whole.firstClass() ? limit : Integer.MAX_VALUE,
                classified -> module.kernel("series_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                calls,
                                kind.isEdit() ? 1 : 0,
                                kind.leastParameter(),
                                cellBytes(),
                                kind.hasLargeCells() ? 1 : 0,
                                kind == Kind.PATH ? 1 : 0,
                                kind == Kind.DTW ? 1 : 0,
                                classified));
    }

    private int cellBytes() {
        return series == FLOATS ? Float.BYTES : kind.cellBytes;
    }

    private Calls calls(Batch batch) {
        return new Calls(
                Lists.of(batch, 0, series),
                Lists.of(batch, 1, series),
                values(batch, "band", Types.INT),
                values(batch, "power", Types.INT),
                values(batch, "max", Types.DOUBLE),
                values(batch, kind.parameter(), Types.DOUBLE),
                kind == Kind.SEARCH ? 1 : 0,
                series == FLOATS ? 1 : 0);
    }

    /** Returns the total number of points in all series of an argument. */
    private long points(Batch batch, int argument) {
        return batch.column(argument, series).elements().rows();
    }

    /**
     * Returns the address of an argument's values; 0 if the function does not have the parameter or the call omits it.
     */
    private long values(Batch batch, String parameter, DataType type) {
        int column = call.column(parameter);
        return column < 0 ? 0 : batch.column(column, type).values();
    }

    private Kernel kernel(Instances.Group group, String shape) {
        int kindOfPoints = group.key() / sizes / 2;
        String name = kind.names[kindOfPoints / dimensions];
        return CudaModule.load("series/" + name)
                .kernel("series_%s%s_%s_%s".formatted(name, suffix(), kindOfPoints % dimensions + 1, shape));
    }

    private String suffix() {
        return series == FLOATS ? "_float" : "";
    }

    /**
     * Solves a group with a few lanes per pair. If paths are requested, each pair needs a slot until its path is found,
     * so that only as many pairs as fit are solved at a time.
     */
    private void solveByGroups(Work work, Instances.Group group) {
        Kernel kernel = kernel(group, "groups");
        int groupsOfBlock = block / module.constant("FEW_LANES");
        long slotBytes = (long) unit * group.largest();
        int together = work.paths() == null ? group.count() : memory.together(group.count(), slotBytes);
        int most = kernel.residentBlocks(block, 0) * groupsOfBlock;
        for (int from = group.from(); from < group.to(); from += together) {
            int to = Math.min(group.to(), from + together);
            int slots = work.paths() == null ? memory.together(Math.min(most, group.count()), slotBytes) : to - from;
            int groups = Math.min(most, slots);
            try (Scratch scratch = new Scratch()) {
                Groups these = new Groups(
                        work.instances().order().getAddress(),
                        from,
                        to,
                        scratch.zeroInts(1).getAddress(),
                        scratch.allocate(slotBytes * slots).getAddress(),
                        slotBytes,
                        groups);
                kernel.grid((groups + groupsOfBlock - 1) / groupsOfBlock)
                        .block(block)
                        .launch(these, work.calls(), work.answers());
                if (work.paths() != null) {
                    work.paths()
                            .walk(
                                    work.calls(),
                                    work.answers(),
                                    these.order(),
                                    from,
                                    to,
                                    these.slots(),
                                    slotBytes,
                                    false);
                }
            }
        }
    }

    /** Solves a group with one warp per stripe. Solves as many pairs at a time as fit, but at least one. */
    private void solveByStripes(Work work, Instances.Group group) {
        int[] stripes = stripes(work, group);
        byte noCell = (byte) module.constant(kind.counts() ? "NO_COUNT" : "NO_NUMBER");
        Kernel kernel = kernel(group, "stripes");
        long slotBytes = work.paths() == null ? 0 : (long) unit * group.largest();
        int together = memory.together(group.count(), slotBytes);
        int from = 0;
        while (from < group.count()) {
            int[] firsts = new int[group.count() - from + 1];
            long[] places = new long[group.count() - from];
            int count = 0;
            long cells = 0;
            while (from + count < group.count() && count < together) {
                long crossing = (long) stripes[2 * (from + count)] * stripes[2 * (from + count) + 1];
                if (count > 0 && cellBytes() * (cells + crossing) > memory.perLaunch()) {
                    break;
                }
                places[count] = cells;
                firsts[count + 1] = firsts[count] + stripes[2 * (from + count)];
                cells += crossing;
                count++;
            }
            try (Scratch scratch = new Scratch()) {
                int blocks = (int) Math.min(
                        ((long) Kernel.WARP * firsts[count] + block - 1) / block, kernel.residentBlocks(block, 0));
                Stripes these = new Stripes(
                        work.instances().order().getAddress(),
                        group.from() + from,
                        count,
                        DeviceArrays.writeInts(scratch, Arrays.copyOf(firsts, count + 1))
                                .getAddress(),
                        DeviceArrays.writeLongs(scratch, Arrays.copyOf(places, count))
                                .getAddress(),
                        scratch.filled(cellBytes() * cells, noCell).getAddress(),
                        scratch.zeroInts(1).getAddress(),
                        scratch.allocate(slotBytes * count).getAddress(),
                        slotBytes);
                kernel.grid(blocks).block(block).launch(these, work.calls(), work.answers());
                if (work.paths() != null) {
                    work.paths()
                            .walk(
                                    work.calls(),
                                    work.answers(),
                                    these.order(),
                                    these.from(),
                                    these.from() + count,
                                    these.slots(),
                                    slotBytes,
                                    true);
                }
            }
            from += count;
        }
    }

    /**
     * Returns, for each pair in a group, the number of stripes and an upper bound on the number of values that each
     * stripe passes to the next one.
     */
    private int[] stripes(Work work, Instances.Group group) {
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer stripes = scratch.allocateInts(2L * group.count());
            module.kernel("series_stripes")
                    .threads(group.count(), BLOCK)
                    .launch(
                            work.calls(),
                            work.instances().order().getAddress(),
                            group.from(),
                            group.count(),
                            kind.hasLargeCells() ? 1 : 0,
                            stripes.getAddress());
            return DeviceArrays.readInts(stripes, 0, 2 * group.count());
        }
    }
}
