package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.lang3.StringUtils;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Solves the instances of a stream with the ordinary SQL function, planned by Spark and, on a GPU, by RAPIDS. A single
 * query has a column of answers for each lane's strategy. The query is planned once; each batch only tells its tasks
 * which instances to generate.
 */
final class QueryComparison<S extends Enum<S>> extends Comparison<S> {
    /** The minimum time of a task, since it takes some milliseconds to start and has a batch of its own on a GPU. */
    private static final double TASK_SECONDS = 0.05;

    /** The number of tasks per core, over all queries that run at the same time. */
    private static final double TASKS_PER_CORE = 2;

    private static final String NUMBER = "number";

    private final List<Lane<S>> lanes;
    private final SparkSession spark;
    private final String name;
    private final Sessions sessions;
    private final QueryBatch<S> batch;
    private final JavaRDD<InternalRow> solved;

    /**
     * Plans the query.
     *
     * @param lanes the lanes, which share one stream and one engine
     * @param name the function, or its {@code try_} variant
     * @param textbook whether the oracle also solves some of the instances
     */
    QueryComparison(List<Lane<S>> lanes, String name, boolean textbook, Sessions sessions) {
        super(lanes.get(0));
        this.lanes = lanes;
        this.name = name;
        this.sessions = sessions;
        spark = sessions.of(lanes.get(0).engine());
        batch = new QueryBatch<>(lanes, textbook, sessions);
        solved = planned();
    }

    /** Returns the seconds in which a core generates an instance and solves it by the references. */
    double secondsOfOne() {
        return batch.secondsOfOne();
    }

    @Override
    List<Tally> compare(Instances instances, long from, long to) {
        List<QueryBatch.Compared> found = new ArrayList<>();
        for (List<QueryBatch.Compared> each : run(solved.mapPartitions(batch::compared), instances, from, to)) {
            found.addAll(each);
        }
        return batch.end(found);
    }

    /** @throws BellmanException any exception of the function, unless the name is the {@code try_} variant */
    @Override
    List<String> answers(InternalRow instance) {
        return run(solved.mapPartitions(batch::texts), list(List.of(instance)), 0, 1)[0];
    }

    private <T> List<T>[] run(JavaRDD<T> results, Instances instances, long from, long to) {
        int queries = sessions.running().incrementAndGet();
        try {
            double worth = Math.min(to - from, (to - from) * secondsOfOne() / TASK_SECONDS);
            double most = Math.min(1, TASKS_PER_CORE / queries) * results.getNumPartitions();
            int tasks = (int) Math.max(1, Math.min(worth, most));
            batch.begin(instances, from, to, tasks);
            return results.collectPartitions(IntStream.range(0, tasks).toArray());
        } finally {
            sessions.running().decrementAndGet();
        }
    }

    /** Returns rows with the number of an instance and the answer of each lane. */
    private JavaRDD<InternalRow> planned() {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        List<Integer> tasks = new ArrayList<>();
        IntStream.range(0, context.defaultParallelism()).forEach(tasks::add);
        JavaRDD<InternalRow> rows = context.parallelize(tasks, tasks.size()).mapPartitions(batch::rows);
        List<DataType> types = lanes.get(0).types();
        StructType schema = new StructType().add(NUMBER, DataTypes.LongType, false);
        for (int i = 0; i < types.size(); i++) {
            schema = schema.add(argument(i), types.get(i));
        }
        for (int k = 0; k < lanes.size(); k++) {
            schema = batch.isLimited(k) ? schema.add(firstOf(k), types.get(0)) : schema;
        }
        Dataset<Row> answered =
                ((org.apache.spark.sql.classic.SparkSession) spark).internalCreateDataFrame(rows.rdd(), schema, false);
        Column[] results = new Column[1 + lanes.size()];
        results[0] = functions.col(NUMBER);
        synchronized (spark) {
            for (int k = 0; k < lanes.size(); k++) {
                configure(spark, lanes.get(k), lanes.get(k).strategy());
                Column[] arguments = new Column[types.size()];
                Arrays.setAll(arguments, i -> functions.col(argument(i)));
                arguments[0] = batch.isLimited(k) ? functions.col(firstOf(k)) : arguments[0];
                answered = answered.withColumn("answer_" + k, functions.call_function(name, arguments));
                results[1 + k] = functions.col("answer_" + k);
            }
        }
        var execution = ((org.apache.spark.sql.classic.Dataset<Row>) answered.select(results)).queryExecution();
        checkEngine(execution.executedPlan().toString());
        return execution.toRdd().toJavaRDD();
    }

    private static String argument(int index) {
        return "argument_" + index;
    }

    /** Returns the first argument for a limited strategy, which is NULL for instances beyond the strategy's limits. */
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
