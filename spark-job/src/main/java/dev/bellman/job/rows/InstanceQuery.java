package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import dev.bellman.ErrorCode;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.cluster.ClusterSummary;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.cluster.KeptData;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Attempt;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Expresses a job as a query. Functions are ordinary column expressions on the arguments of the instances, so Spark and
 * RAPIDS plan the whole query.
 */
public final class InstanceQuery {
    public static final String ROW = RecordFormat.ADDED + "row";

    /** The name under which a query's plan counts bad rows whose results are NULL. */
    public static final String REJECTED = "bellman_rejected";

    private static final String REASON = RecordFormat.ADDED + "reason";

    private final Job job;
    private final Instances instances;
    private final FunctionCalls calls;
    private Optional<Dataset<Row>> analyzed = Optional.empty();

    public InstanceQuery(Instances instances) {
        this.job = instances.job();
        this.instances = instances;
        this.calls = new FunctionCalls(instances);
    }

    public Instances instances() {
        return instances;
    }

    /** Fails if a result's function, unless it is computed from a score, has no kernel for its argument types. */
    public void requireKernels() {
        job.results().stream().filter(function -> !job.isOfScore(function)).forEach(calls::requireKernel);
    }

    /** Returns a query whose plan is like that of the queries that find the output rows, close nodes or targets. */
    public Dataset<Row> planned() {
        InstanceQuery step = instances
                .nearest()
                .map(found -> of(found.pairs(Optional.of(1))))
                .orElse(this);
        return instances.clusters().map(Clusters::planned).orElseGet(() -> job.fitted(step.results()));
    }

    /** Returns the same query on different rows. */
    private InstanceQuery of(Dataset<Row> rows) {
        return new InstanceQuery(instances.with(rows, instances.sources()));
    }

    /** A query whose preparatory queries have run, and a summary of the clusters if the job finds clusters. */
    public record Prepared(InstanceQuery query, Optional<ClusterSummary> clusters) {}

    /**
     * Runs the part of the work that needs several queries: finding the clusters or the closest targets.
     *
     * @param keep stores the rows that the prepared query will read
     */
    public Prepared prepared(KeptData keep) {
        if (instances.nearest().isPresent()) {
            Dataset<Row> pairs = instances.nearest().get().found(keep, close -> of(close)
                    .choice(job.results())
                    .rows());
            return new Prepared(of(partitioned(pairs)), Optional.empty());
        }
        if (instances.clusters().isEmpty()) {
            return new Prepared(this, Optional.empty());
        }
        Clusters.Clustered found = instances.clusters().get().solve(keep);
        Dataset<Row> rows = partitioned(found.rows());
        List<Column> columns =
                Arrays.stream(rows.columns()).map(InputColumns::column).toList();
        return new Prepared(
                new InstanceQuery(
                        Instances.ofRows(job, rows, instances.ids(), columns, instances.sources(), Optional.empty())),
                Optional.of(found.summary()));
    }

    private Dataset<Row> partitioned(Dataset<Row> rows) {
        return job.find(JobKeys.OUTPUT_PARTITIONS)
                .map(partitions -> rows.repartition(partitions))
                .orElse(rows);
    }

    /** Whether bad rows can occur because a result's function rejects some values. */
    boolean rejects() {
        return job.results().stream().anyMatch(function -> function.rejects().isPresent());
    }

    /** Whether rows can be quarantined because a function may reject them or an argument may fail. */
    public boolean canQuarantine() {
        boolean expressions = job.get(JobKeys.PAIRING).hasRows()
                && job.get(JobKeys.ARGUMENTS).stream().anyMatch(argument -> InputColumns.find(
                                instances.sources().get(0), argument)
                        .isEmpty());
        return rejects()
                || (job.get(JobKeys.ON_BAD_ROW) == OnBadRow.FAIL
                        ? expressions
                        : !instances.failures().isEmpty());
    }

    /** Returns the distinct names that the functions of the {@link #results} have in the query's plan. */
    public List<String> functionNames() {
        return job.results().stream().map(this::functionName).distinct().toList();
    }

    /** Returns the name that the function of a result has in the query's plan; several results may share this name. */
    public String functionName(BellmanFunction<?> function) {
        return isPlain() ? function.name() : function.tryName();
    }

    /** Whether the job fails if a function rejects a row. */
    private boolean isPlain() {
        return job.get(JobKeys.ON_BAD_ROW) == OnBadRow.FAIL;
    }

    /**
     * Returns the arguments of the instances, in columns that have the parameters' names. For pairs, returns the
     * values from which they are formed, separately if they are from two inputs.
     */
    public List<Dataset<Row>> argumentValues() {
        Column[] named = calls.named(argument -> argument);
        List<PairSide> sides = instances.sides();
        return switch (sides.size()) {
            case 0 -> List.of(instances.rows().select(named));
            case 1 ->
                List.of(sides.get(0).rows().select(calls.named(any -> sides.get(0)
                        .value())));
            default ->
                List.of(
                        sides.get(0).rows().select(named[0]),
                        sides.get(1).rows().select(named[1]));
        };
    }

    /** Returns the query for the output rows, which is created and analyzed only once. */
    public Dataset<Row> results() {
        if (analyzed.isEmpty()) {
            analyzed = Optional.of(analyzedResults());
        }
        return analyzed.get();
    }

    private Dataset<Row> analyzedResults() {
        RowSelection choice = choice(job.results());
        if (instances.rejoin().isEmpty()) {
            Dataset<Row> rows = choice.rows().drop(Pairing.POSITIONS.toArray(String[]::new));
            return RowSelection.ofPairs(job) ? partitioned(rows) : rows;
        }
        Set<String> needed = choice.needed();
        if (job.results().stream().anyMatch(each -> job.isOfScore(each) && needed.contains(job.column(each)))) {
            needed.add(calls.scoreColumn());
        }
        List<BellmanFunction<?>> first = job.results().stream()
                .filter(function -> needed.contains(job.column(function)))
                .toList();
        Dataset<Row> chosen =
                partitioned(instances.rejoin().get().apply(choice(first).rows()));
        List<Column> columns = new ArrayList<>(instances.kept());
        job.results()
                .forEach(function -> columns.add(
                        first.contains(function)
                                ? InputColumns.column(job.column(function))
                                : calls.call(function, isPlain())));
        return chosen.select(columns.toArray(Column[]::new));
    }

    /**
     * Returns every solved row that is not quarantined, in the form of the output; an additional column shows whether
     * the row belongs to the output.
     */
    public Dataset<Row> judged(String flag) {
        return choice(job.results()).judged(flag).drop(Pairing.POSITIONS.toArray(String[]::new));
    }

    /** Returns the selection of the output rows among the solved rows that are not quarantined. */
    private RowSelection choice(List<BellmanFunction<?>> results) {
        Dataset<Row> solved = solved(results, isPlain());
        if (job.get(JobKeys.ON_BAD_ROW) == OnBadRow.QUARANTINE && canQuarantine()) {
            solved = solved.where(filter(not(isBad(results))));
        } else if (job.get(JobKeys.ON_BAD_ROW) == OnBadRow.NULL && canQuarantine() && instances.canObserve()) {
            solved = solved.observe(REJECTED, count(when(isBad(results), 1)).as(REJECTED));
        }
        List<Column> columns = new ArrayList<>(instances.kept());
        results.forEach(function -> columns.add(InputColumns.column(job.column(function))));
        hidden().forEach(columns::add);
        return new RowSelection(job, solved.select(columns.toArray(Column[]::new)));
    }

    /** Returns the columns for the positions of paired rows, which do not belong to the output. */
    private Stream<Column> hidden() {
        return Arrays.stream(instances.rows().columns())
                .filter(Pairing.POSITIONS::contains)
                .map(InputColumns::column);
    }

    /**
     * Returns the rows or pairs that have bad values. Their columns are the id, the kept columns, the struct
     * {@code arguments}, {@code record} (which is NULL), and {@code reason}.
     */
    public Dataset<Row> badRows() {
        return badRows(lit(true));
    }

    /** Returns the {@link #badRows} except pairs that contain a row of {@link #badSides}. */
    public Dataset<Row> badRowsOrPairs() {
        Column unpaired = lit(true);
        if (!job.get(JobKeys.PAIRING).hasRows()) {
            for (Column argument : instances.arguments()) {
                unpaired =
                        unpaired.and(ownFault(new FunctionCalls(instances.withArguments(List.of(argument, argument))))
                                .isNull());
            }
        }
        return badRows(unpaired);
    }

    /**
     * For each side of the pairs, returns the rows that a function rejects no matter what the row on the other side is.
     * These rows have the form of {@link #badRows}; the columns of the other side are NULL.
     */
    public List<Dataset<Row>> badSides() {
        List<Dataset<Row>> bad = new ArrayList<>();
        for (PairSide side : instances.sides()) {
            Dataset<Row> rows = side.rows().withColumn(REASON, ownFault(new FunctionCalls(instances.ofSide(side))));
            List<Column> columns = new ArrayList<>();
            for (StructField field : keptColumns().fields()) {
                columns.add(side.column(field.name())
                        .orElseGet(() -> lit(null).cast(field.dataType()))
                        .as(field.name()));
            }
            columns.add(struct(calls.named(argument -> side.isArgument(argument)
                            ? argument
                            : lit(null)
                                    .cast(rows.schema().apply(side.argument()).dataType())))
                    .as("arguments"));
            columns.add(lit(null).cast(DataTypes.StringType).as("record"));
            columns.add(col(REASON).as("reason"));
            bad.add(rows.where(col(REASON).isNotNull()).select(columns.toArray(Column[]::new)));
        }
        return bad;
    }

    /**
     * Returns the reason why a function rejects a value that both arguments have; NULL if no function rejects it, or if
     * the reason has a code other than {@link ErrorCode#BELLMAN_INPUT_VALUE}.
     */
    private Column ownFault(FunctionCalls ofEqual) {
        Column reason =
                coalesce(rejecting(job.results()).map(ofEqual::rejection).toArray(Column[]::new));
        return when(reason.startsWith("[%s]".formatted(ErrorCode.BELLMAN_INPUT_VALUE)), reason);
    }

    private StructType keptColumns() {
        return instances.rows().select(instances.kept().toArray(Column[]::new)).schema();
    }

    private Dataset<Row> badRows(Column wanted) {
        Dataset<Row> bad =
                solved(job.results(), false).where(filter(isBad(job.results()).and(wanted)));
        List<Column> reasons = new ArrayList<>();
        instances.failures().forEach((argument, failure) -> reasons.add(Attempt.badRow(argument, failure)));
        rejecting(job.results()).map(calls::rejection).forEach(reasons::add);
        List<Column> columns = new ArrayList<>(instances.kept());
        columns.add(argumentsAsStruct());
        columns.add(lit(null).cast(DataTypes.StringType).as("record"));
        columns.add(coalesce(reasons.toArray(Column[]::new)).as("reason"));
        return bad.select(columns.toArray(Column[]::new));
    }

    /**
     * Returns the inputs' malformed records in the form of {@link #badRows}, with the unchanged {@code record}, the
     * {@code reason} (with file and position), and NULLs in the other columns. Empty if no input can have malformed
     * records, or if malformed records make the job fail.
     */
    public Optional<Dataset<Row>> malformed() {
        List<Column> likeBadRows = new ArrayList<>(instances.kept());
        if (!instances.arguments().isEmpty()) {
            likeBadRows.add(argumentsAsStruct());
        }
        List<Column> columns = new ArrayList<>();
        for (StructField field : instances
                .rows()
                .select(likeBadRows.toArray(Column[]::new))
                .schema()
                .fields()) {
            columns.add(lit(null).cast(field.dataType()).as(field.name()));
        }
        columns.add(col(RecordFormat.RECORD).as("record"));
        columns.add(col(RecordFormat.MALFORMED).as("reason"));
        return instances.sources().stream()
                .filter(InputColumns::marksMalformed)
                .map(rows -> rows.where(col(RecordFormat.MALFORMED).isNotNull()).select(columns.toArray(Column[]::new)))
                .reduce(Dataset::union);
    }

    private Column argumentsAsStruct() {
        return struct(calls.named(argument -> argument)).as("arguments");
    }

    private Dataset<Row> solved(List<BellmanFunction<?>> results, boolean plain) {
        List<Column> columns = new ArrayList<>(instances.kept());
        columns.addAll(instances.arguments());
        columns.addAll(instances.failures().values());
        results.stream()
                .filter(function -> !job.isOfScore(function))
                .forEach(function -> columns.add(calls.call(function, plain)));
        hidden().forEach(columns::add);
        columns.add(monotonically_increasing_id().as(ROW));
        Dataset<Row> solved = instances.rows().select(columns.toArray(Column[]::new));
        for (BellmanFunction<?> function : results) {
            if (job.isOfScore(function)) {
                solved = solved.withColumn(job.column(function), calls.call(function, plain));
            }
        }
        return solved;
    }

    /**
     * Returns the condition for a bad row: either a result is NULL although no argument is NULL, or an argument fails.
     *
     * <p>Spark moves a filter below a projection; it would then call the functions once for the filter and again for
     * the projection. If a filter uses a column that must not be computed twice, such as {@link #ROW}, the filter stays
     * above the projection.
     */
    private Column isBad(List<BellmanFunction<?>> results) {
        Column anyResultNull = lit(false);
        for (BellmanFunction<?> function : rejecting(results).toList()) {
            Column isNull = InputColumns.column(job.column(function)).isNull();
            // the result is also NULL if the score is below min_score
            boolean nullIsAnAnswer = calls.signature(function).parameters().stream()
                    .anyMatch(parameter -> parameter.name().equals(ScoreFunctions.MIN_SCORE));
            anyResultNull = anyResultNull.or(
                    nullIsAnAnswer
                            ? when(isNull, calls.rejection(function).isNotNull())
                                    .otherwise(false)
                            : isNull);
        }
        for (Column argument : instances.arguments()) {
            anyResultNull = anyResultNull.and(argument.isNotNull());
        }
        for (Column failure : instances.failures().values()) {
            anyResultNull = anyResultNull.or(failure.isNotNull());
        }
        return anyResultNull;
    }

    /**
     * Returns those functions that may reject a row. Functions that are computed from a score cannot reject rows,
     * because the score is not negative and the scoring has already been checked.
     */
    private Stream<BellmanFunction<?>> rejecting(List<BellmanFunction<?>> results) {
        return results.stream().filter(function -> function.rejects().isPresent() && !job.isOfScore(function));
    }

    private static Column filter(Column condition) {
        return condition.and(col(ROW).geq(0));
    }
}
