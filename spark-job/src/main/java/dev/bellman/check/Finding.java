package dev.bellman.check;

import dev.bellman.Strategies;
import org.apache.spark.sql.catalyst.InternalRow;

/** A difference: an instance, reduced as far as possible, and both answers. */
record Finding(Lane<?> lane, String instance, String answer, String expected) {
    /** Spark's optimizer evaluates calls on literals itself, on the CPU. */
    private static final String NO_FOLDING =
            "SET spark.sql.optimizer.excludedRules=org.apache.spark.sql.catalyst.optimizer.ConstantFolding;";

    static Finding of(Lane<?> lane, InternalRow instance, String answer, String expected) {
        return new Finding(lane, SqlText.call(lane.function().name(), lane.types(), instance), answer, expected);
    }

    /** A part of a stream that fails although none of its instances fails alone. */
    static Finding ofBatch(Lane<?> lane, long from, long to, String failure) {
        return new Finding(
                lane,
                "the instances %d to %d of its stream, seed %d, together".formatted(from, to - 1, lane.seed()),
                failure,
                "answers like the reference's");
    }

    /** Statements that reproduce it, and their results. */
    String text() {
        String strategy =
                "SET %s=%s;".formatted(lane.function().problem().strategyKey(), Strategies.name(lane.strategy()));
        String call = lane.engine() == Engine.GPU
                ? "  %s%n  SELECT %s FROM range(1);".formatted(NO_FOLDING, instance)
                : "  SELECT %s;".formatted(instance);
        return "difference: %s, %s, %s%n  %s%n%s%n    %s%n    %s (%s)%n"
                .formatted(
                        lane.call(),
                        lane.solver(),
                        lane.sizes(),
                        strategy,
                        call,
                        "answer   " + answer,
                        "expected " + expected,
                        lane.reference());
    }
}
