package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.InstanceGenerator;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * One run of the checker. A function has lanes; a lane is a stream of instances, a strategy and an engine. Functions
 * get equal time, and so do the lanes of a function. The seed determines what a lane checks; the time determines how far
 * it gets.
 */
final class Check {
    /** What to check. */
    record Plan(
            List<BellmanFunction<?>> functions,
            Set<String> strategies,
            Set<Engine> engines,
            long seed,
            double seconds,
            long count) {}

    /**
     * A batch takes about a tenth of a function's time, within these limits, besides what it takes however small it is. So Spark's overhead is small if
     * there is time, and the larger the batches, the better they use a GPU.
     */
    private static final double SHORT_BATCH_SECONDS = 0.25;

    private static final double LONG_BATCH_SECONDS = 12;
    private static final int BATCHES_OF_A_FUNCTION = 10;

    /** The least of a batch in a run that is at least so long. */
    private static final double BATCH_SECONDS = 4;

    private static final double LONG_RUN_SECONDS = 120;

    /** The size of a lane's first batch, and how many times larger the next one may be. */
    private static final int FIRST_BATCH = 512;

    private static final int FIRST_LARGE_BATCH = 2;

    /** The assumed time of a cell of the largest instance until a lane has run: most instances are smaller. */
    private static final double SECONDS_OF_A_CELL = 5e-11;

    private static final int GROWTH = 16;
    /** The same after a batch that took too long, which may be overhead. */
    private static final int SLOW_GROWTH = 2;

    private static final long MOST = 40_000_000;

    /** The base of streams with instances of many sizes. */
    private static final int COMMON = 20;

    private static final int LONG = 1_100;

    /**
     * The time share of {@code auto}, and of strategies that were asked for by name, on streams with instances of many sizes, as a multiple of another
     * lane's.
     */
    private static final double MOST_OF_THE_TIME = 100;

    /** A lane that takes less than this fraction of its function's time runs once before any lane runs again. */
    private static final double SHORT = 0.1;

    private static final double PROGRESS_SECONDS = 15;

    private final Plan plan;
    private final Sessions sessions;
    private final PrintWriter out;
    private final List<Progress<?>> lanes = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private long start;
    private double told;

    Check(Plan plan, SparkSession spark, PrintWriter out) {
        this.plan = plan;
        this.out = out;
        sessions = new Sessions(spark, plan.engines(), plan.functions());
        for (BellmanFunction<?> function : plan.functions()) {
            addLanes(function);
        }
    }

    /** How far a lane has come. */
    private static final class Progress<S extends Enum<S>> {
        private final Lane<S> lane;
        private final Sessions sessions;
        private Comparison<S> comparison;
        /** Its share of the time, relative to the other lanes of the function. */
        private final double share;

        private final Tally tally = new Tally();
        private long next;
        private long batch;
        private double seconds;
        /** What its batches take at least. */
        private double overhead = Double.MAX_VALUE;

        /** The instances and the seconds of its last batch. */
        private long last;

        private double ofLast;
        private boolean failed;

        Progress(Lane<S> lane, Sessions sessions, double share) {
            this.lane = lane;
            this.share = share;
            this.sessions = sessions;
            batch = lane.sizes().size() >= LONG ? FIRST_LARGE_BATCH : FIRST_BATCH;
        }

        Comparison<S> comparison() {
            if (comparison == null) {
                comparison = new Comparison<>(lane, sessions);
            }
            return comparison;
        }

        /** The expected time of the next batch, from earlier batches or else from the cells of the largest instances. */
        double expected() {
            if (next > 0) {
                return ofLast > overhead ? overhead + batch * (ofLast - overhead) / last : batch * seconds / next;
            }
            return batch
                    * SECONDS_OF_A_CELL
                    * Math.pow(lane.sizes().size(), lane.signature().generator().growth());
        }

        boolean isDue(double seconds) {
            return next == 0 && expected() < seconds;
        }

        /** The lane's total time after its next batch, relative to its share. */
        double used() {
            return (seconds + expected()) / share;
        }
    }

    private <S extends Enum<S>> void addLanes(BellmanFunction<S> function) {
        for (int signature = 0; signature < function.signatures().size(); signature++) {
            InstanceGenerator generator = function.signatures().get(signature).generator();
            for (Lane.Sizes sizes : sizes(generator)) {
                for (Engine engine : plan.engines()) {
                    for (S strategy : function.problem().strategyType().getEnumConstants()) {
                        boolean asked =
                                plan.strategies().isEmpty() || plan.strategies().contains(Strategies.name(strategy));
                        boolean exists = engine == Engine.CPU
                                ? function.traits().onCpu(strategy) == strategy
                                : hasKernel(function, signature, strategy);
                        if (asked && exists) {
                            addLane(function, signature, strategy, engine, sizes);
                        }
                    }
                }
            }
        }
    }

    /** Small instances for the oracle, instances of many sizes, and instances of one size. */
    private static List<Lane.Sizes> sizes(InstanceGenerator generator) {
        List<Lane.Sizes> sizes = new ArrayList<>();
        sizes.add(Lane.Sizes.of(generator.small()));
        sizes.add(new Lane.Sizes(COMMON, Math.min(generator.large(), COMMON << 6)));
        if (2 * LONG <= generator.large()) {
            sizes.add(Lane.Sizes.of(LONG));
        }
        sizes.add(Lane.Sizes.of(generator.large()));
        return sizes;
    }

    private static <S extends Enum<S>> boolean hasKernel(BellmanFunction<S> function, int signature, S strategy) {
        return function.signatures().get(signature).implementation().create(strategy, FunctionOptions.DEFAULT)
                        instanceof ColumnarFunction columnar
                && columnar.hasKernel();
    }

    private <S extends Enum<S>> void addLane(
            BellmanFunction<S> function, int signature, S strategy, Engine engine, Lane.Sizes sizes) {
        boolean small =
                sizes.most() == function.signatures().get(signature).generator().small();
        S auto = function.problem().strategyType().getEnumConstants()[0];
        boolean asked = strategy == auto || !plan.strategies().isEmpty();
        boolean most = asked && sizes.size() == COMMON;
        Lane<S> lane = new Lane<>(
                function,
                signature,
                strategy,
                engine,
                sizes,
                new Lane.Reference<>(small ? null : reference(function, strategy, engine)),
                plan.seed());
        lanes.add(new Progress<>(lane, sessions, most ? MOST_OF_THE_TIME : 1));
    }

    /** The reference on the CPU: the fastest strategy for GPU lanes, the plainest for others; the same one if answers depend on it. */
    private static <S extends Enum<S>> S reference(BellmanFunction<S> function, S strategy, Engine engine) {
        S auto = function.problem().strategyType().getEnumConstants()[0];
        S textbook = function.problem().textbook();
        if (engine == Engine.GPU) {
            return function.traits().answersAsDefined(strategy) ? auto : strategy;
        }
        return strategy == textbook ? auto : textbook;
    }

    /** Checks until time is up, or until every lane has run and every function has had the requested number of instances. */
    List<Finding> run() {
        start = System.nanoTime();
        out.printf(
                Locale.ROOT,
                "check: %d functions, %d lanes, seed %d, %s%n",
                plan.functions().size(),
                lanes.size(),
                plan.seed(),
                plan.engines().toString().toLowerCase(Locale.ROOT));
        out.flush();
        lanes.stream()
                .map(progress -> progress.lane)
                .filter(this::tellsRejections)
                .forEach(this::checkRejections);
        while (elapsed() < plan.seconds()) {
            Optional<Progress<?>> next = next();
            if (next.isEmpty()) {
                break;
            }
            step(next.get());
            tellProgress();
        }
        tellResults();
        return findings;
    }

    /** One lane for each signature and engine. */
    private boolean tellsRejections(Lane<?> lane) {
        return lane.function().rejects().isPresent()
                && lane.strategy().ordinal() == 0
                && lane.sizes().most() == lane.signature().generator().small();
    }

    private <S extends Enum<S>> void checkRejections(Lane<S> lane) {
        if (elapsed() < plan.seconds()) {
            new Rejections<>(lane, sessions).findings().forEach(this::add);
        }
    }

    private void add(Finding finding) {
        findings.add(finding);
        out.print(finding.text());
        out.flush();
    }

    private double elapsed() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** In the function that has had the least time, the lane that is farthest behind its share. */
    private Optional<Progress<?>> next() {
        Map<BellmanFunction<?>, Double> used = new LinkedHashMap<>();
        for (Progress<?> progress : lanes) {
            if (!progress.failed && isWanted(progress)) {
                used.putIfAbsent(progress.lane.function(), 0.0);
            }
        }
        for (Progress<?> progress : lanes) {
            used.computeIfPresent(progress.lane.function(), (function, seconds) -> seconds + progress.seconds);
        }
        return used.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .flatMap(function -> lanes.stream()
                        .filter(progress ->
                                progress.lane.function() == function && !progress.failed && isWanted(progress))
                        .min(Comparator.<Progress<?>>comparingInt(progress -> progress.isDue(SHORT
                                                * plan.seconds()
                                                / plan.functions().size())
                                        ? 0
                                        : 1)
                                .thenComparingDouble(Progress::used)));
    }

    private boolean isWanted(Progress<?> progress) {
        return elapsed() + progress.expected() < plan.seconds()
                && (progress.next == 0 || instances(progress.lane.function()) < plan.count());
    }

    /** How many instances of a function were compared. */
    long instances(BellmanFunction<?> function) {
        return lanes.stream()
                .filter(progress -> progress.lane.function() == function)
                .mapToLong(progress -> progress.tally.instances())
                .sum();
    }

    private <S extends Enum<S>> void step(Progress<S> progress) {
        long from = progress.next;
        long to = from + Math.max(1, Math.min(progress.batch, plan.count() - instances(progress.lane.function())));
        progress.next = to;
        double before = elapsed();
        try {
            Tally tally = progress.comparison().compare(from, to);
            progress.tally.add(tally);
            if (tally.differences() > 0) {
                fail(progress, shrunk(progress, tally.numbers().get(0)));
            }
        } catch (Exception e) {
            // Scala throws Spark's checked exceptions without declaring them
            BellmanException.in(e)
                    .filter(own -> own.code() == ErrorCode.BELLMAN_GPU_REQUIRED)
                    .ifPresent(own -> {
                        throw own;
                    });
            fail(progress, located(progress, from, to, e));
        }
        double took = elapsed() - before;
        double target = batchSeconds();
        progress.overhead = Math.min(progress.overhead, took);
        double overhead = progress.overhead;
        if (took > target && to - from > progress.last) {
            // with many kernels per batch, the overhead is seen only in the difference of two batches
            double ofOne = Math.max(0, took - progress.ofLast) / (to - from - progress.last);
            overhead = Math.max(overhead, took - ofOne * (to - from));
        }
        progress.seconds += took;
        progress.last = to - from;
        progress.ofLast = took;
        double wanted = (to - from) * target / Math.max(took - overhead, Double.MIN_NORMAL);
        int growth = took < target ? GROWTH : SLOW_GROWTH;
        progress.batch = (long) Math.max(1, Math.min(MOST, Math.min(growth * (to - from), wanted)));
    }

    private double batchSeconds() {
        double least = plan.seconds() < LONG_RUN_SECONDS ? SHORT_BATCH_SECONDS : BATCH_SECONDS;
        double share = plan.seconds() / plan.functions().size() / BATCHES_OF_A_FUNCTION;
        return Math.max(least, Math.min(LONG_BATCH_SECONDS, share));
    }

    private void fail(Progress<?> progress, Finding finding) {
        progress.failed = true;
        add(finding);
    }

    /** The instance with a number, reduced as far as possible. */
    private static <S extends Enum<S>> Finding shrunk(Progress<S> progress, long number) {
        InternalRow instance = progress.lane.stream().instance(number);
        Comparison<S> comparison = progress.comparison();
        if (comparison.compare(List.of(instance)).differences() == 0) {
            return Finding.ofBatch(progress.lane, number, number + 1, "right by itself, but not in its batch");
        }
        InternalRow smallest = new Shrinker(progress.lane.types(), candidates -> firstDifferent(comparison, candidates))
                .shrink(instance);
        List<String> answers = comparison.answers(smallest);
        return Finding.of(progress.lane, smallest, answers.get(0), answers.get(1));
    }

    private static Optional<InternalRow> firstDifferent(Comparison<?> comparison, List<InternalRow> candidates) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        return comparison.compare(candidates).numbers().stream()
                .min(Comparator.naturalOrder())
                .map(number -> candidates.get(number.intValue()));
    }

    /** The smallest part of a batch that fails: an exception aborts the whole batch. */
    private static Finding located(Progress<?> progress, long from, long to, Exception failure) {
        long first = from;
        long end = to;
        Exception last = failure;
        while (end - first > 1) {
            long middle = (first + end) / 2;
            Optional<Exception> lower = failure(progress, first, middle);
            Optional<Exception> upper = lower.isPresent() ? Optional.empty() : failure(progress, middle, end);
            if (lower.isPresent()) {
                end = middle;
                last = lower.get();
            } else if (upper.isPresent()) {
                first = middle;
                last = upper.get();
            } else {
                return Finding.ofBatch(progress.lane, first, end, message(last));
            }
        }
        return Finding.of(
                progress.lane, progress.lane.stream().instance(first), "fails: " + message(last), "an answer");
    }

    private static Optional<Exception> failure(Progress<?> progress, long from, long to) {
        try {
            progress.comparison().compare(from, to);
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(e);
        }
    }

    private static String message(Exception failure) {
        return BellmanException.in(failure).map(Throwable::getMessage).orElse(String.valueOf(failure));
    }

    private void tellProgress() {
        if (elapsed() - told >= PROGRESS_SECONDS) {
            told = elapsed();
            long instances = lanes.stream()
                    .mapToLong(progress -> progress.tally.instances())
                    .sum();
            out.printf(
                    Locale.ROOT,
                    "  %,.0f s: %,d instances, %,.0f/s, %d differences%n",
                    told,
                    instances,
                    instances / told,
                    findings.size());
            out.flush();
        }
    }

    private void tellResults() {
        out.printf(
                Locale.ROOT,
                "%-22s %-20s %-6s %15s %12s %12s  %s%n",
                "function",
                "strategy",
                "engine",
                "instances",
                "null",
                "per second",
                "differences");
        long instances = 0;
        for (BellmanFunction<?> function : plan.functions()) {
            Set<String> told = new TreeSet<>();
            for (Progress<?> progress : lanes) {
                if (progress.lane.function() == function && told.add(progress.lane.solver())) {
                    instances += tellResult(progress.lane);
                }
            }
        }
        out.printf(
                Locale.ROOT,
                "check: %,d instances in %.0f s, %,.0f/s, %d differences%n",
                instances,
                elapsed(),
                instances / elapsed(),
                findings.size());
        out.flush();
    }

    /** One line for all lanes of a function with the same strategy and engine. */
    private long tellResult(Lane<?> lane) {
        Tally all = new Tally();
        double seconds = 0;
        for (Progress<?> progress : lanes) {
            if (progress.lane.function() == lane.function()
                    && progress.lane.solver().equals(lane.solver())) {
                all.add(progress.tally);
                seconds += progress.seconds;
            }
        }
        out.printf(
                Locale.ROOT,
                "%-22s %-20s %-6s %,15d %,12d %,12.0f  %d%n",
                lane.function().name(),
                Strategies.name(lane.strategy()),
                Strategies.name(lane.engine()),
                all.instances(),
                all.nulls(),
                all.instances() / Math.max(1e-9, seconds),
                all.differences());
        return all.instances();
    }
}
