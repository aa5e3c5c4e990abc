package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.function.Dispatcher;
import java.util.stream.Stream;
import org.apache.spark.unsafe.types.UTF8String;

/** Calls of the functions of this family outside of Spark. */
final class RnaCalls {
    private RnaCalls() {}

    /** The result as the function returns it to Spark; strings may be Java's. */
    @SuppressWarnings("unchecked") // all functions of this family have the same strategies
    static <R> R call(String name, Strategy strategy, Object... arguments) {
        BellmanFunction<Strategy> function = (BellmanFunction<Strategy>) RnaFunctions.list().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        Signature<Strategy> signature = function.signatures().stream()
                .filter(each -> each.parameters().size() == arguments.length)
                .findFirst()
                .orElseThrow();
        return (R) new Dispatcher(signature, signature.implementation().create(strategy, FunctionOptions.DEFAULT))
                .callInternal(Stream.of(arguments)
                        .map(each -> each instanceof String text ? UTF8String.fromString(text) : each)
                        .toArray());
    }
}
