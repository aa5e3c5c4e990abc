package dev.bellman.series;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.series.SeriesSolvers.Solver;
import java.util.List;

/** A function of series that has kernels. */
final class SeriesUdf<S extends Enum<S>> extends AnyUdf implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    final boolean points;
    final FunctionOptions options;
    private final String function;
    private final Solver<S> solver;
    private final S strategy;

    /** @param points whether series are arrays of points rather than of numbers */
    SeriesUdf(String function, boolean points, Solver<S> solver, S strategy, FunctionOptions options) {
        super(rows(options, values -> solver.solve(new SeriesArguments(function, points, values), strategy, options)));
        this.function = function;
        this.points = points;
        this.solver = solver;
        this.strategy = strategy;
        this.options = options;
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return other.answer(
                () -> solver.solve(new SeriesArguments(function, points, arguments.toArray()), strategy, other));
    }

    /** The serial strategies are the CPU's. */
    @Override
    public boolean hasKernel() {
        return !strategy.equals(SeriesTable.Strategy.SERIAL) && !strategy.equals(SoftDtw.Strategy.SERIAL);
    }
}
