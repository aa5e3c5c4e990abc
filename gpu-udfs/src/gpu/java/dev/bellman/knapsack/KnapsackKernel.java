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

/**
 * Solves knapsack problems on the GPU, with one block per problem, or with all blocks on one problem after another if
 * only a few problems have wide tables. If no values are given, the weights are used as
 * values. See {@code knapsack/knapsack.cu}.
 */
record KnapsackKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long offsets,
            long weightValidity,
            long weights,
            long valueOffsets,
            long valueValidity,
            long values,
            long capacities,
            double maxValue) {
        /** The maximum DOUBLE value of an item. */
        static final double LARGEST = 1e100;
    }

    record Answers(long divisors, long widths, long sums, long counts, long taken) {
        /**
         * @param sums receives the total value of the items taken in each row, as int64 or double
         * @param counts receives the number of items taken in each row, as int32
         * @param taken receives a byte for each item of all rows
         */
        static Answers of(Batch batch, DeviceMemoryBuffer sums, DeviceMemoryBuffer counts, DeviceMemoryBuffer taken) {
            return new Answers(
                    batch.allocateLongs(batch.rows()).getAddress(),
                    batch.allocateInts(batch.rows()).getAddress(),
                    sums.getAddress(),
                    counts.getAddress(),
                    taken.getAddress());
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceColumn weights = batch.lists(0, DType.INT64);
        int last = batch.arguments() - 1;
        DType type = KnapsackTables.valueType(call);
        DeviceColumn values = last == 1 ? weights : batch.lists(1, type);
        Calls calls = new Calls(
                weights.offsets(),
                weights.elements().validity(),
                weights.elements().values(),
                values.offsets(),
                values.elements().validity(),
                values.elements().values(),
                batch.column(last, Types.LONG).values(),
                Calls.LARGEST);
        DeviceMemoryBuffer sums = batch.allocateLongs(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = Answers.of(
                batch, sums, counts, batch.allocate(weights.elements().rows()));
        KnapsackTables tables = KnapsackTables.of(batch, call, "knapsack", calls, answers, true);
        tables.solve();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer items = batch.allocateInts(offsets.total());
        tables.module()
                .kernel("knapsack_items")
                .threads(rows, KnapsackTables.BLOCK)
                .launch(
                        rows,
                        calls,
                        answers,
                        tables.instances().classified(),
                        offsets.buffer().getAddress(),
                        items.getAddress());
        return Result.struct(KnapsackTables.sums(type, sums), Result.lists(offsets, Result.ints(items)));
    }
}
