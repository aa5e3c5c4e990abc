package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A stream that is shared by lanes which differ only in their strategies and signatures. If results differ, reduces the
 * instance; if a batch fails, reduces it to the smallest range that still fails. Afterwards, the lane of the strategy
 * that caused this ends, and the other lanes continue. If no strategy fails by itself, all lanes end.
 */
final class LaneSubject<S extends Enum<S>> implements Subject {
    /**
     * The approximate size of a query's first batch, as a number of instances of size 1. This batch is small, because
     * all queries wait for a kernel that takes long for some instances.
     */
    private static final int FIRST_OF_QUERY = 1 << 16;

    /**
     * The number of instances in the first GPU batch of strategies other than {@code auto}. Some of these strategies
     * launch kernels for each instance, which takes milliseconds.
     */
    private static final int FIRST_OF_OTHER_STRATEGIES = 64;

    /**
     * The number of instances in the first batch on the CPU. This batch is small, because the code has not been
     * compiled yet.
     */
    private static final int FIRST_OF_CPU = 4;

    /**
     * The estimated time, in seconds, for each cell of an instance that has the stream's base size, used until the lane
     * has run. Most instances are smaller.
     */
    private static final double SECONDS_OF_GPU_CELL = 5e-11;

    private static final double SECONDS_OF_CPU_CELL = 4e-9;

    private final List<Lane<S>> lanes;
    private final Sessions sessions;
    /** The query that these lanes share with the lanes of other sizes; null if each comparison plans its own query. */
    private final QueryComparison.Query<S> query;

    /** The lanes in which no difference or failure has been found yet. */
    private final List<Lane<S>> left;

    private Comparison<S> comparison;

    /** @param lanes a single lane on the CPU, or one or more lanes that share a query */
    LaneSubject(List<Lane<S>> lanes, Sessions sessions) {
        this(lanes, sessions, null);
    }

    /**
     * @param query the query that these lanes share with the lanes of other sizes; null if each comparison plans its
     *     own query
     */
    LaneSubject(List<Lane<S>> lanes, Sessions sessions, QueryComparison.Query<S> query) {
        this.lanes = List.copyOf(lanes);
        this.sessions = sessions;
        this.query = query;
        left = new ArrayList<>(lanes);
    }

    Lane<S> lane() {
        return lanes.get(0);
    }

    @Override
    public String function() {
        return lane().function().name();
    }

    @Override
    public List<String> strategies() {
        return lanes.stream().map(lane -> Strategies.name(lane.strategy())).toList();
    }

    @Override
    public Engine engine() {
        return lanes.get(0).engine();
    }

    @Override
    public int first() {
        return switch (engine()) {
            case CPU -> FIRST_OF_CPU;
            case CPU_QUERY -> firstOfQuery();
            case GPU -> lane().strategy().ordinal() == 0 ? firstOfQuery() : FIRST_OF_OTHER_STRATEGIES;
        };
    }

    private int firstOfQuery() {
        return Math.max(1, FIRST_OF_QUERY / Math.max(1, lane().sizes().size()));
    }

    @Override
    public double seconds() {
        Lane<S> lane = lanes.get(0);
        double cells = Math.pow(
                lane.sizes().size(), Proofs.of(lane.signature()).generator().growth());
        if (engine() != Engine.GPU) {
            return cells * SECONDS_OF_CPU_CELL;
        }
        double ofReferences =
                comparison instanceof QueryComparison<S> query ? query.secondsOfOne() : cells * SECONDS_OF_CPU_CELL;
        return Math.max(ofReferences * Check.QUERIES / sessions.cores(), cells * SECONDS_OF_GPU_CELL * lanes.size());
    }

    @Override
    public void prepare() {
        comparison();
    }

    private Comparison<S> comparison() {
        if (comparison == null) {
            boolean textbook = left.get(0).isSmall();
            if (engine() == Engine.CPU) {
                comparison = Comparison.of(left.get(0), sessions);
            } else if (query != null && left.size() == lanes.size()) {
                comparison = new QueryComparison<>(lanes, textbook, query);
            } else {
                comparison = new QueryComparison<>(
                        List.copyOf(left), left.get(0).function().tryName(), textbook, sessions);
            }
        }
        return comparison;
    }

    @Override
    public Object query() {
        return query;
    }

    /** Checks only one strategy of each signature, because all strategies reject the same rows. */
    @Override
    public List<Finding> rejections(double seconds) {
        return lanes.stream()
                .filter(lane -> lane.isSmall()
                        && lane.function().rejects().isPresent()
                        && lane.strategy().ordinal() == 0)
                .flatMap(lane -> new Rejections<>(lane, sessions).findings(seconds).stream())
                .toList();
    }

    @Override
    public List<Tally> compare(long from, long to) {
        List<Tally> found = comparison().compare(from, to);
        List<Tally> all = Tally.some(lanes.size());
        for (int i = 0; i < left.size(); i++) {
            all.get(lanes.indexOf(left.get(i))).add(found.get(i));
        }
        return all;
    }

    @Override
    public boolean goesOn() {
        return !left.isEmpty();
    }

    @Override
    public List<Finding> differences(List<Tally> tallies) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            if (tallies.get(i).differences() > 0) {
                findings.add(difference(lanes.get(i), tallies.get(i).numbers().get(0)));
                end(lanes.get(i));
            }
        }
        return findings;
    }

    private void end(Lane<S> lane) {
        left.remove(lane);
        comparison = null;
    }

    /**
     * Returns the finding for an instance whose result differs from the result of the lane's reference or, if these
     * agree, from the oracle's.
     */
    private Finding difference(Lane<S> lane, long number) {
        InternalRow instance = lane.stream().instance(number);
        for (Lane<S> each : lane.isSmall() ? List.of(lane, lane.withOracle()) : List.of(lane)) {
            Comparison<S> one = Comparison.of(each, sessions);
            if (one.compare(List.of(instance)).differences() > 0) {
                return shrunk(each, one, instance);
            }
        }
        return Finding.ofBatch(lane, number, number + 1, "correct by itself, but not in its batch");
    }

    /** Returns the finding for an instance whose results differ in a comparison, after minimizing the instance. */
    Finding shrunk(Lane<S> lane, Comparison<S> one, InternalRow instance) {
        List<Solver> solvers = List.of(
                Comparison.solver(
                        lane, sessions, lane.strategy(), lane.function().tryName()),
                Comparison.reference(lane, sessions));
        List<Boolean> solved = solved(solvers, instance).orElse(null);
        Predicate<InternalRow> isAlike =
                row -> solved == null || solved(solvers, row).equals(Optional.of(solved));
        InternalRow smallest = new Shrinker(lane.types(), rows -> firstDifferent(one, rows, isAlike)).shrink(instance);
        List<String> answers = one.answers(smallest);
        return Finding.of(lane, smallest, answers.get(0), answers.get(1));
    }

    /** Returns, for each solver, whether it has a result; empty if any solver fails. */
    private static Optional<List<Boolean>> solved(List<Solver> solvers, InternalRow row) {
        try {
            return Optional.of(
                    solvers.stream().map(solver -> solver.solve(row) != null).toList());
        } catch (Exception e) {
            // catch any exception, not only Bellman's: an oracle may not be able to parse a string from which letters
            // were removed
            return Optional.empty();
        }
    }

    /**
     * Returns the first candidate whose results differ.
     *
     * @param isAlike tests whether a candidate has the same status as the original instance, accepted or rejected;
     *     needed because a step can lead to rows that a generator never creates, and on which the oracle and the
     *     function may disagree
     */
    private Optional<InternalRow> firstDifferent(
            Comparison<S> one, List<InternalRow> candidates, Predicate<InternalRow> isAlike) {
        for (int from = 0; from < candidates.size(); ) {
            List<InternalRow> rest = candidates.subList(from, candidates.size());
            List<Long> numbers;
            try {
                numbers = one.compare(rest).numbers().stream().sorted().toList();
            } catch (Exception e) {
                return firstOfParts(one, rest, isAlike);
            }
            // each task returns only its first numbers, so the list is certain to be complete only up to this length
            List<Long> first = numbers.subList(0, Math.min(numbers.size(), Tally.MAX_NUMBERS));
            for (long number : first) {
                if (isAlike.test(rest.get((int) number))) {
                    return Optional.of(rest.get((int) number));
                }
            }
            from = first.size() < Tally.MAX_NUMBERS
                    ? candidates.size()
                    : from + 1 + first.get(first.size() - 1).intValue();
        }
        return Optional.empty();
    }

    /**
     * Compares the two halves of the candidates separately, because at least one candidate causes an exception. Never
     * returns such a candidate.
     */
    private Optional<InternalRow> firstOfParts(
            Comparison<S> one, List<InternalRow> candidates, Predicate<InternalRow> isAlike) {
        int middle = candidates.size() / 2;
        return middle == 0
                ? Optional.empty()
                : firstDifferent(one, candidates.subList(0, middle), isAlike)
                        .or(() -> firstDifferent(one, candidates.subList(middle, candidates.size()), isAlike));
    }

    /**
     * Finds the strategy that threw an exception. An exception ends the whole batch, so each strategy is run on its own
     * until one fails.
     */
    @Override
    public Finding failure(long from, long to, Exception failure) {
        for (Lane<S> lane : List.copyOf(left)) {
            Comparison<S> one = Comparison.of(lane, sessions);
            Optional<Exception> own = left.size() == 1 ? Optional.of(failure) : failure(one, from, to);
            if (own.isPresent()) {
                end(lane);
                return failure(lane, one, from, to, own.get());
            }
        }
        Lane<S> lane = left.get(0);
        left.clear();
        return Finding.ofBatch(lane, from, to, "all strategies in one query: " + message(failure));
    }

    private Finding failure(Lane<S> lane, Comparison<S> one, long from, long to, Exception failure) {
        long first = from;
        long end = to;
        Exception last = failure;
        while (end - first > 1) {
            long middle = (first + end) / 2;
            Optional<Exception> lower = failure(one, first, middle);
            Optional<Exception> upper = lower.isPresent() ? Optional.empty() : failure(one, middle, end);
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

    private Optional<Exception> failure(Comparison<S> one, long from, long to) {
        try {
            one.compare(from, to);
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(e);
        }
    }

    private static String message(Exception failure) {
        return BellmanException.in(failure).map(Throwable::getMessage).orElse(String.valueOf(failure));
    }
}
