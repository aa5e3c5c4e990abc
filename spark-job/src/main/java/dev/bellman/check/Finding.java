package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A result of the checker: either a difference between results, or a failure of the function.
 *
 * @param solver the strategy and the engine
 * @param text how to reproduce it, such as a minimized instance and both results
 */
record Finding(String function, String solver, String text) {
    /** Disables constant folding; otherwise Spark's optimizer would evaluate calls on literals itself, on the CPU. */
    private static final String NO_FOLDING =
            "SET spark.sql.optimizer.excludedRules=org.apache.spark.sql.catalyst.optimizer.ConstantFolding;";

    /**
     * Returns the finding for an instance, which contains SQL statements that reproduce it, their result, and the
     * expected result.
     */
    static Finding of(Lane<?> lane, InternalRow instance, String answer, String expected) {
        return of(lane, SqlText.call(lane.function().name(), lane.types(), instance), answer, expected);
    }

    /**
     * Returns the finding for a range of a stream that fails, or has a different result, although smaller parts of the
     * range are correct on their own.
     */
    static Finding ofBatch(Lane<?> lane, long from, long to, String failure) {
        return of(
                lane,
                "instances %d to %d of the stream with seed %d, solved together".formatted(from, to - 1, lane.seed()),
                failure,
                "the same results as the reference");
    }

    private static Finding of(Lane<?> lane, String instance, String answer, String expected) {
        String strategy =
                "SET %s=%s;".formatted(lane.function().problem().strategyKey(), Strategies.name(lane.strategy()));
        String call = lane.engine() == Engine.GPU
                ? "  %s%n  SELECT %s FROM range(1);".formatted(NO_FOLDING, instance)
                : "  SELECT %s;".formatted(instance);
        String text = "difference: %s, %s, %s%n  %s%n%s%n    %s%n    %s (%s)%n"
                .formatted(
                        lane.call(),
                        lane.solver(),
                        lane.sizes(),
                        strategy,
                        call,
                        "answer   " + answer,
                        "expected " + expected,
                        lane.reference());
        return new Finding(lane.function().name(), lane.solver(), text);
    }

    /** Returns the finding for instances that fail. */
    static Finding of(Subject subject, String instances, Exception failure) {
        String message = BellmanException.in(failure).map(Throwable::getMessage).orElse(String.valueOf(failure));
        return of(subject, instances, "fails: " + message);
    }

    /** Returns a finding that no single statement can reproduce. */
    static Finding of(Subject subject, String instance, String difference) {
        return new Finding(
                subject.function(),
                subject.solver(),
                "difference: %s, %s%n  %s%n    %s%n"
                        .formatted(subject.function(), subject.solver(), instance, difference));
    }
}
