package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.Strategies;
import dev.bellman.proof.Proofs;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The stream of a lane. An instance that differs is shrunk; of a batch that fails, the smallest part is found that
 * does.
 */
final class LaneSubject<S extends Enum<S>> implements Subject {
    /** Of a query, which takes a while however small it is. */
    private static final int FIRST_OF_QUERY = 512;

    /** Their code is not compiled yet. */
    private static final int FIRST_OF_CPU = 4;

    /** The assumed time of a cell of the largest instance until the lane has run: most instances are smaller. */
    private static final double SECONDS_OF_GPU_CELL = 5e-11;

    private static final double SECONDS_OF_CPU_CELL = 4e-9;

    private final Lane<S> lane;
    private final Sessions sessions;
    private Comparison<S> comparison;

    LaneSubject(Lane<S> lane, Sessions sessions) {
        this.lane = lane;
        this.sessions = sessions;
    }

    @Override
    public String function() {
        return lane.function().name();
    }

    @Override
    public String strategy() {
        return Strategies.name(lane.strategy());
    }

    @Override
    public Engine engine() {
        return lane.engine();
    }

    @Override
    public int first() {
        return lane.engine() == Engine.CPU ? FIRST_OF_CPU : FIRST_OF_QUERY;
    }

    @Override
    public double seconds() {
        double cells = Math.pow(
                lane.sizes().size(), Proofs.of(lane.signature()).generator().growth());
        return cells * (lane.engine() == Engine.GPU ? SECONDS_OF_GPU_CELL : SECONDS_OF_CPU_CELL);
    }

    @Override
    public boolean hasOracle() {
        return lane.reference().strategy() == null;
    }

    @Override
    public void prepare() {
        comparison();
    }

    private Comparison<S> comparison() {
        if (comparison == null) {
            comparison = Comparison.of(lane, sessions);
        }
        return comparison;
    }

    /** Of {@code auto} only: the strategies do not differ. */
    @Override
    public List<Finding> rejections(double seconds) {
        return hasOracle()
                        && lane.function().rejects().isPresent()
                        && lane.strategy().ordinal() == 0
                ? new Rejections<>(lane, sessions).findings(seconds)
                : List.of();
    }

    @Override
    public Tally compare(long from, long to) {
        return comparison().compare(from, to);
    }

    @Override
    public Finding difference(long number) {
        InternalRow instance = lane.stream().instance(number);
        if (comparison().compare(List.of(instance)).differences() == 0) {
            return Finding.ofBatch(lane, number, number + 1, "right by itself, but not in its batch");
        }
        InternalRow smallest = new Shrinker(lane.types(), this::firstDifferent).shrink(instance);
        List<String> answers = comparison().answers(smallest);
        return Finding.of(lane, smallest, answers.get(0), answers.get(1));
    }

    private Optional<InternalRow> firstDifferent(List<InternalRow> candidates) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        return comparison().compare(candidates).numbers().stream()
                .min(Comparator.naturalOrder())
                .map(number -> candidates.get(number.intValue()));
    }

    /** An exception ends the whole batch. */
    @Override
    public Finding failure(long from, long to, Exception failure) {
        long first = from;
        long end = to;
        Exception last = failure;
        while (end - first > 1) {
            long middle = (first + end) / 2;
            Optional<Exception> lower = failure(first, middle);
            Optional<Exception> upper = lower.isPresent() ? Optional.empty() : failure(middle, end);
            if (lower.isPresent()) {
                end = middle;
                last = lower.get();
            } else if (upper.isPresent()) {
                first = middle;
                last = upper.get();
            } else {
                return Finding.ofBatch(lane, first, end, message(last));
            }
        }
        return Finding.of(lane, lane.stream().instance(first), "fails: " + message(last), "an answer");
    }

    private Optional<Exception> failure(long from, long to) {
        try {
            compare(from, to);
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(e);
        }
    }

    private static String message(Exception failure) {
        return BellmanException.in(failure).map(Throwable::getMessage).orElse(String.valueOf(failure));
    }
}
