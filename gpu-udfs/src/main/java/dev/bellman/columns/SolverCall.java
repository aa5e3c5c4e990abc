package dev.bellman.columns;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;

/**
 * A function call in the form that is sent to the executors: its solver, strategy, options and given parameters. On the
 * CPU, this object is itself a Spark function with the same number of arguments. Kernels are also constructed from it.
 *
 * <p>The given parameters are always the first ones: if an argument before the last given one is omitted, its column
 * holds the default.
 */
public final class SolverCall extends AnyArguments<Object> implements ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /**
     * A parameter of the function.
     *
     * @param ifAbsent the default in Spark's internal form; null if the parameter is required
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
     * @param parameters all parameters of the function
     * @param given the number of parameters that are given
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

    /** Returns the function's name in SQL. */
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
     * Returns the index of a parameter's column in a batch; -1 if the function lacks the parameter or the call omits
     * it.
     */
    public int column(String parameter) {
        int place = place(parameter);
        return place < given ? place : -1;
    }

    /** Returns the type of a parameter, which may differ between the function's signatures. */
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

    /** Solves a row on the CPU, as described in {@link CpuFunction}. */
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

    /** Returns, for example, {@code dtw(a, b, band) with the strategy serial}. */
    @Override
    public String toString() {
        return parameters.stream()
                .limit(given)
                .map(Argument::name)
                .collect(Collectors.joining(", ", function + "(", ") with the strategy " + Strategies.name(strategy)));
    }
}
