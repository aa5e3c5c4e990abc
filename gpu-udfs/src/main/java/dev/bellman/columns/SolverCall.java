package dev.bellman.columns;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A function call in the form that is sent to the executors: its solver, strategy and options, and the parameters for
 * which the call has arguments. On the CPU, this object is itself the Spark function, and takes the call's arguments.
 * Kernels are also created from this object.
 *
 * <p>The parameters that have arguments always come first: if the call omits an argument before its last one, the
 * omitted argument's column contains the default. RAPIDS copies a constant argument to every row. Therefore, constants
 * that may be large, such as a list of words, become part of the call for a GPU, and then count as omitted ({@link
 * #withConstants}).
 *
 * <p>Calls are serialized as this class, which does not refer to the GPU side. Deserialization returns {@link
 * #withKernel}, so executors with RAPIDS receive a call that their GPU can run.
 */
public class SolverCall extends AnyArguments<Object> implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * A parameter of the function.
     *
     * @param ifAbsent the value if the call omits the argument, in Spark's internal form; null if the parameter is
     *     required
     * @param onGpu how the kernel takes the value
     */
    public record Argument(String name, DataType type, Object ifAbsent, OnGpu onGpu) implements Serializable {
        /** Creates a parameter that a kernel takes as a column. */
        public Argument(String name, DataType type, Object ifAbsent) {
            this(name, type, ifAbsent, OnGpu.COLUMN);
        }
    }

    @FunctionalInterface
    private interface Row extends Serializable {
        Object solve(FunctionOptions options, Arguments arguments);
    }

    private final String function;
    private final List<Argument> parameters;
    private final int given;
    private final DataType resultType;
    private final Row row;
    private final Enum<?> strategy;
    /** Whether there is a kernel, which may require that some arguments become part of the call. */
    private final boolean hasKernel;

    private final FunctionOptions options;
    /** The default values of the omitted parameters. */
    private final Object[] omitted;

    /**
     * @param function the function's name in SQL
     * @param parameters all parameters of the function
     * @param given the number of parameters for which the call has arguments
     * @param resultType the type of the function's result
     * @param hasKernel whether there is a kernel for this call
     */
    public <S extends Enum<S>> SolverCall(
            String function,
            List<Argument> parameters,
            int given,
            DataType resultType,
            Solver<S> solver,
            S strategy,
            boolean hasKernel,
            FunctionOptions options) {
        this(
                function,
                parameters,
                given,
                resultType,
                (its, arguments) -> solver.solve(strategy, its, arguments),
                strategy,
                hasKernel,
                options);
    }

    /** Copies a call, but not the fields that a subclass adds to it. */
    public SolverCall(SolverCall same) {
        this(
                same.function,
                same.parameters,
                same.given,
                same.resultType,
                same.row,
                same.strategy,
                same.hasKernel,
                same.options);
    }

    private SolverCall(
            String function,
            List<Argument> parameters,
            int given,
            DataType resultType,
            Row row,
            Enum<?> strategy,
            boolean hasKernel,
            FunctionOptions options) {
        this.function = function;
        // copy the parameters into a list that is certainly serializable
        this.parameters = new ArrayList<>(parameters);
        this.given = given;
        this.resultType = resultType;
        this.row = row;
        this.strategy = strategy;
        this.hasKernel = hasKernel;
        this.options = options;
        omitted = parameters.stream().skip(given).map(Argument::ifAbsent).toArray();
    }

    /**
     * Returns the call in a form that RAPIDS can run on a GPU; returns the call itself if RAPIDS or the kernel is
     * missing.
     */
    public SolverCall withKernel() {
        return hasKernel()
                ? GpuSide.find(GpuFunctions.class)
                        .map(gpu -> gpu.withKernel(this))
                        .orElse(this)
                : this;
    }

    private Object readResolve() {
        return withKernel();
    }

    /**
     * Returns a call whose result is the reason why the function rejects the arguments; the result is NULL if the
     * function accepts them.
     */
    public SolverCall rejection() {
        Row reason = (its, arguments) -> {
            try {
                row.solve(its, arguments);
                return null;
            } catch (BellmanException e) {
                return UTF8String.fromString(e.getMessage());
            }
        };
        return new SolverCall(function, parameters, given, DataTypes.StringType, reason, strategy, false, options);
    }

    /**
     * Returns the call with an additional parameter, which counts as omitted and thus has the same value for all rows.
     */
    public SolverCall with(Argument constant) {
        List<Argument> all = new ArrayList<>(parameters);
        all.add(constant);
        return new SolverCall(function, all, given, resultType, row, strategy, hasKernel, options);
    }

    /**
     * Returns how many of the call's arguments a kernel takes as columns if the arguments after these are constant and
     * become part of the call.
     */
    public int columns() {
        int columns = given;
        while (hasKernel && columns > 0 && isConstant(parameters.get(columns - 1))) {
            columns--;
        }
        return columns;
    }

    private static boolean isConstant(Argument parameter) {
        return parameter.onGpu() == OnGpu.CONSTANT || parameter.onGpu() == OnGpu.CONSTANT_OR_COLUMN;
    }

    /**
     * Returns the call with fixed values for all arguments after the first {@link #columns}. The returned call takes
     * only the first arguments.
     *
     * @param values the values in Spark's internal form; none of them is null
     */
    public SolverCall withConstants(List<Object> values) {
        List<Argument> all = new ArrayList<>(parameters);
        for (int i = 0; i < values.size(); i++) {
            Argument constant = all.get(columns() + i);
            all.set(columns() + i, new Argument(constant.name(), constant.type(), values.get(i), constant.onGpu()));
        }
        return new SolverCall(function, all, columns(), resultType, row, strategy, hasKernel, options);
    }

    /** Returns the function's name in SQL. */
    public String function() {
        return function;
    }

    /** Returns the number of parameters for which the call has arguments. */
    public int given() {
        return given;
    }

    /** Returns the type of the function's result. */
    public DataType resultType() {
        return resultType;
    }

    public Enum<?> strategy() {
        return strategy;
    }

    public FunctionOptions options() {
        return options;
    }

    /**
     * Returns the index of a parameter's column in a batch; -1 if the function does not have the parameter or the call
     * omits it.
     */
    public int column(String parameter) {
        int place = place(parameter);
        return place < given ? place : -1;
    }

    /** Returns the type of a parameter, which may differ from signature to signature of the same function. */
    public DataType type(String parameter) {
        return parameters.get(place(parameter)).type();
    }

    /** Returns the type of the parameter with the given index. */
    public DataType type(int index) {
        return parameters.get(index).type();
    }

    /** Returns the parameter with the given index. */
    public Argument parameter(int index) {
        return parameters.get(index);
    }

    /**
     * Returns the default of a parameter in Spark's internal form; empty if the parameter is required or the function
     * does not have it.
     */
    public Optional<Object> ifAbsent(String parameter) {
        int place = place(parameter);
        return place < 0
                ? Optional.empty()
                : Optional.ofNullable(parameters.get(place).ifAbsent());
    }

    private int place(String parameter) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals(parameter)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the GPU can solve this call: it has a kernel, and the values of all parameters that must be constant. */
    public final boolean hasKernel() {
        return hasKernel && parameters.stream().limit(given).noneMatch(each -> each.onGpu() == OnGpu.CONSTANT);
    }

    /**
     * Calls the function as Spark does.
     *
     * @param values the arguments that the call passes, in Spark's internal form
     * @return the result, in the form that a Java UDF returns; NULL if an argument is NULL
     */
    @Override
    public final Object result(Object... values) {
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
        return its.answer(() -> row.solve(its, new Arguments(function, values, omitted)));
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
