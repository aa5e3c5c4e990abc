package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proofs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Everything that a plan checks, in groups that share the time. */
final class Subjects {
    /** Names of ways to the answers of a function that are no strategies. */
    static final Set<String> OTHER_WAYS = Set.of(TilesSubject.LARGE_TILES, TilesSubject.SEVERAL_GPUS, JoinSubject.JOIN);

    /** The base of streams with instances of many sizes. */
    private static final int COMMON = 20;

    private static final int LONG = 1_100;

    /** Shares of the time of a strategy: instances of many sizes, small ones for the oracle, and others. */
    private static final double COMMON_SHARE = 4;

    private static final double SMALL_SHARE = 2;

    /** The share of {@code auto}, which users get, as a multiple of another strategy's. */
    private static final double AUTO_SHARE = 2;

    /**
     * The share of queries on the CPU, of tables in tiles and of joins, each as a part of the time of all strategies.
     */
    private static final double OTHER_SHARE = 0.06;

    /** Batches of a lane, if they are neither too short for their overhead nor too long. */
    private static final double BATCHES = 4;

    private static final double MAX_BATCH_SECONDS = 1;
    private static final double MIN_QUERY_SECONDS = 0.25;
    private static final double MIN_CPU_SECONDS = 0.01;

    private record GroupKey(String function, String strategy, Engine engine) {}

    private final Check.Plan plan;
    private final Sessions sessions;
    private final Map<GroupKey, Schedule.Group> groups = new LinkedHashMap<>();
    private final List<Lane<?>> lanes = new ArrayList<>();

    Subjects(Check.Plan plan, Sessions sessions) {
        this.plan = plan;
        this.sessions = sessions;
        plan.functions().forEach(this::addLanes);
    }

    /**
     * The groups of the schedule.
     *
     * @param threads the batches that run at a time
     */
    List<Schedule.Group> groups(SparkSession spark, int threads) {
        double batch = plan.seconds() * threads / Math.max(1, lanes.size()) / BATCHES;
        for (Lane<?> lane : lanes) {
            addLane(lane, batch);
        }
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
        for (int index = 0; index < function.signatures().size(); index++) {
            Signature<S> signature = function.signatures().get(index);
            if (!isWanted(signature)) {
                continue;
            }
            for (Lane.Sizes sizes : sizes(Proofs.of(signature).generator())) {
                for (Engine engine : plan.engines()) {
                    for (S strategy : function.problem().strategyType().getEnumConstants()) {
                        if (isWanted(Strategies.name(strategy)) && exists(function, index, engine, strategy, sizes)) {
                            lanes.add(lane(function, index, strategy, engine, sizes));
                        }
                    }
                }
            }
        }
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

    private static <S extends Enum<S>> boolean exists(
            BellmanFunction<S> function, int signature, Engine engine, S strategy, Lane.Sizes sizes) {
        return switch (engine) {
            case CPU -> function.traits().onCpu(strategy) == strategy;
            case CPU_QUERY -> strategy.ordinal() == 0 && sizes.size() == COMMON;
            case GPU -> function.signatures().get(signature).hasKernel(strategy);
        };
    }

    private <S extends Enum<S>> Lane<S> lane(
            BellmanFunction<S> function, int signature, S strategy, Engine engine, Lane.Sizes sizes) {
        boolean small = sizes.most()
                == Proofs.of(function.signatures().get(signature)).generator().small();
        return new Lane<>(
                function,
                signature,
                strategy,
                engine,
                sizes,
                small ? Lane.Reference.oracle() : reference(function, strategy, engine),
                plan.seed());
    }

    /**
     * On the CPU the plainest strategy; in queries {@code auto}, and for strategies by name the same query solves with
     * both, without waiting for the CPU. The same strategy if answers depend on it.
     */
    private static <S extends Enum<S>> Lane.Reference<S> reference(
            BellmanFunction<S> function, S strategy, Engine engine) {
        S auto = function.problem().strategyType().getEnumConstants()[0];
        S textbook = function.problem().textbook();
        if (engine == Engine.CPU) {
            return new Lane.Reference<>(strategy == textbook ? auto : textbook, false);
        }
        return function.traits().answersAsDefined(strategy)
                ? new Lane.Reference<>(auto, strategy != auto)
                : new Lane.Reference<>(strategy, false);
    }

    private <S extends Enum<S>> void addLane(Lane<S> lane, double batch) {
        LaneSubject<S> subject = new LaneSubject<>(lane, sessions);
        boolean query = lane.engine() == Engine.CPU_QUERY;
        GroupKey key = query
                ? new GroupKey("", "", lane.engine())
                : new GroupKey(subject.function(), subject.strategy(), lane.engine());
        double share = query
                ? Math.max(1, OTHER_SHARE * lanes.size() / BATCHES)
                : lane.strategy().ordinal() == 0 ? AUTO_SHARE : 1;
        double ofSizes = lane.sizes().size() == COMMON ? COMMON_SHARE : subject.hasOracle() ? SMALL_SHARE : 1;
        double least = lane.engine() == Engine.CPU ? MIN_CPU_SECONDS : MIN_QUERY_SECONDS;
        groups.computeIfAbsent(key, name -> new Schedule.Group(share, false))
                .subjects()
                .add(new Progress(subject, ofSizes, Math.max(least, Math.min(MAX_BATCH_SECONDS, batch))));
    }

    private boolean isChecked(String function, String way) {
        return isWanted(way)
                && plan.functions().stream().anyMatch(each -> each.name().equals(function));
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
            if (isChecked(subject.function(), subject.strategy())) {
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
        if (isChecked(subject.function(), subject.strategy())) {
            groups.computeIfAbsent(new GroupKey("", JoinSubject.JOIN, engine), name -> new Schedule.Group(share, true))
                    .subjects()
                    .add(new Progress(subject, 1, MAX_BATCH_SECONDS));
        }
    }
}
