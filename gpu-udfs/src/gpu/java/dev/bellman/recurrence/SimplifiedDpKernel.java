package dev.bellman.recurrence;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.recurrence.paper.StepStrategies;
import org.apache.spark.sql.types.DataTypes;

/**
 * Computes recurrences on the GPU. {@link RecurrencePlan} checks the rows; then {@link BlockedTables} or
 * {@link StepStrategies} computes their tables.
 */
final class SimplifiedDpKernel implements ColumnarKernel {
    private final SolverCall call;
    private final SimplifiedDp.Strategy strategy;
    private final boolean weighted;
    private final boolean last;

    SimplifiedDpKernel(SolverCall call, boolean weighted, boolean last) {
        this.call = call;
        strategy = (SimplifiedDp.Strategy) call.strategy();
        this.weighted = weighted;
        this.last = last;
    }

    /** Whether the elements of a call are DOUBLE instead of BIGINT. */
    static boolean hasDoubles(SolverCall call) {
        return call.type("initial").equals(DataTypes.createArrayType(DataTypes.DoubleType));
    }

    @Override
    public Result evaluate(Batch batch) {
        RecurrencePlan plan = new RecurrencePlan(batch, call, weighted, last);
        Offsets tables = plan.tables();
        DeviceMemoryBuffer values = batch.allocateLongs(tables.total());
        plan.begin(tables, values);
        if (strategy.paper().isPresent()) {
            new StepStrategies(plan.deviceRows(), tables).solve(strategy.paper().get());
        } else {
            new BlockedTables(plan).solve();
        }
        boolean overflowed = plan.rejectOverflows();
        if (last) {
            return elements(plan, plan.lastElements(), batch.rows());
        }
        if (overflowed) {
            tables = plan.tables();
            DeviceMemoryBuffer rest = batch.allocateLongs(tables.total());
            plan.move(tables, rest);
            batch.scratch().free(values);
            values = rest;
        }
        return Result.lists(tables, elements(plan, values, tables.total()));
    }

    private Result elements(RecurrencePlan plan, DeviceMemoryBuffer values, int count) {
        if (!hasDoubles(call)) {
            return Result.longs(values);
        }
        plan.keysToDoubles(values, count);
        return Result.doubles(values);
    }
}
