package dev.bellman.recurrence;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.OnInvalid;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.IntColumn;
import dev.bellman.columns.ListColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.StringColumn;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Recurrences on the GPU. The blocked strategy takes a warp for a short table, a block for a longer one, and the whole device for one
 * with very many candidates, where the operators of a lattice are searched in rounds, sums modulo a number are quotients of power series, and
 * the others go tile by tile.
 */
final class SimplifiedDpKernel implements ColumnarKernel {
    /** Bytes of the kernels' {@code Instance}, and of an accumulator of any operator. */
    private static final int INSTANCE = 64;

    private static final int ACCUMULATOR = 16;

    /** The kernels' {@code LARGE_STAGES} and {@code LARGE_CANDIDATES}: no more rows than that can be large. */
    private static final int LARGE_STAGES = 2048;

    private static final int LARGE_FIELDS = 7;

    private static final int PLAN_BLOCK = 128;
    private static final int STEP_BLOCK = 1024;
    private static final int SHORT_WARPS = 4;
    private static final int WARP = 32;
    private static final int TILE = 1024;
    private static final int SEARCH_BLOCK = 256;
    private static final int ROUNDS = 8;
    private static final int MOST_ROUNDS = 32;
    private static final int SEARCHED_SPARSITY = 32;
    private static final int SEARCHED_WINDOWS = 64;
    private static final long SERIES_CANDIDATES = 1L << 31;

    /** The first members of the kernels' {@code Instance}, all of 64 bits. */
    private static final int OFFSETS = 1;

    private static final int TABLE = 3;
    private static final int MODULUS = 4;

    record Large(int row, int length, int start, int stages, int farthest, int nearest, int kind) {
        /** Whether power series take less time than tiles. */
        private boolean isSeries() {
            return kind == Operator.Kind.SUM_MOD.ordinal()
                    && length <= ModularSeriesOnGpu.MOST_ELEMENTS
                    && (length - start) * (long) stages >= SERIES_CANDIDATES;
        }

        /** Whether rounds of search promise to be few and cheap. */
        private boolean isSearched() {
            Operator.Kind[] kinds = Operator.Kind.values();
            boolean lattice = kind < kinds.length
                    && switch (kinds[kind]) {
                        case MIN, MAX, BIT_AND, BIT_OR, BOOL_AND, BOOL_OR -> true;
                        default -> false;
                    };
            return lattice
                    && farthest - nearest < (long) stages * SEARCHED_SPARSITY
                    && length < (long) farthest * SEARCHED_WINDOWS;
        }
    }

    /** The rows that are large, and the indices of those that are neither large nor short. */
    private record Plan(List<Large> large, DeviceMemoryBuffer longRows, int longCount) {}

    private final RecurrenceUdf udf;
    private final boolean weighted;
    private final boolean last;
    private final DType element;

    SimplifiedDpKernel(RecurrenceUdf udf, boolean weighted, boolean last) {
        this.udf = udf;
        this.weighted = weighted;
        this.last = last;
        element = udf.element == Element.LONG ? DType.INT64 : DType.FLOAT64;
    }

    @Override
    public DataType type() {
        DataType values = new BasicType(last, element);
        return last ? values : new ListType(true, values);
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        int doubles = udf.element == Element.DOUBLE ? 1 : 0;
        DeviceMemoryBuffer instances = batch.allocate((long) INSTANCE * rows);
        DeviceMemoryBuffer lengths = batch.allocate(4 * (rows + 1L));
        ListColumn offsets = batch.lists(1, DType.INT32);
        Plan plan = plan(batch, offsets, instances, lengths, doubles);

        Offsets tables = batch.offsets(lengths);
        DeviceMemoryBuffer values = batch.allocate(8L * tables.total());
        CudaModule rowKernels = CudaModule.load("recurrence/plan");
        rowKernels
                .kernel("begin_tables")
                .grid(rows)
                .block(PLAN_BLOCK)
                .launch(instances.getAddress(), tables.buffer().getAddress(), values.getAddress(), doubles);
        solve(batch, instances, tables, offsets, plan);

        boolean overflowed = setAsideOverflows(batch, instances, lengths);
        if (last) {
            DeviceMemoryBuffer results = batch.allocate(8L * rows);
            rowKernels
                    .kernel("last_elements")
                    .threads(rows, PLAN_BLOCK)
                    .launch(instances.getAddress(), rows, results.getAddress());
            Result result = elements(results, rows, doubles);
            count(batch, instances, offsets);
            return result;
        }
        if (overflowed) {
            tables = batch.offsets(lengths);
            DeviceMemoryBuffer rest = batch.allocate(8L * tables.total());
            rowKernels
                    .kernel("move_tables")
                    .grid(rows)
                    .block(PLAN_BLOCK)
                    .launch(instances.getAddress(), tables.buffer().getAddress(), rest.getAddress());
            batch.scratch().free(values);
            values = rest;
        }
        Result result = Result.lists(tables, elements(values, tables.total(), doubles));
        count(batch, instances, offsets);
        return result;
    }

    /** Counts the candidates of the tables; last of all, for what comes before may run again. */
    private void count(Batch batch, DeviceMemoryBuffer instances, ListColumn offsets) {
        DeviceMemoryBuffer candidates = batch.scratch().filled(Long.BYTES, (byte) 0);
        CudaModule.load("recurrence/plan")
                .kernel("count_candidates")
                .threads(batch.rows(), PLAN_BLOCK)
                .launch(instances.getAddress(), batch.rows(), offsets.offsets(), candidates.getAddress());
        udf.options.cells().add(DeviceArrays.readLongs(candidates, 0, 1)[0]);
    }

    private Result elements(DeviceMemoryBuffer values, long count, int doubles) {
        if (doubles == 0) {
            return Result.longs(values);
        }
        CudaModule.load("recurrence/plan")
                .kernel("keys_to_doubles")
                .threads(count, PLAN_BLOCK)
                .launch(values.getAddress(), count);
        return Result.doubles(values);
    }

    /** Checks the rows and writes their instances and lengths. */
    private Plan plan(
            Batch batch, ListColumn offsets, DeviceMemoryBuffer instances, DeviceMemoryBuffer lengths, int doubles) {
        ListColumn initial = batch.lists(0, element);
        ListColumn weights = weighted ? batch.lists(2, element) : new ListColumn(0, 0, 0, 0, 0, 0);
        IntColumn lengthsWanted = batch.ints(weighted ? 3 : 2);
        StringColumn operators = batch.strings(weighted ? 4 : 3);
        DeviceMemoryBuffer counts =
                DeviceArrays.writeInts(batch.scratch(), 0, Integer.MAX_VALUE, 0, Integer.MAX_VALUE, 0);
        int mostLarge = offsets.elements() / LARGE_STAGES;
        DeviceMemoryBuffer largeRows =
                batch.allocate((long) Integer.BYTES * LARGE_FIELDS * Math.min(batch.rows(), mostLarge));
        DeviceMemoryBuffer longRows = batch.allocate(4L * batch.rows());
        CudaModule.load("recurrence/plan")
                .kernel("plan_rows")
                .grid(batch.rows())
                .block(PLAN_BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        initial.offsets(),
                        initial.values(),
                        initial.elementValidity(),
                        offsets.offsets(),
                        offsets.values(),
                        offsets.elementValidity(),
                        weights.offsets(),
                        weights.values(),
                        weights.elementValidity(),
                        lengthsWanted.values(),
                        operators.offsets(),
                        operators.bytes(),
                        doubles,
                        last ? 1 : 0,
                        isBlocked() ? 1 : 0,
                        SimplifiedDp.reorders(udf.strategy) ? 1 : 0,
                        instances.getAddress(),
                        lengths.getAddress(),
                        counts.getAddress(),
                        largeRows.getAddress(),
                        longRows.getAddress());
        int[] found = DeviceArrays.readInts(counts, 0, 5);
        if (found[0] > 0 && udf.options.onInvalid() == OnInvalid.FAIL) {
            throw failure(batch, found[1]);
        }
        if (found[3] < batch.rows()) {
            throw failure(batch, found[3]);
        }
        int[] fields = found[2] == 0 ? new int[0] : DeviceArrays.readInts(largeRows, 0, LARGE_FIELDS * found[2]);
        List<Large> large = IntStream.range(0, found[2])
                .map(i -> LARGE_FIELDS * i)
                .mapToObj(i -> new Large(
                        fields[i],
                        fields[i + 1],
                        fields[i + 2],
                        fields[i + 3],
                        fields[i + 4],
                        fields[i + 5],
                        fields[i + 6]))
                .toList();
        return new Plan(large, longRows, found[4]);
    }

    private boolean isBlocked() {
        return udf.strategy == SimplifiedDp.Strategy.AUTO || udf.strategy == SimplifiedDp.Strategy.BLOCKED;
    }

    private void solve(Batch batch, DeviceMemoryBuffer instances, Offsets tables, ListColumn offsets, Plan plan) {
        CudaModule module = CudaModule.load("recurrence/paper/strategies");
        switch (udf.strategy) {
            case AUTO, BLOCKED -> blocked(batch, instances, plan);
            case SEQUENTIAL ->
                module.kernel("s_dp_sequential")
                        .threads(batch.rows(), WARP)
                        .launch(instances.getAddress(), batch.rows());
            case TOURNAMENT -> steps(batch, module.kernel("s_dp_tournament"), 1, instances, tables, offsets, plan);
            case NAIVE_PARALLEL ->
                steps(batch, module.kernel("s_dp_naive_parallel"), 1, instances, tables, offsets, plan);
            case PIPELINE -> steps(batch, module.kernel("s_dp_pipeline"), 1, instances, tables, offsets, plan);
            case PIPELINE_2X2 -> steps(batch, module.kernel("s_dp_pipeline"), 2, instances, tables, offsets, plan);
        }
    }

    /** @param width offsets of a thread in a step */
    private static void steps(
            Batch batch,
            Kernel kernel,
            int width,
            DeviceMemoryBuffer instances,
            Offsets tables,
            ListColumn offsets,
            Plan plan) {
        try (Scratch scratch = new Scratch()) {
            long accumulators = scratch.allocate(ACCUMULATOR * ((long) tables.total() + offsets.elements()))
                    .getAddress();
            long firstTable = tables.buffer().getAddress();
            kernel.grid(batch.rows())
                    .block(STEP_BLOCK)
                    .launch(instances.getAddress(), firstTable, offsets.offsets(), accumulators, width, 0, 0L);
            for (Large each : plan.large()) {
                int threads = (each.stages() - 1) / width + 1;
                int blocks = Math.min(kernel.residentBlocks(STEP_BLOCK, 0), (threads - 1) / STEP_BLOCK + 1);
                long arrivals = scratch.filled(Integer.BYTES, (byte) 0).getAddress();
                kernel.grid(blocks)
                        .block(STEP_BLOCK)
                        .cooperative()
                        .launch(
                                instances.getAddress(),
                                firstTable,
                                offsets.offsets(),
                                accumulators,
                                width,
                                each.row(),
                                arrivals);
            }
        }
    }

    private static void blocked(Batch batch, DeviceMemoryBuffer instances, Plan plan) {
        CudaModule module = CudaModule.load("recurrence/blocked");
        module.kernel("s_dp_short")
                .threads((long) WARP * batch.rows(), WARP * SHORT_WARPS)
                .launch(instances.getAddress(), batch.rows());
        module.kernel("s_dp_long")
                .grid(plan.longCount())
                .block(TILE)
                .launch(instances.getAddress(), plan.longRows().getAddress());
        for (Large each : plan.large()) {
            if (each.isSeries()) {
                int first = INSTANCE / Long.BYTES * each.row();
                long[] members = DeviceArrays.readLongs(instances, first, MODULUS + 1);
                ModularSeriesOnGpu.solve(members[OFFSETS], each, members[MODULUS], members[TABLE]);
            } else if (!each.isSearched() || !search(batch, instances, each)) {
                tiles(batch, module, instances, each);
            }
        }
    }

    /** Whether the rounds sufficed. */
    private static boolean search(Batch batch, DeviceMemoryBuffer instances, Large large) {
        CudaModule module = CudaModule.load("recurrence/search");
        int groups = (large.length() + TILE - 1) / TILE;
        DeviceMemoryBuffer groupValues = batch.allocate(8L * groups);
        DeviceMemoryBuffer blockValues = batch.allocate(8L * groups * WARP);
        DeviceMemoryBuffer distances = batch.scratch().filled(4L * (large.farthest() / WARP + 1), (byte) 0);
        DeviceMemoryBuffer changes = batch.allocate(4L * MOST_ROUNDS);
        module.kernel("s_dp_search_begin")
                .grid(groups)
                .block(TILE)
                .launch(
                        instances.getAddress(),
                        large.row(),
                        blockValues.getAddress(),
                        groupValues.getAddress(),
                        distances.getAddress(),
                        changes.getAddress(),
                        MOST_ROUNDS);
        Kernel round = module.kernel("s_dp_search_round");
        int grid = round.residentBlocks(SEARCH_BLOCK, 0);
        boolean changed = true;
        for (int next = 0; changed && next < MOST_ROUNDS; next++) {
            round.grid(grid)
                    .block(SEARCH_BLOCK)
                    .launch(
                            instances.getAddress(),
                            large.row(),
                            blockValues.getAddress(),
                            groupValues.getAddress(),
                            distances.getAddress(),
                            changes.getAddress(),
                            next);
            if (next % ROUNDS == ROUNDS - 1) {
                changed = DeviceArrays.readInts(changes, next, 1)[0] != 0;
            }
        }
        List.of(groupValues, blockValues, distances, changes).forEach(batch.scratch()::free);
        return !changed;
    }

    private static void tiles(Batch batch, CudaModule module, DeviceMemoryBuffer instances, Large large) {
        int blocks = 2 * Device.current().multiprocessors();
        int chunk = (large.stages() + blocks - 1) / blocks;
        int chunks = (large.stages() + chunk - 1) / chunk;
        DeviceMemoryBuffer partial = batch.allocate((long) ACCUMULATOR * TILE * chunks);
        for (int begin = large.start(); begin >= 0 && begin < large.length(); begin += TILE) {
            module.kernel("s_dp_fold_tile")
                    .grid(chunks)
                    .block(TILE)
                    .launch(instances.getAddress(), large.row(), begin, chunk, partial.getAddress());
            module.kernel("s_dp_solve_tile")
                    .grid(1)
                    .block(TILE)
                    .launch(instances.getAddress(), large.row(), begin, chunks, chunk, partial.getAddress());
        }
        batch.scratch().free(partial);
    }

    /** Fails for a row that overflowed, or makes such rows and the bad ones null; whether any overflowed. */
    private boolean setAsideOverflows(Batch batch, DeviceMemoryBuffer instances, DeviceMemoryBuffer lengths) {
        boolean fail = udf.options.onInvalid() == OnInvalid.FAIL;
        DeviceMemoryBuffer counts = DeviceArrays.writeInts(batch.scratch(), 0, Integer.MAX_VALUE);
        CudaModule.load("recurrence/plan")
                .kernel("find_overflows")
                .threads(batch.rows(), PLAN_BLOCK)
                .launch(
                        instances.getAddress(),
                        batch.rows(),
                        lengths.getAddress(),
                        fail ? 0L : batch.writableValidity(),
                        counts.getAddress());
        int[] found = DeviceArrays.readInts(counts, 0, 2);
        if (found[0] > 0 && fail) {
            throw failure(batch, found[1]);
        }
        return found[0] > 0;
    }

    /** What the CPU says of a row that is not allowed. */
    private BellmanException failure(Batch batch, int row) {
        List<Object> values = batch.row(row);
        try {
            udf.solve(
                    (ArrayData) values.get(0),
                    (ArrayData) values.get(1),
                    weighted ? (ArrayData) values.get(2) : null,
                    (Integer) values.get(values.size() - 2),
                    (UTF8String) values.get(values.size() - 1));
        } catch (BellmanException e) {
            return e;
        }
        return new BellmanException(
                ErrorCode.BELLMAN_INTERNAL,
                "%s: the GPU rejects row %d of a batch that the CPU solves".formatted(udf.function, row));
    }
}
