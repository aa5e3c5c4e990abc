package dev.bellman.entry;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.Solver;
import dev.bellman.columns.SolverCall;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;

/**
 * One way to call a function by position: its parameters, its result type and its solver.
 *
 * @param function the function's name in SQL
 * @param overload the index of the signature's overload
 * @param parameters the parameters for which the call passes arguments
 * @param leftOut the other parameters of the overload, which take their default values
 * @param kernels the strategies that have a GPU kernel for these parameters
 */
public record Signature<S extends Enum<S>>(
        String function,
        int overload,
        List<Parameter> parameters,
        List<Parameter> leftOut,
        DataType result,
        Solver<S> solver,
        Set<S> kernels) {
    /** Returns the function that Spark calls. */
    public SolverCall call(S strategy, FunctionOptions options) {
        List<SolverCall.Argument> arguments = Stream.concat(parameters.stream(), leftOut.stream())
                .map(each -> new SolverCall.Argument(
                        each.name(),
                        each.type(),
                        each.ifAbsent().map(Parameter.Default::value).orElse(null),
                        each.onGpu()))
                .toList();
        return new SolverCall(
                function, arguments, parameters.size(), result, solver, strategy, hasKernel(strategy), options);
    }

    /** Whether a strategy has a GPU kernel for these parameters. */
    public boolean hasKernel(S strategy) {
        return kernels.contains(strategy);
    }

    @Override
    public String toString() {
        return parameters.stream().map(Parameter::name).collect(Collectors.joining(", ", "(", ")"));
    }
}
