package dev.bellman.bench;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.function.BellmanFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;

/** A function with a strategy, called as Spark calls it. */
final class FunctionCall {
    private final Object udf;

    private FunctionCall(Object udf) {
        this.udf = udf;
    }

    static <S extends Enum<S>> FunctionCall of(BellmanFunction<S> function, String strategy) {
        S parsed =
                Strategies.parse(function.problem().name(), function.problem().strategyType(), strategy);
        return new FunctionCall(function.signatures().get(0).implementation().create(parsed, FunctionOptions.DEFAULT));
    }

    Object udf() {
        return udf;
    }

    Object call(Row arguments) {
        try {
            return arguments.size() == 1
                    ? one().call(arguments.get(0))
                    : two().call(arguments.get(0), arguments.get(1));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private UDF1<Object, Object> one() {
        return (UDF1<Object, Object>) udf;
    }

    @SuppressWarnings("unchecked")
    private UDF2<Object, Object, Object> two() {
        return (UDF2<Object, Object, Object>) udf;
    }
}
