package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.check.Lane.Engine;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Checks how a function reports rejected rows. All engines must report the oracle's error code, and all must report the
 * same message.
 */
final class Rejections<S extends Enum<S>> {
    /** The maximum number of instances that are searched for rejected rows. */
    private static final int MAX_INSTANCES = 4_000;

    private final Lane<S> lane;
    private final Sessions sessions;
    private final Solver onCpu;
    private Comparison<S> onGpu;

    /** @param lane a lane whose instances are small enough for the oracle */
    Rejections(Lane<S> lane, Sessions sessions) {
        this.lane = lane;
        this.sessions = sessions;
        onCpu = Comparison.solver(
                lane, sessions, lane.strategy(), lane.function().name());
    }

    /**
     * Tests the first row of each kind of rejection message, and returns the rows that are not rejected as expected.
     *
     * @param seconds the maximum duration of the search
     */
    List<Finding> findings(double seconds) {
        long end = System.nanoTime() + (long) (1e9 * seconds);
        List<Finding> findings = new ArrayList<>();
        Set<String> kinds = new HashSet<>();
        for (int number = 0; number < MAX_INSTANCES && System.nanoTime() < end; number++) {
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
                findings.add(Finding.of(
                        lane.on(Engine.CPU),
                        instance,
                        words,
                        "a rejection with " + expected.get().code()));
            } else if (lane.engine() == Engine.GPU) {
                String onGpu = rejection(() -> onGpu().answers(instance))
                        .map(Throwable::getMessage)
                        .orElse("an answer");
                if (!onGpu.equals(words)) {
                    findings.add(Finding.of(lane, instance, onGpu, words));
                }
            }
        }
        return findings;
    }

    private Comparison<S> onGpu() {
        if (onGpu == null) {
            onGpu = new QueryComparison<>(List.of(lane), lane.function().name(), false, sessions);
        }
        return onGpu;
    }

    private void solveByOracle(InternalRow instance) {
        for (int i = 0; i < instance.numFields(); i++) {
            if (instance.isNullAt(i)) {
                return;
            }
        }
        Proofs.of(lane.signature()).oracle().solve(instance);
    }

    private static Optional<BellmanException> rejection(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            return Optional.of(BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(ErrorCode.BELLMAN_INTERNAL, String.valueOf(e), e)));
        }
    }
}
