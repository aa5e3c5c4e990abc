package dev.bellman.check;

import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Creates all subjects of a plan, in groups among which the time is divided. */
final class Subjects {
    /** The names of the other ways to compute a function's results, which are not strategies. */
    static final Set<String> OTHER_WAYS = Set.of(TilesSubject.LARGE_TILES, TilesSubject.SEVERAL_GPUS, JoinSubject.JOIN);

    /** The base size for streams whose instances vary in size. */
    private static final int COMMON = 20;

    private static final int LONG = 1_100;

    /**
     * The share of a group's time that is spent on instances of various sizes. Small instances have the share
     * {@link #SMALL_SHARE}, and instances of other sizes have a share of 1.
     */
    private static final double COMMON_SHARE = 8;

    private static final double SMALL_SHARE = 4;

    /** The number of instances of every function that should have been compared after a few minutes on a GPU. */
    private static final long FLOOR = 100_000;

    /** The share of {@code auto}, which users run by default, as a multiple of the share of other strategies. */
    private static final double AUTO_SHARE = 2;

    /** The corresponding multiple on a GPU, where some other strategies launch kernels for each instance. */
    private static final double AUTO_SHARE_ON_GPU = 4;

    /**
     * The share of CPU queries, of tables in tiles, and of joins, each relative to the total time of all strategies.
     */
    private static final double OTHER_SHARE = 0.06;

    /** The approximate minimum number of batches that a lane runs. */
    private static final double BATCHES = 4;

    private static final double MAX_BATCH_SECONDS = 1;
    private static final double MIN_QUERY_SECONDS = 0.25;
    private static final double MIN_CPU_SECONDS = 0.01;

    private record GroupKey(String function, String strategy, Engine engine) {}

    private final Check.Plan plan;
    private final Sessions sessions;
    private final Map<GroupKey, Schedule.Group> groups = new LinkedHashMap<>();
    /** The subjects for all streams. The lanes of one subject share a query. */
    private final List<LaneSubject<?>> streams = new ArrayList<>();

    Subjects(Check.Plan plan, Sessions sessions) {
        this.plan = plan;
        this.sessions = sessions;
        plan.functions().forEach(this::addLanes);
    }

    /**
     * Returns the schedule's groups.
     *
     * @param threads the number of batches that run at the same time
     */
    List<Schedule.Group> groups(SparkSession spark, int threads) {
        double batch = plan.seconds() * threads / Math.max(1, streams.size()) / BATCHES;
        streams.forEach(stream -> addStream(stream, batch));
        double all = groups.values().stream()
                .filter(group -> !group.alone())
                .mapToDouble(Schedule.Group::share)
                .sum();
        double share = Math.max(1, OTHER_SHARE * all);
        for (Engine engine : plan.engines()) {
            if (engine != Engine.CPU_QUERY) {
                addTables(JavaSparkContext.fromSparkContext(spark.sparkContext()), engine, share);
                addJoin(engine, share);
            }
        }
        return List.copyOf(groups.values());
    }

    private <S extends Enum<S>> void addLanes(BellmanFunction<S> function) {
        Map<Integer, List<Integer>> overloads = new LinkedHashMap<>();
        for (int index = 0; index < function.signatures().size(); index++) {
            Signature<S> signature = function.signatures().get(index);
            if (isWanted(signature)) {
                overloads
                        .computeIfAbsent(signature.overload(), overload -> new ArrayList<>())
                        .add(index);
            }
        }
        overloads.values().forEach(signatures -> plan.engines().forEach(engine -> {
            if (engine == Engine.CPU) {
                addOnCpu(function, signatures);
            } else {
                addQueries(function, signatures, engine);
            }
        }));
    }

    private <S extends Enum<S>> void addOnCpu(BellmanFunction<S> function, List<Integer> signatures) {
        for (int index : signatures) {
            for (Lane.Sizes sizes : sizes(function, index)) {
                lanes(function, List.of(index), Engine.CPU, sizes)
                        .forEach(lane -> streams.add(new LaneSubject<>(List.of(lane), sessions)));
            }
        }
    }

    /**
     * Adds the lanes of an overload. One query solves the instances of all sizes with all signatures. On a GPU,
     * {@code auto} has a separate query, because some other strategies launch kernels for each instance and are a
     * thousand times slower.
     */
    private <S extends Enum<S>> void addQueries(BellmanFunction<S> function, List<Integer> signatures, Engine engine) {
        for (boolean auto : new boolean[] {true, false}) {
            QueryComparison.Query<S> query = null;
            for (Lane.Sizes sizes : sizes(function, signatures.get(0))) {
                List<Lane<S>> some = lanes(function, signatures, engine, sizes).stream()
                        .filter(lane -> lane.strategy().ordinal() == 0 == auto)
                        .toList();
                if (!some.isEmpty()) {
                    query = query == null ? new QueryComparison.Query<>(some, function.tryName(), sessions) : query;
                    streams.add(new LaneSubject<>(some, sessions, query));
                }
            }
        }
    }

    /** Returns the lanes of a stream, one for each strategy of these signatures. */
    private <S extends Enum<S>> List<Lane<S>> lanes(
            BellmanFunction<S> function, List<Integer> signatures, Engine engine, Lane.Sizes sizes) {
        List<Lane<S>> lanes = new ArrayList<>();
        for (int index : signatures) {
            for (S strategy : function.problem().strategyType().getEnumConstants()) {
                if (isWanted(Strategies.name(strategy)) && exists(function, index, engine, strategy, sizes)) {
                    lanes.add(lane(function, index, strategy, engine, sizes));
                }
            }
        }
        return lanes;
    }

    private boolean isWanted(String strategy) {
        return plan.strategies().isEmpty() || plan.strategies().contains(strategy);
    }

    private boolean isWanted(Signature<?> signature) {
        String type = plan.type().toUpperCase(Locale.ROOT);
        return signature.result().sql().contains(type)
                || signature.parameters().stream().map(Parameter::type).anyMatch(each -> each.sql()
                        .contains(type));
    }

    /**
     * Returns the sizes of the streams: small instances for the oracle, instances of various sizes, and instances of a
     * single size.
     */
    private static Set<Lane.Sizes> sizes(BellmanFunction<?> function, int signature) {
        InstanceGenerator generator =
                Proofs.of(function.signatures().get(signature)).generator();
        Set<Lane.Sizes> sizes = new LinkedHashSet<>();
        sizes.add(Lane.Sizes.of(generator.small()));
        sizes.add(common(generator));
        if (2 * LONG <= generator.large()) {
            sizes.add(Lane.Sizes.of(LONG));
        }
        sizes.add(Lane.Sizes.of(generator.large()));
        return sizes;
    }

    private static Lane.Sizes common(InstanceGenerator generator) {
        return new Lane.Sizes(Math.min(generator.large(), COMMON), Math.min(generator.large(), COMMON << 6));
    }

    private static <S extends Enum<S>> boolean exists(
            BellmanFunction<S> function, int signature, Engine engine, S strategy, Lane.Sizes sizes) {
        return switch (engine) {
            case CPU -> function.traits().onCpu(strategy) == strategy;
            case CPU_QUERY ->
                strategy.ordinal() == 0
                        && sizes.equals(common(
                                Proofs.of(function.signatures().get(signature)).generator()));
            case GPU ->
                function.signatures()
                        .get(signature)
                        .call(strategy, FunctionOptions.DEFAULT)
                        .hasKernel();
        };
    }

    private <S extends Enum<S>> Lane<S> lane(
            BellmanFunction<S> function, int signature, S strategy, Engine engine, Lane.Sizes sizes) {
        Lane<S> lane = new Lane<>(
                function,
                signature,
                strategy,
                engine,
                sizes,
                new Lane.Reference<>(reference(function, strategy, engine)),
                plan.seed());
        return engine == Engine.CPU && lane.isSmall() ? lane.withOracle() : lane;
    }

    /**
     * Returns the reference strategy. For direct calls, the reference is the simplest strategy or, for this strategy
     * itself, {@code auto}. For queries, the reference is {@code auto} on the CPU or, if results depend on the
     * strategy, the same strategy on the CPU.
     */
    private static <S extends Enum<S>> S reference(BellmanFunction<S> function, S strategy, Engine engine) {
        S auto = function.problem().strategyType().getEnumConstants()[0];
        S textbook = function.problem().textbook();
        if (engine == Engine.CPU) {
            return strategy == textbook ? auto : textbook;
        }
        return function.traits().answersAsDefined(strategy) ? auto : strategy;
    }

    /**
     * Adds a stream. On the CPU, each strategy has its own share of the time for direct calls, and all queries together
     * have one share. On the GPU, each function has its own share.
     */
    private <S extends Enum<S>> void addStream(LaneSubject<S> subject, double batch) {
        Lane<S> lane = subject.lane();
        double ofStrategy = lane.strategy().ordinal() == 0 ? AUTO_SHARE : 1;
        Schedule.Group group =
                switch (subject.engine()) {
                    case CPU -> group(subject.function(), Strategies.name(lane.strategy()), Engine.CPU, ofStrategy, 0);
                    case CPU_QUERY ->
                        group("", "", Engine.CPU_QUERY, Math.max(1, OTHER_SHARE * streams.size() / BATCHES), 0);
                    case GPU -> group(subject.function(), "", Engine.GPU, 1, FLOOR);
                };
        boolean common = lane.sizes().equals(common(Proofs.of(lane.signature()).generator()));
        double ofSizes = common ? COMMON_SHARE : lane.isSmall() ? SMALL_SHARE : 1;
        if (subject.engine() == Engine.GPU) {
            ofSizes *= lane.strategy().ordinal() == 0 ? AUTO_SHARE_ON_GPU : 1;
        }
        double least = subject.engine() == Engine.CPU ? MIN_CPU_SECONDS : MIN_QUERY_SECONDS;
        group.subjects().add(new Progress(subject, ofSizes, Math.max(least, Math.min(MAX_BATCH_SECONDS, batch))));
    }

    private Schedule.Group group(String function, String strategy, Engine engine, double share, long floor) {
        return groups.computeIfAbsent(
                new GroupKey(function, strategy, engine), key -> new Schedule.Group(share, false, floor));
    }

    private boolean isChecked(Subject other) {
        return other.strategies().stream().anyMatch(this::isWanted)
                && plan.functions().stream().anyMatch(each -> each.name().equals(other.function()));
    }

    private void addTables(JavaSparkContext spark, Engine engine, double share) {
        List<TilesSubject> subjects = new ArrayList<>(List.of(
                new SolvedTilesSubject.OfChains(engine, spark, plan.seed()),
                new SolvedTilesSubject.OfParenthesizations(engine, spark, plan.seed()),
                new SolvedTilesSubject.OfGaps(engine, spark, plan.seed())));
        for (boolean several : engine == Engine.GPU ? new boolean[] {false, true} : new boolean[] {false}) {
            subjects.add(new TilesSubject.OfPaths(engine, several, spark, plan.seed()));
            subjects.add(new TilesSubject.OfEliminations(engine, several, spark, plan.seed()));
        }
        for (TilesSubject subject : subjects) {
            if (isChecked(subject)) {
                groups.computeIfAbsent(
                                new GroupKey("", TilesSubject.LARGE_TILES, null),
                                name -> new Schedule.Group(share, true))
                        .subjects()
                        .add(new Progress(subject, 1, MAX_BATCH_SECONDS));
            }
        }
    }

    private void addJoin(Engine engine, double share) {
        JoinSubject subject = new JoinSubject(engine, sessions.of(engine), plan.seed());
        if (isChecked(subject)) {
            groups.computeIfAbsent(new GroupKey("", JoinSubject.JOIN, engine), name -> new Schedule.Group(share, true))
                    .subjects()
                    .add(new Progress(subject, 1, MAX_BATCH_SECONDS));
        }
    }
}
