package dev.bellman.bench;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Dispatcher;
import org.apache.spark.sql.Row;

/** A function with a strategy, called as Spark calls it. */
record FunctionCall(Object udf, Dispatcher dispatcher) {
    static <S extends Enum<S>> FunctionCall of(BellmanFunction<S> function, String strategy) {
        S parsed =
                Strategies.parse(function.problem().name(), function.problem().strategyType(), strategy);
        Signature<S> signature = function.signatures().get(0);
        Object udf = signature.implementation().create(parsed, FunctionOptions.DEFAULT);
        return new FunctionCall(udf, new Dispatcher(signature, udf));
    }

    Object call(Row arguments) {
        Object[] values = new Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments.get(i);
        }
        return dispatcher.call(values);
    }
}
