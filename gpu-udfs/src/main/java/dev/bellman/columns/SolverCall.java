package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/**
 * A function call as it is sent to the executors: its solver, strategy and options, and the parameters that are given.
 * On the CPU it is a Spark function with as many arguments. Kernels are constructed from it, too.
 *
 * <p>The given parameters are always the first ones: an argument that is omitted before the last given one is a column
 * of its default.
 */
public final class SolverCall extends AnyArguments<Object> implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /**
     * A parameter of the function.
     *
     * @param ifAbsent its default in Spark's internal form; null if it must be given
     */
    public record Argument(String name, DataType type, Object ifAbsent) implements Serializable {}

    /** A solver with its strategy. */
    @FunctionalInterface
    private interface Row extends Serializable {
        Object solve(FunctionOptions options, Arguments arguments);
    }

    private final String function;
    private final List<Argument> parameters;
    private final int given;
    private final Row row;
    private final Enum<?> strategy;
    private final boolean hasKernel;
    private final FunctionOptions options;

    /**
     * @param function the function's name in SQL
     * @param parameters of the function, all of them
     * @param given how many of them are given
     * @param hasKernel whether the GPU can solve this call
     */
    public <S extends Enum<S>> SolverCall(
            String function,
            List<Argument> parameters,
            int given,
            Solver<S> solver,
            S strategy,
            boolean hasKernel,
            FunctionOptions options) {
        this.function = function;
        this.parameters = new ArrayList<>(parameters);
        this.given = given;
        this.row = (its, arguments) -> solver.solve(strategy, its, arguments);
        this.strategy = strategy;
        this.hasKernel = hasKernel;
        this.options = options;
    }

    /** The function's name in SQL. */
    public String function() {
        return function;
    }

    public Enum<?> strategy() {
        return strategy;
    }

    public FunctionOptions options() {
        return options;
    }

    /**
     * The index of a parameter's column in a batch; -1 if the function lacks the parameter, or if the call omits it.
     */
    public int column(String parameter) {
        int place = place(parameter);
        return place < given ? place : -1;
    }

    /** The type of a parameter, which may differ between the signatures of a function. */
    public DataType type(String parameter) {
        return parameters.get(place(parameter)).type();
    }

    private int place(String parameter) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals(parameter)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean hasKernel() {
        return hasKernel;
    }

    @Override
    Object result(Object... values) {
        for (Object value : values) {
            if (value == null) {
                return null;
            }
        }
        return answer(options, values);
    }

    /** The call as a {@link CpuFunction}. */
    public Object onCpu(FunctionOptions other, List<Object> values) {
        return answer(other, values.toArray());
    }

    private Object answer(FunctionOptions its, Object... values) {
        return its.answer(() -> row.solve(its, new Arguments(function, complete(values))));
    }

    private Object[] complete(Object... values) {
        if (values.length == parameters.size()) {
            return values;
        }
        Object[] all = new Object[parameters.size()];
        System.arraycopy(values, 0, all, 0, values.length);
        for (int i = values.length; i < all.length; i++) {
            all[i] = parameters.get(i).ifAbsent();
        }
        return all;
    }

    /** {@code dtw(a, b, band) with the strategy serial}. */
    @Override
    public String toString() {
        return parameters.stream()
                .limit(given)
                .map(Argument::name)
                .collect(Collectors.joining(", ", function + "(", ") with the strategy " + Strategies.name(strategy)));
    }
}
