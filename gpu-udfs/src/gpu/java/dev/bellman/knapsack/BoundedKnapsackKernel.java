package dev.bellman.knapsack;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;

/**
 * On the GPU, solves knapsack problems whose items have several copies. Groups of copies become the items of problems
 * that {@link KnapsackTables} solves. See {@code knapsack/bounded.cu}.
 */
record BoundedKnapsackKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long offsets,
            long weightValidity,
            long weights,
            long valueOffsets,
            long valueValidity,
            long values,
            long countOffsets,
            long countValidity,
            long counts,
            long capacities) {
        private static Calls of(Batch batch, DType type) {
            DeviceColumn weights = batch.lists(0, DType.INT64);
            DeviceColumn values = batch.lists(1, type);
            DeviceColumn counts = batch.lists(2, DType.INT64);
            return new Calls(
                    weights.offsets(),
                    weights.elements().validity(),
                    weights.elements().values(),
                    values.offsets(),
                    values.elements().validity(),
                    values.elements().values(),
                    counts.offsets(),
                    counts.elements().validity(),
                    counts.elements().values(),
                    batch.column(3, Types.LONG).values());
        }
    }

    record Parts(long offsets, long weights, long values) {}

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("knapsack/bounded");
        int rows = batch.rows();
        DType type = KnapsackTables.valueType(call);
        String suffix = type.equals(DType.FLOAT64) ? KnapsackTables.DOUBLES : "";
        Calls calls = Calls.of(batch, type);
        DeviceMemoryBuffer lengths = batch.allocateInts(rows + 1L);
        module.kernel("bounded_parts" + suffix)
                .warps(rows, KnapsackTables.BLOCK)
                .launch(rows, batch.validity(), calls, lengths.getAddress());
        Offsets offsets = batch.offsets(lengths);
        Parts parts = new Parts(
                offsets.buffer().getAddress(),
                batch.allocateLongs(offsets.total()).getAddress(),
                batch.allocateLongs(offsets.total()).getAddress());
        module.kernel("bounded_fill" + suffix)
                .warps(rows, KnapsackTables.BLOCK)
                .launch(rows, batch.validity(), calls, parts);

        DeviceMemoryBuffer sums = batch.allocateLongs(rows);
        DeviceMemoryBuffer taken = batch.allocate(offsets.total());
        KnapsackKernel.Answers answers = KnapsackKernel.Answers.of(batch, sums, batch.allocateInts(rows), taken);
        KnapsackTables tables = KnapsackTables.of(
                batch,
                call,
                "knapsack",
                new KnapsackKernel.Calls(
                        parts.offsets(),
                        0,
                        parts.weights(),
                        parts.offsets(),
                        0,
                        parts.values(),
                        calls.capacities(),
                        Double.MAX_VALUE),
                answers,
                true);
        tables.solve();

        module.kernel("bounded_lengths")
                .threads(rows, KnapsackTables.BLOCK)
                .launch(rows, calls, tables.instances().classified(), lengths.getAddress());
        Offsets items = batch.offsets(lengths);
        DeviceMemoryBuffer copies = batch.allocateLongs(items.total());
        module.kernel("bounded_copies")
                .warps(rows, KnapsackTables.BLOCK)
                .launch(
                        rows,
                        calls,
                        tables.instances().classified(),
                        parts,
                        taken.getAddress(),
                        items.buffer().getAddress(),
                        copies.getAddress());
        return Result.struct(KnapsackTables.sums(type, sums), Result.lists(items, Result.longs(copies)));
    }
}
