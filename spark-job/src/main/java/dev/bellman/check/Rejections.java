package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Checks how a function reports rejected rows: with the oracle's code, and the same words on all
 * engines.
 */
final class Rejections<S extends Enum<S>> {
    /** How many instances of the stream are searched for such rows. */
    private static final int LOOKED_AT = 4_000;

    private final Lane<S> lane;
    private final Comparison<S> comparison;
    private final Solver onCpu;

    /** @param lane has small instances, which the oracle can solve */
    Rejections(Lane<S> lane, Sessions sessions) {
        this.lane = lane;
        comparison = new Comparison<>(lane, sessions);
        onCpu = comparison.solver(sessions, lane.strategy(), lane.function().name());
    }

    /** The first row of each kind whose rejection differs. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Set<String> kinds = new HashSet<>();
        for (int number = 0; number < LOOKED_AT; number++) {
            InternalRow instance = lane.stream().instance(number);
            Optional<BellmanException> expected = rejection(() -> solveByOracle(instance));
            if (expected.isEmpty()) {
                continue;
            }
            Optional<BellmanException> found = rejection(() -> onCpu.solve(instance));
            ErrorCode code = found.map(BellmanException::code).orElse(null);
            String words = found.map(Throwable::getMessage).orElse("an answer");
            if (!kinds.add(words.replaceAll("[0-9.E-]+", "0"))) {
                continue;
            }
            if (code != expected.get().code()) {
                findings.add(new Finding(
                        lane.on(Engine.CPU),
                        call(instance),
                        words,
                        "a rejection with " + expected.get().code()));
            } else if (lane.engine() == Engine.GPU) {
                String onGpu = rejection(() -> comparison.solve(instance))
                        .map(Throwable::getMessage)
                        .orElse("an answer");
                if (!onGpu.equals(words)) {
                    findings.add(new Finding(lane, call(instance), onGpu, words));
                }
            }
        }
        return findings;
    }

    private String call(InternalRow instance) {
        return SqlText.call(lane.function().name(), lane.types(), instance);
    }

    private void solveByOracle(InternalRow instance) {
        for (int i = 0; i < instance.numFields(); i++) {
            if (instance.isNullAt(i)) {
                return;
            }
        }
        lane.signature().oracle().solve(instance);
    }

    private static Optional<BellmanException> rejection(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (Exception e) {
            // Scala throws Spark's checked exceptions without declaring them
            return Optional.of(BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(ErrorCode.BELLMAN_INTERNAL, String.valueOf(e), e)));
        }
    }
}
