package dev.bellman.fold.rna;

import dev.bellman.TextbookAnswers;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;

/** Calls the RNA functions without SQL. */
final class RnaCalls {
    private RnaCalls() {}

    /** @param arguments Catalyst values, or strings as instances of {@code String} */
    static Object call(String name, RnaFold.Strategy strategy, Object... arguments) {
        Object[] values = arguments.clone();
        for (int i = 0; i < values.length; i++) {
            values[i] = values[i] instanceof String text ? UTF8String.fromString(text) : values[i];
        }
        return TextbookAnswers.call(name, strategy, values);
    }

    static Row row(String name, RnaFold.Strategy strategy, Object... arguments) {
        return (Row) call(name, strategy, arguments);
    }
}
