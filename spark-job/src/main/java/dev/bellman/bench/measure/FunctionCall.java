package dev.bellman.bench.measure;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Dispatcher;
import java.util.List;
import org.apache.spark.sql.Row;

/** A function with a strategy, called the way Spark calls it. */
public record FunctionCall(Object udf, Dispatcher dispatcher) {
    /**
     * @param columns the names of the arguments
     * @throws BellmanException {@link ErrorCode#BELLMAN_USAGE} if the function does not take these arguments
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
                        "there is no %s(%s)".formatted(function.name(), String.join(", ", columns))));
        Object udf = signature.implementation().create(parsed, FunctionOptions.DEFAULT);
        return new FunctionCall(udf, new Dispatcher(signature, udf));
    }

    public Object call(Row arguments) {
        return dispatcher.call(values(arguments));
    }

    /** Converts a row's arguments to the form in which a query passes them. */
    public Object[] internal(Row arguments) {
        return dispatcher.internal(values(arguments));
    }

    /** Returns the result for arguments in that form. */
    public Object callInternal(Object... arguments) {
        return dispatcher.callInternal(arguments);
    }

    private static Object[] values(Row arguments) {
        Object[] values = new Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments.get(i);
        }
        return values;
    }
}
