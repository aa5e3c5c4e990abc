package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import java.io.Serializable;
import java.util.List;

/** A function of any arguments, solved by one of a family's strategies, that has a kernel. */
public final class SolverUdf<S extends Enum<S>> extends AnyUdf implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /** Solves a call without NULL arguments on the CPU. */
    @FunctionalInterface
    public interface Solver<S> extends Serializable {
        Object solve(S strategy, FunctionOptions options, Object... arguments);
    }

    private final Solver<S> solver;
    private final S strategy;
    private final boolean hasKernel;
    private final FunctionOptions options;

    /** @param hasKernel whether the strategy has a kernel */
    public SolverUdf(Solver<S> solver, S strategy, boolean hasKernel, FunctionOptions options) {
        super(rows(options, arguments -> solver.solve(strategy, options, arguments)));
        this.solver = solver;
        this.strategy = strategy;
        this.hasKernel = hasKernel;
        this.options = options;
    }

    public FunctionOptions options() {
        return options;
    }

    /** The function as a {@link CpuFunction}. */
    public Object onCpu(FunctionOptions other, List<Object> arguments) {
        return other.answer(() -> solver.solve(strategy, other, arguments.toArray()));
    }

    @Override
    public boolean hasKernel() {
        return hasKernel;
    }
}
