package dev.bellman.knapsack;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;

/** On the GPU, solves knapsack problems that take one option from each class. See {@code knapsack/choices.cu}. */
record ChoiceKnapsackKernel(SolverCall call) implements ColumnarKernel {
    record Lists(long offsets, long classValidity, long classOffsets, long validity, long numbers) {
        private static Lists of(DeviceColumn column) {
            DeviceColumn classes = column.elements();
            DeviceColumn numbers = classes.elements();
            return new Lists(
                    column.offsets(), classes.validity(), classes.offsets(), numbers.validity(), numbers.values());
        }
    }

    record Calls(Lists weights, Lists values, long capacities) {}

    record Answers(long lightest, long lefts, long divisors, long widths, long sums, long counts, long chosen) {}

    private static DataType classes(DType numbers) {
        return Types.list(Types.list(Types.of(numbers)));
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DType type = KnapsackTables.valueType(call);
        DeviceColumn weights = batch.column(0, classes(DType.INT64));
        Calls calls = new Calls(
                Lists.of(weights),
                Lists.of(batch.column(1, classes(type))),
                batch.column(2, Types.LONG).values());
        long classes = weights.elements().rows();
        DeviceMemoryBuffer sums = batch.allocateLongs(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                batch.allocateLongs(classes).getAddress(),
                batch.allocateLongs(rows).getAddress(),
                batch.allocateLongs(rows).getAddress(),
                batch.allocateInts(rows).getAddress(),
                sums.getAddress(),
                counts.getAddress(),
                batch.allocateInts(classes).getAddress());
        KnapsackTables tables = KnapsackTables.of(batch, call, "choices", calls, answers, false);
        tables.solve();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer choices = batch.allocateInts(offsets.total());
        tables.module()
                .kernel("choices_of_rows")
                .warps(rows, KnapsackTables.BLOCK)
                .launch(
                        rows,
                        calls,
                        answers,
                        tables.instances().classified(),
                        offsets.buffer().getAddress(),
                        choices.getAddress());
        return Result.struct(KnapsackTables.sums(type, sums), Result.lists(offsets, Result.ints(choices)));
    }
}
