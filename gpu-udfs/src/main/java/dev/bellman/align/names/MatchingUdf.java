package dev.bellman.align.names;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ColumnarFunction;
import java.io.Serializable;
import java.util.List;

/** A function of {@link MatchingFunctions} that has kernels for the strategy {@code AUTO}. */
final class MatchingUdf<S extends Enum<S>> extends AnyUdf implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /** Solves a call without NULL arguments. */
    @FunctionalInterface
    interface Solver<S> extends Serializable {
        Object solve(Object[] arguments, S strategy);
    }

    private final Solver<S> solver;
    private final S strategy;
    private final FunctionOptions options;

    MatchingUdf(Solver<S> solver, S strategy, FunctionOptions options) {
        super(rows(options, arguments -> solver.solve(arguments, strategy)));
        this.solver = solver;
        this.strategy = strategy;
        this.options = options;
    }

    FunctionOptions options() {
        return options;
    }

    @Override
    public boolean hasKernel() {
        return strategy.name().equals("AUTO");
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new MatchingUdf<>(solver, strategy, other).onCpu().call(arguments.toArray());
    }
}
