package dev.bellman.recurrence;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Struct;
import dev.bellman.recurrence.SimplifiedDp.Strategy;
import dev.bellman.recurrence.instance.DeviceInstance;
import dev.bellman.recurrence.instance.DeviceRows;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Groups the recurrences of a batch on the GPU by solution method. See {@code recurrence/plan.cu}. */
final class RecurrencePlan {
    private static final int BLOCK = 128;

    private final Batch batch;
    private final GpuMemory memory = GpuMemory.ofSession();
    private final CudaModule module = CudaModule.load("recurrence/plan");
    private final DeviceColumn offsets;
    private final DeviceMemoryBuffer rows;
    private final Instances instances;
    private final DeviceMemoryBuffer lengths;
    private final boolean doubles;

    /**
     * Checks the rows.
     *
     * @param call the call, whose parameters are {@code initial, offsets[, weights], length, operator}
     * @param last whether to return only the last element of each table
     */
    RecurrencePlan(Batch batch, SolverCall call, boolean weighted, boolean last) {
        this.batch = batch;
        doubles = SimplifiedDpKernel.hasDoubles(call);
        DType element = doubles ? DType.FLOAT64 : DType.INT64;
        DeviceColumn initial = batch.lists(0, element);
        offsets = batch.lists(1, DType.INT32);
        Optional<DeviceColumn> weights = weighted ? Optional.of(batch.lists(2, element)) : Optional.empty();
        DeviceColumn lengthsWanted = batch.ints(weighted ? 3 : 2);
        DeviceColumn operators = batch.strings(weighted ? 4 : 3);
        Strategy strategy = (Strategy) call.strategy();
        boolean blocked = strategy == Strategy.AUTO || strategy == Strategy.BLOCKED;
        rows = batch.allocate((long) Struct.of(DeviceInstance.class).bytes() * batch.rows());
        lengths = batch.allocateInts(batch.rows() + 1L);
        int longest = memory.largest(RecurrenceRow.maxLength(last), length -> (long) Long.BYTES * length);
        instances = new Instances(batch, call, module.constant("CLASSES"), key -> longest, classified -> module.kernel(
                        "plan_rows")
                .grid(batch.rows())
                .block(BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        initial.offsets(),
                        initial.elements().values(),
                        initial.elements().validity(),
                        offsets.offsets(),
                        offsets.elements().values(),
                        offsets.elements().validity(),
                        weights.map(DeviceColumn::offsets).orElse(0L),
                        weights.map(given -> given.elements().values()).orElse(0L),
                        weights.map(given -> given.elements().validity()).orElse(0L),
                        lengthsWanted.values(),
                        operators.offsets(),
                        operators.values(),
                        doubles ? 1 : 0,
                        last ? 1 : 0,
                        blocked ? 1 : 0,
                        SimplifiedDp.reorders(strategy) ? 1 : 0,
                        rows.getAddress(),
                        classified));
    }

    GpuMemory memory() {
        return memory;
    }

    /** Returns the address of the {@link DeviceInstance} of each row. */
    long rows() {
        return rows.getAddress();
    }

    /** Returns the data for solving the recurrences row by row. */
    DeviceRows deviceRows() {
        return new DeviceRows(
                batch.rows(), rows(), offsets.offsets(), offsets.elements().rows(), largeRows());
    }

    /** Returns the offsets of the rows' tables; rows that are not solved on the GPU have empty tables. */
    Offsets tables() {
        module.kernel("table_lengths")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), instances.classified(), lengths.getAddress());
        return batch.offsets(lengths);
    }

    /** Copies the initial elements of the rows into their tables. */
    void begin(Offsets tables, DeviceMemoryBuffer values) {
        module.kernel("begin_tables")
                .grid(batch.rows())
                .block(BLOCK)
                .launch(
                        rows.getAddress(),
                        instances.classified(),
                        tables.buffer().getAddress(),
                        values.getAddress(),
                        doubles ? 1 : 0);
    }

    /** The rows of a class, as int32 in device memory. */
    record Rows(long address, int count) {}

    /** Returns the rows whose table fits in shared memory and is solved by a warp. */
    Rows shortRows() {
        return rowsOf("SHORT_ROWS");
    }

    /** Returns the rows that are solved by one block each. */
    Rows longRows() {
        return rowsOf("LONG_ROWS");
    }

    private Rows rowsOf(String key) {
        return group(key)
                .map(group ->
                        new Rows(instances.order().getAddress() + (long) Integer.BYTES * group.from(), group.count()))
                .orElse(new Rows(0, 0));
    }

    private Optional<Instances.Group> group(String key) {
        int wanted = module.constant(key);
        return instances.groups().stream()
                .filter(group -> group.key() == wanted)
                .findFirst();
    }

    /** Returns the rows that the whole GPU solves, one after another. */
    List<DeviceRows.Large> largeRows() {
        return group("LARGE_ROWS").stream()
                .flatMapToInt(group -> Arrays.stream(instances.rows(group)))
                .mapToObj(row -> new DeviceRows.Large(
                        row,
                        DeviceArrays.readStructs(rows, row, 1, DeviceInstance.class)
                                .get(0)))
                .toList();
    }

    /**
     * Separates the rows that have overflowed, and returns whether there are such rows. The tables of these rows must
     * be skipped afterwards.
     */
    boolean rejectOverflows() {
        module.kernel("reject_overflows")
                .threads(batch.rows(), BLOCK)
                .launch(rows.getAddress(), batch.rows(), instances.classified());
        return instances.regroup();
    }

    /** Compacts the tables of the rows that have a table. */
    void move(Offsets tables, DeviceMemoryBuffer to) {
        module.kernel("move_tables")
                .grid(batch.rows())
                .block(BLOCK)
                .launch(
                        rows.getAddress(),
                        instances.classified(),
                        tables.buffer().getAddress(),
                        to.getAddress());
    }

    /** Returns the last element of each table, as int64. */
    DeviceMemoryBuffer lastElements() {
        DeviceMemoryBuffer results = batch.allocateLongs(batch.rows());
        module.kernel("last_elements")
                .threads(batch.rows(), BLOCK)
                .launch(rows.getAddress(), batch.rows(), results.getAddress());
        return results;
    }

    /** Converts keys to doubles in place. */
    void keysToDoubles(DeviceMemoryBuffer values, long count) {
        module.kernel("keys_to_doubles").threads(count, BLOCK).launch(values.getAddress(), count);
    }
}
