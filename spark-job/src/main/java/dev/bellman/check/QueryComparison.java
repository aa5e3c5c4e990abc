package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.check.Lane.Engine;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.commons.lang3.StringUtils;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.runtime.AbstractFunction0;

/**
 * Solves the instances of a stream with the function's SQL call, which Spark and, on a GPU, RAPIDS plan. One query has
 * a result column for each lane.
 */
final class QueryComparison<S extends Enum<S>> extends Comparison<S> {
    /**
     * The minimum duration of a task, because starting a task takes several milliseconds, and each task has its own
     * batch on a GPU.
     */
    private static final double TASK_SECONDS = 0.05;

    /** The number of tasks per core, counted over all queries that run at the same time. */
    private static final double TASKS_PER_CORE = 2;

    private static final String NUMBER = "number";

    /**
     * The numbers of instances that tasks have generated, solved with the references and solved with the oracle, and
     * the times of each of these steps, in nanoseconds. Only instances whose times are
     * {@linkplain Sampling#isTimed measured} count.
     */
    static final class Costs implements Serializable {
        private static final long serialVersionUID = 1L;

        private long generated;
        private long generating;
        private long referred;
        private long referring;
        private long lookedUp;
        private long lookingUp;

        /** Counts an instance that took this many nanoseconds to generate. */
        void generate(long nanos) {
            generated++;
            generating += nanos;
        }

        /** Counts an instance that the references solved. */
        void refer(long nanos) {
            referred++;
            referring += nanos;
        }

        /** Counts an instance that the oracle solved. */
        void lookUp(long nanos) {
            lookedUp++;
            lookingUp += nanos;
        }

        void add(Costs other) {
            generated += other.generated;
            generating += other.generating;
            referred += other.referred;
            referring += other.referring;
            lookedUp += other.lookedUp;
            lookingUp += other.lookingUp;
        }
    }

    /**
     * Determines which instances are solved by the references and which by the oracle: the faster of the two solves all
     * instances, and the other as many as it can in at most one fifth of the time.
     */
    static final class Sampling implements Serializable {
        private static final long serialVersionUID = 1L;

        /**
         * The maximum duration of the measurement before the first batch, and the maximum number of instances in each
         * half of it.
         */
        private static final long MEASURED_NANOS = 20_000_000;

        private static final int MEASURED = 128;

        /** The interval between two instances whose times are measured. */
        private static final int TIMED = 16;

        /**
         * The time of all other work divided by the maximum time of the slower solver (the references or the oracle).
         */
        private static final double OTHERS = 4;

        private final boolean textbook;
        private long everyReference = 1;
        private long everyTextbook = 8;
        private double secondsOfOne;

        /** @param textbook whether the oracle solves any instances */
        Sampling(boolean textbook) {
            this.textbook = textbook;
        }

        /** Whether the time of an instance is measured. */
        static boolean isTimed(long number) {
            return number % TIMED == 0;
        }

        boolean takesReferences(long number) {
            return number % everyReference == 0;
        }

        boolean takesTextbook(long number) {
            return textbook && number % everyTextbook == 0;
        }

        /**
         * Returns the mean time, in seconds, in which a core generates an instance and, if it is sampled for them,
         * solves it with the references and the oracle.
         */
        double secondsOfOne() {
            return secondsOfOne;
        }

        /**
         * Measures how long a core takes for some instances, in two rounds; the times of the second round replace those
         * of the first.
         *
         * @param solve solves an instance, and returns the costs since the last call of {@code restart}
         */
        void measure(LongFunction<Costs> solve, Runnable restart) {
            long begin = System.nanoTime();
            for (int round = 0; round < 2 && System.nanoTime() < begin + MEASURED_NANOS; round++) {
                long end = begin + (round + 1) * MEASURED_NANOS / 2;
                restart.run();
                try {
                    Costs costs = solve.apply(round * MEASURED);
                    for (int i = 1; i < MEASURED && System.nanoTime() < end; i++) {
                        solve.apply(round * MEASURED + i);
                    }
                    adapt(costs);
                } catch (RuntimeException e) {
                    // the first batch will fail in the same way, and the failure will be reported
                    break;
                }
            }
        }

        void adapt(Costs found) {
            if (found.generated == 0) {
                return;
            }
            double generating = found.generating / (double) found.generated;
            double referring = found.referring / Math.max(1.0, found.referred);
            double lookingUp = found.lookingUp / Math.max(1.0, found.lookedUp);
            if (found.referred > 0 && found.lookedUp > 0) {
                double others = Math.max(1, generating + Math.min(referring, lookingUp));
                double interval = Math.min(1L << 40, OTHERS * Math.max(referring, lookingUp) / others);
                // a power of two, so that the sampled instances include timed ones
                long every = Math.max(1, Long.highestOneBit((long) Math.ceil(interval) * 2 - 1));
                everyReference = referring > lookingUp ? every : 1;
                everyTextbook = referring > lookingUp ? 1 : every;
            }
            secondsOfOne = (generating + referring / everyReference + lookingUp / everyTextbook) / 1e9;
        }
    }

    /**
     * A query that solves the instances of streams which differ only in their sizes. The query is planned only once,
     * because planning takes longer than many batches do; for each batch, only the numbers of the instances to generate
     * are passed to its tasks. Not thread-safe.
     */
    static final class Query<S extends Enum<S>> {
        private final List<Lane<S>> lanes;
        private final String name;
        private final Sessions sessions;
        private final SparkSession spark;
        private QueryBatch<S> batch;
        private JavaRDD<InternalRow> solved;

        /**
         * Creates a query. It is planned when it is first used.
         *
         * @param lanes the lanes, which have the same stream and the same engine
         * @param name the function, or its {@code try_} variant
         */
        Query(List<Lane<S>> lanes, String name, Sessions sessions) {
            this.lanes = List.copyOf(lanes);
            this.name = name;
            this.sessions = sessions;
            spark = sessions.of(lanes.get(0).engine());
        }

        private QueryBatch<S> batch() {
            if (batch == null) {
                batch = new QueryBatch<>(lanes, sessions);
                solved = planned();
            }
            return batch;
        }

        /** Returns the parameter types of the lane that has the most parameters. */
        private List<DataType> types() {
            return widest(lanes).types();
        }

        /** Returns rows that contain an instance's number and the result of each lane. */
        private JavaRDD<InternalRow> planned() {
            JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
            List<Integer> tasks = new ArrayList<>();
            IntStream.range(0, context.defaultParallelism()).forEach(tasks::add);
            JavaRDD<InternalRow> rows = context.parallelize(tasks, tasks.size()).mapPartitions(batch::rows);
            List<DataType> types = types();
            StructType schema = new StructType().add(NUMBER, DataTypes.LongType, false);
            for (int i = 0; i < types.size(); i++) {
                schema = schema.add(argument(i), types.get(i));
            }
            for (int k = 0; k < lanes.size(); k++) {
                schema = batch.isLimited(k) ? schema.add(firstOf(k), types.get(0)) : schema;
            }
            Dataset<Row> answered = ((org.apache.spark.sql.classic.SparkSession) spark)
                    .internalCreateDataFrame(rows.rdd(), schema, false);
            Column[] results = new Column[1 + lanes.size()];
            results[0] = functions.col(NUMBER);
            synchronized (spark) {
                for (int k = 0; k < lanes.size(); k++) {
                    configure(spark, lanes.get(k), lanes.get(k).strategy());
                    Column[] arguments = new Column[lanes.get(k).types().size()];
                    Arrays.setAll(arguments, i -> functions.col(argument(i)));
                    arguments[0] = batch.isLimited(k) ? functions.col(firstOf(k)) : arguments[0];
                    answered = answered.withColumn("answer_" + k, functions.call_function(name, arguments));
                    results[1 + k] = functions.col("answer_" + k);
                }
            }
            var execution = ((org.apache.spark.sql.classic.Dataset<Row>) answered.select(results)).queryExecution();
            checkEngine(text(execution.executedPlan()));
            return execution.toRdd().toJavaRDD();
        }

        /** Returns a plan as text. The session limits how many columns the text contains. */
        private String text(SparkPlan plan) {
            return ((org.apache.spark.sql.classic.SparkSession) spark).withActive(new AbstractFunction0<String>() {
                @Override
                public String apply() {
                    return plan.toString();
                }
            });
        }

        private static String argument(int index) {
            return "argument_" + index;
        }

        /**
         * Returns the name of the column that contains the first argument for a limited strategy. The column is NULL
         * for instances that exceed the strategy's limits.
         */
        private static String firstOf(int lane) {
            return "argument_0_of_" + lane;
        }

        private void checkEngine(String plan) {
            Engine engine = lanes.get(0).engine();
            int onGpu = StringUtils.countMatches(plan, "gpu_" + name + "(");
            boolean bridged = plan.toLowerCase(Locale.ROOT).contains("cpubridge");
            if (engine == Engine.GPU ? onGpu < lanes.size() || bridged : onGpu > 0) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_GPU_REQUIRED,
                        "the check is for %s on the %s, but Spark would not run the function there. The plan is:%n%s"
                                .formatted(name, engine, plan.strip()));
            }
        }
    }

    private final Query<S> query;
    private final Sampling sampling;

    /**
     * Plans a query.
     *
     * @param textbook whether the oracle also solves some of the instances
     */
    QueryComparison(List<Lane<S>> lanes, String name, boolean textbook, Sessions sessions) {
        this(lanes, textbook, new Query<>(lanes, name, sessions));
    }

    /**
     * Plans a query unless it has already been planned.
     *
     * @param lanes the lanes, whose sizes may differ from the sizes of the query's lanes
     */
    QueryComparison(List<Lane<S>> lanes, boolean textbook, Query<S> query) {
        super(widest(lanes));
        this.query = query;
        sampling = new Sampling(textbook);
        query.batch().measure(widest(lanes).stream(), sampling);
    }

    /**
     * Returns the lane with the most parameters. The parameters of every other lane are the first of this lane's
     * parameters.
     */
    private static <S extends Enum<S>> Lane<S> widest(List<Lane<S>> lanes) {
        return Collections.max(
                lanes, Comparator.comparingInt(lane -> lane.types().size()));
    }

    /**
     * Returns the mean time, in seconds, in which a core generates an instance and, if it is sampled for them, solves
     * it with the references and the oracle.
     */
    double secondsOfOne() {
        return sampling.secondsOfOne();
    }

    @Override
    List<Tally> compare(Instances instances, long from, long to) {
        QueryBatch<S> batch = query.batch();
        List<QueryBatch.Compared> found = new ArrayList<>();
        for (List<QueryBatch.Compared> each : run(query.solved.mapPartitions(batch::compared), instances, from, to)) {
            found.addAll(each);
        }
        return batch.end(found);
    }

    /**
     * @throws BellmanException the function may fail with any exception, unless the call uses the {@code try_} variant
     */
    @Override
    List<String> answers(InternalRow instance) {
        return run(query.solved.mapPartitions(query.batch()::texts), list(List.of(instance)), 0, 1)[0];
    }

    private <T> List<T>[] run(JavaRDD<T> results, Instances instances, long from, long to) {
        AtomicInteger running = query.sessions.running();
        int queries = running.incrementAndGet();
        try {
            double worth = Math.min(to - from, (to - from) * secondsOfOne() / TASK_SECONDS);
            double most = Math.min(1, TASKS_PER_CORE / queries) * results.getNumPartitions();
            int tasks = (int) Math.max(1, Math.min(worth, most));
            query.batch().begin(instances, sampling, from, to, tasks);
            return results.collectPartitions(IntStream.range(0, tasks).toArray());
        } finally {
            running.decrementAndGet();
        }
    }
}
