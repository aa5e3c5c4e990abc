package dev.bellman.knapsack;

import dev.bellman.CellCounter;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.knapsack.Knapsack.Strategy;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Row;

/** A function of this family that has a kernel. */
final class KnapsackUdf extends AnyUdf implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /** Solves a row on the CPU. */
    @FunctionalInterface
    interface Solver extends Serializable {
        Row solve(Strategy strategy, CellCounter cells, Object... arguments);
    }

    final FunctionOptions options;
    private final Solver solver;
    private final Strategy strategy;

    KnapsackUdf(Solver solver, Strategy strategy, FunctionOptions options) {
        super(rows(options, arguments -> solver.solve(strategy, options.cells(), arguments)));
        this.solver = solver;
        this.strategy = strategy;
        this.options = options;
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return other.answer(() -> solver.solve(strategy, other.cells(), arguments.toArray()));
    }

    /** Lists of states are of the CPU. */
    @Override
    public boolean hasKernel() {
        return strategy == Strategy.AUTO;
    }
}
