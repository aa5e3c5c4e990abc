package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A function of two texts, {@code (a, b)} or {@code (a, b, max)}, made of what solves a pair: NULL in any argument
 * gives NULL, rejected rows are treated as the options say, and cells are counted.
 */
public final class PairFunction<S extends Enum<S>>
        implements UDF2<UTF8String, UTF8String, Object>,
                UDF3<UTF8String, UTF8String, Integer, Object>,
                ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /** Solves a pair. */
    @FunctionalInterface
    public interface Solver<S extends Enum<S>> extends Serializable {
        /** The result: a number, a {@code String}, or a {@link Text}. */
        Object solve(Text a, Text b, S strategy);
    }

    /** Solves a pair up to a limit. */
    @FunctionalInterface
    public interface LimitedSolver<S extends Enum<S>> extends Serializable {
        /** The distance, or -1 if it is more than {@code max}; a negative {@code max} allows none. */
        int solve(Text a, Text b, int max, S strategy);
    }

    /** Counts the cells in the table of a pair. */
    @FunctionalInterface
    public interface Cells extends Serializable {
        Cells TABLE = (a, b) -> (long) a.length() * b.length();

        long of(Text a, Text b);
    }

    private final LimitedSolver<S> limited;
    private final Solver<S> solver;
    private final Cells cells;
    private final boolean hasKernel;
    private final S strategy;
    private final FunctionOptions options;

    private PairFunction(
            Solver<S> solver,
            LimitedSolver<S> limited,
            Cells cells,
            boolean hasKernel,
            S strategy,
            FunctionOptions options) {
        this.solver = solver;
        this.limited = limited;
        this.cells = cells;
        this.hasKernel = hasKernel;
        this.strategy = strategy;
        this.options = options;
    }

    /** The function {@code (a, b)}. The GPU has every strategy but the textbook's. */
    public static <S extends Enum<S>> PairFunction<S> of(
            Problem<S> problem, Solver<S> solver, Cells cells, S strategy, FunctionOptions options) {
        return new PairFunction<>(solver, null, cells, strategy != problem.textbook(), strategy, options);
    }

    /** The function {@code (a, b, max)}. */
    public static <S extends Enum<S>> PairFunction<S> limited(
            Problem<S> problem, LimitedSolver<S> solver, S strategy, FunctionOptions options) {
        return new PairFunction<>(null, solver, Cells.TABLE, strategy != problem.textbook(), strategy, options);
    }

    public S strategy() {
        return strategy;
    }

    public FunctionOptions options() {
        return options;
    }

    @Override
    public boolean hasKernel() {
        return hasKernel;
    }

    @Override
    public Object call(UTF8String a, UTF8String b) {
        return a == null || b == null ? null : answer(a, b, 0);
    }

    @Override
    public Object call(UTF8String a, UTF8String b, Integer max) {
        return a == null || b == null || max == null ? null : answer(a, b, max);
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    public Object onCpu(FunctionOptions other, List<Object> arguments) {
        PairFunction<S> function = new PairFunction<>(solver, limited, cells, hasKernel, strategy, other);
        UTF8String a = (UTF8String) arguments.get(0);
        UTF8String b = (UTF8String) arguments.get(1);
        return limited == null ? function.call(a, b) : function.call(a, b, (Integer) arguments.get(2));
    }

    private Object answer(UTF8String a, UTF8String b, int max) {
        return options.answer(() -> {
            Text aText = Text.of(a);
            Text bText = Text.of(b);
            Object result =
                    limited == null ? solver.solve(aText, bText, strategy) : limited.solve(aText, bText, max, strategy);
            options.cells().add(cells.of(aText, bText));
            return result instanceof Text text ? UTF8String.fromBytes(text.bytes()) : result;
        });
    }
}
