package dev.bellman.bench.measure;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import scala.Function1;

/**
 * Calls a function with a given strategy, outside of any query.
 *
 * @param toInternal functions that convert each argument from its form in rows to Spark's internal form
 * @param toExternal converts a result from the form that the solver returns to the form in rows
 */
public record FunctionCall(
        SolverCall solver, List<Function1<Object, Object>> toInternal, Function1<Object, Object> toExternal) {
    /**
     * @param columns the names of the arguments
     * @throws BellmanException {@link ErrorCode#BELLMAN_USAGE} if the function does not accept these arguments
     */
    public static <S extends Enum<S>> FunctionCall of(
            BellmanFunction<S> function, String strategy, List<String> columns) {
        S parsed =
                Strategies.parse(function.problem().name(), function.problem().strategyType(), strategy);
        Signature<S> signature = function.signatures().stream()
                .filter(each ->
                        each.parameters().stream().map(Parameter::name).toList().equals(columns))
                .findFirst()
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_USAGE,
                        "the function %s(%s) does not exist".formatted(function.name(), String.join(", ", columns))));
        CatalystTypeConverters$ converters = CatalystTypeConverters$.MODULE$;
        Function1<Object, Object> internal = converters.createToCatalystConverter(signature.result());
        return new FunctionCall(
                signature.call(parsed, FunctionOptions.DEFAULT),
                signature.parameters().stream()
                        .map(each -> converters.createToCatalystConverter(each.type()))
                        .toList(),
                internal.andThen(converters.createToScalaConverter(signature.result())));
    }

    public Object call(Row arguments) {
        return toExternal.apply(solver.result(internal(arguments)));
    }

    /** Converts the arguments in a row to Spark's internal form. */
    public Object[] internal(Row arguments) {
        return IntStream.range(0, arguments.size())
                .mapToObj(i -> toInternal.get(i).apply(arguments.get(i)))
                .toArray();
    }
}
