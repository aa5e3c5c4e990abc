package dev.bellman.bench;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF4;

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

    @SuppressWarnings("unchecked")
    Object call(Row arguments) {
        try {
            return switch (arguments.size()) {
                case 1 -> ((UDF1<Object, Object>) udf).call(arguments.get(0));
                case 2 -> ((UDF2<Object, Object, Object>) udf).call(arguments.get(0), arguments.get(1));
                case 4 ->
                    ((UDF4<Object, Object, Object, Object, Object>) udf)
                            .call(arguments.get(0), arguments.get(1), arguments.get(2), arguments.get(3));
                default -> throw new IllegalArgumentException("no call with %d arguments".formatted(arguments.size()));
            };
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
