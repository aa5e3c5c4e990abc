package dev.bellman.knapsack;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Solves the rows of a batch with tables of capacities, with one block per row. If there are only a few rows with wide
 * tables, and the module has kernels for this, all blocks together solve these rows one after another. See
 * {@code knapsack/tables.cuh}.
 *
 * @param name the name of the module, which is also the prefix of its kernels' names
 * @param calls the arguments of the kernels
 * @param answers the addresses of the results
 * @param mayTogether whether the module has kernels with which all blocks solve a row together
 * @param areDoubles whether the values are DOUBLE; otherwise, they are BIGINT
 */
record KnapsackTables(
        String name,
        CudaModule module,
        int shared,
        Record calls,
        Record answers,
        boolean mayTogether,
        boolean areDoubles,
        Instances instances) {
    static final int BLOCK = 128;

    /** The suffix in the names of kernels for DOUBLE values. */
    static final String DOUBLES = "_doubles";

    private static final int TOGETHER_BLOCK = 1024;

    /** The number of cells that one block computes while all blocks together finish an item of a narrow table. */
    private static final long CELLS_OF_ITEM = 1 << 16;
    /** The number of cells that all blocks together compute while one block computes a cell of a wide table. */
    private static final int TIMES_FASTER = 64;

    /** Classifies the rows. */
    static KnapsackTables of(
            Batch batch, SolverCall call, String name, Record calls, Record answers, boolean mayTogether) {
        CudaModule module = CudaModule.load("knapsack/" + name);
        boolean areDoubles = valueType(call).equals(DType.FLOAT64);
        int shared = Device.current().sharedMemoryPerBlock() - module.constant("MORE_SHARED");
        String classify = name + "_classify" + (areDoubles ? DOUBLES : "");
        Instances instances =
                Instances.of(batch, call, module, module.constant("SLOT_UNIT"), classified -> module.kernel(classify)
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, shared, answers, classified));
        return new KnapsackTables(name, module, shared, calls, answers, mayTogether, areDoubles, instances);
    }

    /** Returns the type of the values; {@code subset_sum} has no values, and its weights are INT64. */
    static DType valueType(SolverCall call) {
        if (call.column("values") < 0) {
            return DType.INT64;
        }
        DataType type = call.type("values");
        while (type instanceof ArrayType array) {
            type = array.elementType();
        }
        return type.equals(DataTypes.DoubleType) ? DType.FLOAT64 : DType.INT64;
    }

    /** Returns a result column of sums of values. */
    static Result sums(DType type, DeviceMemoryBuffer sums) {
        return type.equals(DType.FLOAT64) ? Result.doubles(sums) : Result.longs(sums);
    }

    void solve() {
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            solve(slots, group);
        }
    }

    private void solve(Slots slots, Instances.Group group) {
        int sizes = module.constant("SIZES");
        boolean isLong = group.key() >= sizes; // always true for DOUBLE values
        int size = sizes - 1 - group.key() % sizes;
        long width = (size % 2 == 0 ? 3L : 4L) << size / 2 >> 2;
        int bytesOfCell = isLong ? Long.BYTES : Integer.BYTES;
        long row = width * bytesOfCell;
        Kernel kernel = module.kernel(name + (areDoubles ? DOUBLES : isLong ? "_longs" : "_ints"));
        int few = module.constant("FEW_CELLS");
        int cells = width <= (long) Kernel.WARP * few ? few : module.constant("ROW_CELLS");
        int tile = Kernel.WARP * cells;
        int before = module.constant("TILES_BEFORE");
        int most = module.constant(2 * row <= shared ? "THREADS_OF_TWO" : "MAX_THREADS");
        // a row in registers is copied to whole tiles, which must fit
        int warps = (int) Math.min(shared / (tile * bytesOfCell) - before, (width + tile - 1) / tile);
        int block = Math.min(most, warps * Kernel.WARP);
        long tiles = (long) (block / Kernel.WARP + before) * tile * bytesOfCell;
        int sharedMemory = row <= shared ? (int) Math.max(row, tiles) : 0;
        long tables = (long) module.constant("SLOT_UNIT") * group.largest();
        // if the table row does not fit in shared memory, the sizes of the group already include one such row
        long bytes = (sharedMemory == 0 ? row : 2 * row) + tables;
        GpuMemory memory = slots.memory();
        int rounds = rounds(group, memory.together(kernel.residentBlocks(block, sharedMemory), bytes));
        if (mayTogether
                && bytes <= memory.perInstance()
                && group.count() * (CELLS_OF_ITEM + width / TIMES_FASTER) < rounds * width) {
            solveTogether(group, kernel.name() + "_together", width, row, bytes);
            return;
        }
        slots.solve(
                group,
                new Slots.Shape(kernel, block, sharedMemory),
                tables,
                calls,
                answers,
                sharedMemory == 0 ? row : 0L);
    }

    private static int rounds(Instances.Group group, int blocks) {
        return (group.count() + blocks - 1) / blocks;
    }

    /**
     * @param bytes the memory for the row with the largest table, including two table rows of {@code row} bytes each
     */
    private void solveTogether(Instances.Group group, String kernelName, long width, long row, long bytes) {
        Kernel kernel = module.kernel(kernelName);
        long chunk = (long) TOGETHER_BLOCK * module.constant("CELLS_OF_THREAD");
        int blocks = (int) Math.min(kernel.residentBlocks(TOGETHER_BLOCK, 0), (width + chunk - 1) / chunk);
        try (Scratch scratch = new Scratch()) {
            long tables = scratch.allocate(bytes).getAddress();
            for (int at = group.from(); at < group.to(); at++) {
                long arrivals = scratch.filled(Integer.BYTES, (byte) 0).getAddress();
                kernel.grid(blocks)
                        .block(TOGETHER_BLOCK)
                        .cooperative()
                        .launch(instances.order().getAddress(), at, calls, answers, row, tables, arrivals);
            }
        }
    }
}
