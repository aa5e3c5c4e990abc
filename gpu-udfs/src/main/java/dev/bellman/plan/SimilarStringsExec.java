package dev.bellman.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.columns.TaskMemory;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.JoinPlan;
import dev.bellman.join.PairSearch;
import dev.bellman.join.Passes;
import dev.bellman.join.StringBlock;
import dev.bellman.join.measure.Measure;
import dev.bellman.plan.bound.EqualLengths;
import dev.bellman.plan.catalyst.PhysicalNode;
import dev.bellman.plan.catalyst.RowError;
import dev.bellman.plan.catalyst.Scala;
import dev.bellman.plan.packed.PackedRows;
import dev.bellman.plan.packed.PackedStrings;
import dev.bellman.plan.packed.RowReader;
import dev.bellman.plan.packed.RowsFromGpu;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Executes {@link SimilarStrings}: finds pairs of similar strings, or pairs of rows with similar strings.
 *
 * <p>The distinct strings are packed into blocks, which stay where they are created; every executor reads all blocks
 * once. If the blocks do not fit in an executor's memory, they are shuffled into chunks, and the search processes two
 * chunks at a time ({@link Passes}). A first task draws a sample, chooses the method, and estimates the number of
 * pairs. Then each task searches a part: a slice of the hash space, or a share of the strings. Candidates never leave
 * the arrays of a task; only pairs are returned.
 */
public final class SimilarStringsExec extends PhysicalNode {
    private static final long serialVersionUID = 1L;

    private final Measure measure;
    private final boolean oneOrder;
    private final JoinMethod method;
    private final long maxPairs;
    private final Seq<Attribute> input;
    private final Seq<Attribute> strings;
    private final Option<SimilarStrings.Rows> rows;
    private final Seq<NamedExpression> results;
    /** The plan chosen at run time, shared by this node and its copies for EXPLAIN. */
    private final AtomicReference<JoinPlan> decided;

    private final transient scala.collection.immutable.Map<String, SQLMetric> metrics;

    public SimilarStringsExec(
            Measure measure,
            boolean oneOrder,
            JoinMethod method,
            long maxPairs,
            Seq<Attribute> input,
            Seq<Attribute> strings,
            Option<SimilarStrings.Rows> rows,
            Seq<NamedExpression> results,
            SparkPlan child,
            AtomicReference<JoinPlan> decided) {
        super(child);
        this.measure = measure;
        this.oneOrder = oneOrder;
        this.method = method;
        this.maxPairs = maxPairs;
        this.input = input;
        this.strings = strings;
        this.rows = rows;
        this.results = results;
        this.decided = decided;
        SparkContext context = sparkContext();
        Map<String, SQLMetric> made = new LinkedHashMap<>();
        made.put("numOutputRows", SQLMetrics.createMetric(context, "number of output rows"));
        made.put("strings", SQLMetrics.createMetric(context, "distinct strings"));
        made.put("keys", SQLMetrics.createMetric(context, "keys"));
        made.put("candidates", SQLMetrics.createMetric(context, "candidates"));
        made.put("verified", SQLMetrics.createMetric(context, "verified"));
        metrics = scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(made));
    }

    static SimilarStringsExec of(SimilarStrings pairs, SparkPlan child) {
        return new SimilarStringsExec(
                pairs.measure(),
                pairs.oneOrder(),
                pairs.method(),
                pairs.maxPairs(),
                pairs.input(),
                pairs.strings(),
                pairs.rows(),
                pairs.results(),
                child,
                new AtomicReference<>());
    }

    @Override
    public scala.collection.immutable.Map<String, SQLMetric> metrics() {
        return metrics;
    }

    /** Returns the plan that the join used, or empty if the join has not run yet. */
    public Optional<JoinPlan> decided() {
        return Optional.ofNullable(decided.get());
    }

    @Override
    public RDD<InternalRow> doExecute() {
        RDD<StringBlock> packed = packed();
        JoinStages stages = JoinStages.of(packed, memory(conf()), hasGpu());
        JoinPlan plan = stages.plan(
                measure, oneOrder, method, Math.max(1, sparkContext().defaultParallelism()));
        if (stages.passes().count() > 1) {
            packed.unpersist(false);
        }
        decided.set(plan);
        metric("strings").set(plan.strings());
        refuse(plan);
        sparkContext().listenerBus().post(new JoinPlanned(plan));
        return found(stages, plan);
    }

    /** Packs the distinct strings of the child into blocks that stay where they are. */
    private RDD<StringBlock> packed() {
        Optional<RDD<RowsFromGpu.Batch>> onGpu =
                usesRapids() ? GpuSide.find(RowsFromGpu.class).flatMap(gpu -> gpu.batches(child())) : Optional.empty();
        boolean grouped = isGrouped();
        SimilarStrings.Rows kept = keptRows();
        Seq<Attribute> ofInput = input;
        JavaRDD<StringBlock> packed = onGpu.isPresent()
                ? onGpu.get().toJavaRDD().mapPartitions(each -> packed(new RowReader.OfBatches(each), grouped, kept))
                : child().execute()
                        .toJavaRDD()
                        .mapPartitions(each -> packed(new RowReader.OfRows(each, ofInput), grouped, kept));
        return packed.rdd().persist(StorageLevel.MEMORY_AND_DISK());
    }

    private static Iterator<StringBlock> packed(RowReader rows, boolean grouped, SimilarStrings.Rows kept) {
        return kept == null
                ? new PackedStrings(rows, grouped)
                : new PackedRows(
                        rows,
                        grouped,
                        kept.same(),
                        kept.left().size(),
                        kept.right().size());
    }

    private boolean isGrouped() {
        return strings.size() == 3;
    }

    /** Returns the columns of the rows; null for pairs of strings. */
    private SimilarStrings.Rows keptRows() {
        return rows.isDefined() ? rows.get() : null;
    }

    private RDD<InternalRow> found(JoinStages stages, JoinPlan plan) {
        Passes passes = stages.passes();
        boolean grouped = isGrouped();
        Seq<Attribute> ofStrings = strings;
        Seq<NamedExpression> ofResults = results;
        SimilarStrings.Rows kept = keptRows();
        Measure pairs = measure;
        boolean half = oneOrder;
        SQLMetric outputRows = metric("numOutputRows");
        SQLMetric keys = metric("keys");
        SQLMetric candidates = metric("candidates");
        SQLMetric verified = metric("verified");
        return stages.strings(passes.count(), plan.parts(), InternalRow.class, (of, pass, part) -> {
            Runnable checkpoint = TaskContext.get()::killTaskIfInterrupted;
            if (part == 0) {
                EqualLengths.check(of, pairs);
            }
            PairSearch search = plan.search(of, part, checkpoint);
            StringPairs batches = new StringPairs(of, passes.counted(pass), search, part, plan.parts(), pairs, half);
            PairRows found = kept == null
                    ? new RowsOfStrings(batches, grouped)
                    : new RowsOfPairs(batches, ofStrings, ofResults, kept, checkpoint);
            TaskContext.get().addTaskCompletionListener(context -> {
                search.close();
                keys.add(search.counts().keys());
                candidates.add(search.counts().candidates());
                verified.add(search.counts().verified());
                outputRows.add(found.returned());
            });
            return found;
        });
    }

    /** For pairs of rows, requires that all rows of a string be in one partition. */
    @Override
    public Seq<Distribution> requiredChildDistribution() {
        return rows.isEmpty()
                ? super.requiredChildDistribution()
                : Scala.seq(Scala.make(ClusteredDistribution.class, Scala.seq(keys()), false, Option.empty()));
    }

    /**
     * For pairs of rows, requires that rows be sorted by a hash, because Spark and RAPIDS sort integers much faster
     * than strings. Different strings may have the same hash.
     */
    @Override
    public Seq<Seq<SortOrder>> requiredChildOrdering() {
        return rows.isEmpty()
                ? super.requiredChildOrdering()
                : Scala.seq(Scala.seq(new SortOrder(
                        new XxHash64(Scala.seq(keys())), Ascending$.MODULE$, NullsFirst$.MODULE$, Scala.seq())));
    }

    /** Returns the columns of the child that identify a string: the string and, if there are groups, its group. */
    private List<Expression> keys() {
        return Scala.list(input).stream()
                .limit(strings.size() - 1)
                .map(Expression.class::cast)
                .toList();
    }

    /** Returns the number of bytes that an executor has for strings, as far as the driver knows. */
    static long memoryOfExecutor() {
        long set = memory(SQLConf.get());
        return set > 0 ? set : TaskMemory.ofExecutor() / 2;
    }

    /** Returns the configured number of bytes that an executor has for strings, or 0 if none is configured. */
    private static long memory(SQLConf conf) {
        String set = conf.getConfString(SimilarityJoin.MEMORY, "0");
        try {
            return JavaUtils.byteStringAsBytes(set);
        } catch (NumberFormatException e) {
            throw new RowError(new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be a size, such as 500m or 8g".formatted(SimilarityJoin.MEMORY, set),
                    e));
        }
    }

    private SQLMetric metric(String name) {
        return metrics.apply(name);
    }

    /** Whether the session runs with RAPIDS and no setting keeps joins off the GPU. */
    private boolean hasGpu() {
        return usesRapids() && Boolean.parseBoolean(conf().getConfString(SimilarityJoin.GPU, "true"));
    }

    private void refuse(JoinPlan plan) {
        if (plan.rowPairs() > maxPairs) {
            long pairs = Math.round(plan.rowPairs());
            throw new RowError(new BellmanException(
                    ErrorCode.BELLMAN_JOIN_PAIRS,
                    ("the join on %s would return about %,d pair%s of rows, from %,d distinct string%s; %s "
                                    + "allows %,d. Use a smaller distance or a larger similarity, add an equality to "
                                    + "the condition, filter out blank values, or raise this setting")
                            .formatted(
                                    measure,
                                    pairs,
                                    plural(pairs),
                                    plan.strings(),
                                    plural(plan.strings()),
                                    SimilarityJoin.MAX_PAIRS,
                                    maxPairs)));
        }
    }

    private static String plural(long count) {
        return count == 1 ? "" : "s";
    }

    @Override
    public Seq<Attribute> output() {
        return Scala.seq(
                Scala.list(results).stream().map(NamedExpression::toAttribute).toList());
    }

    @Override
    public AttributeSet producedAttributes() {
        return SimilarStrings.produced(strings, rows, outputSet());
    }

    @Override
    protected SparkPlan withChild(SparkPlan its) {
        return new SimilarStringsExec(measure, oneOrder, method, maxPairs, input, strings, rows, results, its, decided);
    }

    @Override
    public Seq<Object> otherCopyArgs() {
        return Scala.seq(decided);
    }

    /**
     * Returns the line for EXPLAIN, which shows the requested method before the join runs, and the chosen method with
     * its estimates afterwards.
     */
    @Override
    public String simpleString(int maxFields) {
        JoinPlan plan = decided.get();
        String ofRows = rows.isEmpty() ? "" : ", rows=" + results.mkString("[", ", ", "]");
        return plan == null
                ? "SimilarStrings %s%s, %s, method=%s, maxPairs=%,d"
                        .formatted(strings.mkString("[", ", ", "]"), ofRows, measure, Strategies.name(method), maxPairs)
                : ("SimilarStrings %s%s, %s, method=%s%s (%s), passes=%,d, strings=%,d, keys=%,.0f, estimated "
                                + "pairs of strings=%,.0f, of rows=%,.0f")
                        .formatted(
                                strings.mkString("[", ", ", "]"),
                                ofRows,
                                measure,
                                Strategies.name(plan.method()),
                                plan.onGpu() ? " on the GPU" : "",
                                plan.why(),
                                plan.passes().count(),
                                plan.strings(),
                                plan.keys(),
                                plan.stringPairs(),
                                plan.rowPairs());
    }

    @Override
    public Object[] elements() {
        return new Object[] {measure, oneOrder, method, maxPairs, input, strings, rows, results, child()};
    }
}
