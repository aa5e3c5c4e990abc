package dev.bellman.job.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.job.progress.Quantity;
import dev.bellman.join.JoinPlan;
import dev.bellman.plan.JoinPlanned;
import dev.bellman.plan.SimilarStringsExec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/** Reports the expected result of each join of similar strings in a run before the join's search begins. */
public final class JoinNotes extends SparkListener implements AutoCloseable {
    private static final String PARTITIONS = "spark.sql.shuffle.partitions";
    private static final double BYTES_OF_PARTITION = 1 << 24;
    /** The expected seconds on one core below which a search may run on the CPU although GPUs are required. */
    private static final double SHORT_SEARCH = 1;

    private final SparkContext context;
    private final Consumer<String> notes;
    private final List<JoinPlan> plans = new ArrayList<>();
    private String last = "";

    /** @param notes receives a note before each search; if consecutive searches are equal, receives only one note */
    public JoinNotes(SparkContext context, Consumer<String> notes) {
        this.context = context;
        this.notes = notes;
        context.addSparkListener(this);
    }

    @Override
    public synchronized void onOtherEvent(SparkListenerEvent event) {
        if (event instanceof JoinPlanned planned) {
            plans.add(planned.plan());
            String text = text(planned.plan());
            // several queries of a run may need the same search
            if (!text.equals(last)) {
                notes.accept(text);
                last = text;
            }
        }
    }

    /**
     * Estimates a query's join of similar strings from a sample of the strings, without running the search. Returns
     * empty if the query has no such join.
     *
     * @param spark a separate session, because this method changes the session's number of shuffle partitions
     * @param query creates the query in the given session
     */
    public static Optional<JoinPlan> estimate(SparkSession spark, Supplier<Dataset<Row>> query) {
        String configured = spark.conf().get(PARTITIONS);
        spark.conf().set(PARTITIONS, Math.min(Long.parseLong(configured), enoughPartitions(spark, query.get())));
        try {
            return executed(spark, query);
        } finally {
            spark.conf().set(PARTITIONS, configured);
        }
    }

    /**
     * Returns the number of shuffle partitions to use. For small inputs, it is as low as with adaptive execution.
     */
    private static long enoughPartitions(SparkSession spark, Dataset<Row> query) {
        double bytes = CollectionConverters.asJava(
                        query.queryExecution().optimizedPlan().collectLeaves())
                .stream()
                .mapToDouble(leaf -> leaf.stats().sizeInBytes().toDouble())
                .sum();
        return Math.max(spark.sparkContext().defaultParallelism(), (long) (bytes / BYTES_OF_PARTITION));
    }

    private static Optional<JoinPlan> executed(SparkSession spark, Supplier<Dataset<Row>> query) {
        return EngineCheck.withoutAdaptive(
                spark, () -> new FinalPlan(query.get().queryExecution().executedPlan())
                        .operators().stream()
                                .filter(SimilarStringsExec.class::isInstance)
                                .map(SimilarStringsExec.class::cast)
                                .findFirst()
                                .flatMap(join -> {
                                    join.execute();
                                    return join.decided();
                                }));
    }

    /** Describes a plan in one line. */
    public static String text(JoinPlan plan) {
        return String.format(
                Locale.ROOT,
                "%s, about %s with %s, method %s%s%s",
                Quantity.count(plan.strings(), "distinct string"),
                Quantity.count(Math.round(plan.rowPairs()), "pair"),
                plan.measure(),
                Strategies.name(plan.method()),
                plan.onGpu() ? " on the GPU" : "",
                plan.passes().count() == 1
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", in %,d passes, because the strings do not fit in memory",
                                plan.passes().count()));
    }

    /**
     * Fails unless every join ran on the GPU. A join that takes less than a second on one core may run on the CPU,
     * because the CPU is faster for small inputs.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED}
     */
    public synchronized void requireGpu() {
        if (!plans.stream().allMatch(plan -> plan.onGpu() || plan.seconds() < SHORT_SEARCH)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but the search for close strings ran on the CPU; use engine: auto to allow this. "
                            + "See docs/joins.md for the joins that GPUs run");
        }
    }

    public synchronized List<Map<String, Object>> describe() {
        return plans.stream()
                .map(plan -> {
                    Map<String, Object> description = new LinkedHashMap<>();
                    description.put("max", plan.k());
                    description.put("method", Strategies.name(plan.method()));
                    description.put("engine", plan.onGpu() ? "gpu" : "cpu");
                    description.put("why", plan.why());
                    description.put("passes", plan.passes().count());
                    description.put("strings", plan.strings());
                    description.put("expectedPairs", Math.round(plan.rowPairs()));
                    return description;
                })
                .toList();
    }

    @Override
    public void close() {
        context.removeSparkListener(this);
    }
}
