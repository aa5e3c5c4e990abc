package dev.bellman.recurrence;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.paper.StepStrategies;

/**
 * Recurrences on the GPU: {@link RecurrencePlan} checks the rows, {@link BlockedTables} or {@link StepStrategies}
 * compute their tables.
 */
final class SimplifiedDpKernel implements ColumnarKernel {
    private final RecurrenceUdf udf;
    private final boolean weighted;
    private final boolean last;

    SimplifiedDpKernel(RecurrenceUdf udf, boolean weighted, boolean last) {
        this.udf = udf;
        this.weighted = weighted;
        this.last = last;
    }

    @Override
    public DataType type() {
        DataType values = new BasicType(true, udf.element == Element.LONG ? DType.INT64 : DType.FLOAT64);
        return last ? values : new ListType(true, values);
    }

    @Override
    public Result evaluate(Batch batch) {
        RecurrencePlan plan = new RecurrencePlan(batch, udf, weighted, last);
        Offsets tables = plan.tables();
        DeviceMemoryBuffer values = batch.allocate((long) Long.BYTES * tables.total());
        plan.begin(tables, values);
        if (udf.strategy.paper().isPresent()) {
            new StepStrategies(plan.deviceRows(), tables)
                    .solve(udf.strategy.paper().get());
        } else {
            new BlockedTables(plan).solve();
        }
        boolean overflowed = plan.rejectOverflows();
        if (last) {
            return elements(plan, plan.lastElements(), batch.rows());
        }
        if (overflowed) {
            tables = plan.tables();
            DeviceMemoryBuffer rest = batch.allocate((long) Long.BYTES * tables.total());
            plan.move(tables, rest);
            batch.scratch().free(values);
            values = rest;
        }
        return Result.lists(tables, elements(plan, values, tables.total()));
    }

    private Result elements(RecurrencePlan plan, DeviceMemoryBuffer values, int count) {
        if (udf.element == Element.LONG) {
            return Result.longs(values);
        }
        plan.keysToDoubles(values, count);
        return Result.doubles(values);
    }
}
