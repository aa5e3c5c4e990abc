package dev.bellman.job;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.job.cluster.ClusterSummary;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.cluster.KeptData;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A job as a query: rows of the input become instances (id, kept columns, arguments), and the functions are ordinary
 * column expressions over the arguments, so that Spark and RAPIDS plan the whole query.
 */
final class InstanceQuery {
    static final String ROW = "__row";
    private static final String FAILED = "__failed_";
    private static final String KNOWN = "__known_";

    private static final String TARGET_LETTERS = "target_letters";

    /** A sample is the rows whose hash is below its fraction of this. */
    private static final long HASHES = 1L << 40;

    private final Job job;
    private final Dataset<Row> instances;
    /** The names of the columns that identify instances, if any. */
    private final List<String> ids;
    /** The columns of an instance that go to the output beside the results. */
    private final List<Column> kept;

    private final List<Column> arguments;
    /** Whether each argument that may fail for a row, and is tried, fails; empty if such a failure ends the job. */
    private final Map<String, Column> failures;

    /** The inputs, with malformed records marked if they are not an error. */
    private final List<Dataset<Row>> sources;

    /** For numbered pairs: adds the arguments again. */
    private final Optional<UnaryOperator<Dataset<Row>>> rejoin;

    /** The number of letters of all targets, if a result needs it. */
    private final OptionalLong targetLetters;

    /** The clusters to find, if the job wants them and they are not found yet. */
    private final Optional<Clusters> clusters;

    /** Finds pairs that are enough, if the instances are all pairs and the job wants the closest targets. */
    private final Optional<NearestTargets> nearest;

    private InstanceQuery(
            Job job,
            Dataset<Row> instances,
            List<String> ids,
            List<Column> kept,
            List<Column> arguments,
            Map<String, Column> failures,
            List<Dataset<Row>> sources,
            Optional<UnaryOperator<Dataset<Row>>> rejoin,
            OptionalLong targetLetters,
            Optional<Clusters> clusters,
            Optional<NearestTargets> nearest) {
        this.job = job;
        this.instances = instances;
        this.ids = ids;
        this.kept = kept;
        this.arguments = arguments;
        this.failures = failures;
        this.sources = sources;
        this.rejoin = rejoin;
        this.targetLetters = targetLetters;
        this.clusters = clusters;
        this.nearest = nearest;
    }

    /** The same job over other instances. */
    private InstanceQuery with(Dataset<Row> others, List<Dataset<Row>> from) {
        return with(others, from, Optional.empty());
    }

    private InstanceQuery with(Dataset<Row> others, List<Dataset<Row>> from, Optional<NearestTargets> closest) {
        return new InstanceQuery(
                job, others, ids, kept, arguments, failures, from, rejoin, targetLetters, clusters, closest);
    }

    /**
     * Pairs the input of a job.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if it lacks a column that the job names
     */
    static InstanceQuery of(Job job, Dataset<Row> allRows, Optional<Dataset<Row>> everyTarget) {
        Dataset<Row> everyRow = job.find(JobKeys.INPUT_WHERE)
                .map(text -> allRows.where(inputCondition(job, allRows)))
                .orElse(allRows);
        Dataset<Row> input = wanted(job, everyRow);
        Optional<Dataset<Row>> targets = everyTarget.map(rows -> wanted(job, rows));
        Optional<String> id = job.find(JobKeys.ID).or(() -> InputColumns.find(input, "id"));
        if (job.isClustering()) {
            return new InstanceQuery(
                    job,
                    input,
                    id.stream().toList(),
                    List.of(),
                    List.of(),
                    Map.of(),
                    List.of(everyRow),
                    Optional.empty(),
                    OptionalLong.empty(),
                    Optional.of(clusters(job, input, id)),
                    Optional.empty());
        }
        List<String> argumentNames = IntStream.rangeClosed(
                        1,
                        job.get(JobKeys.PAIRING) == PairingMode.COLUMNS
                                ? job.get(JobKeys.ARGUMENTS).size()
                                : 2)
                .mapToObj(i -> "argument_" + i)
                .toList();
        Map<String, Column> failures = new LinkedHashMap<>();
        Dataset<Row> instances;
        Optional<UnaryOperator<Dataset<Row>>> rejoin = Optional.empty();
        OptionalLong targetLetters = OptionalLong.empty();
        Optional<NearestTargets> nearest = Optional.empty();
        if (job.get(JobKeys.PAIRING) == PairingMode.COLUMNS) {
            instances = select(job, input, id, argumentNames, failures);
        } else {
            Pairs pairs = pair(job, input, targets, id, argumentNames);
            instances = pairs.rows();
            rejoin = pairs.rejoin();
            targetLetters = pairs.targetLetters();
            nearest = pairs.nearest();
        }
        List<String> kept = Arrays.stream(instances.columns())
                .filter(name ->
                        !argumentNames.contains(name) && !name.startsWith(FAILED) && !Pairing.POSITIONS.contains(name))
                .toList();
        mustDiffer(kept, argumentNames, job);
        Optional<Integer> partitions = job.find(JobKeys.OUTPUT_PARTITIONS);
        if (partitions.isPresent() && !choosesPairs(job)) {
            instances = instances.repartition(partitions.get());
        }
        List<Dataset<Row>> sources =
                everyTarget.map(rows -> List.of(everyRow, rows)).orElse(List.of(everyRow));
        List<String> ids = id.map(name ->
                        job.get(JobKeys.PAIRING) == PairingMode.COLUMNS ? List.of(name) : List.of("id_a", "id_b"))
                .orElse(List.of());
        return new InstanceQuery(
                job,
                instances,
                ids,
                kept.stream().map(InputColumns::column).toList(),
                argumentNames.stream().map(InputColumns::column).toList(),
                failures,
                sources,
                rejoin,
                targetLetters,
                Optional.empty(),
                nearest);
    }

    /**
     * @param rejoin adds the arguments to numbered pairs that have lost them; empty if they are not numbered
     * @param targetLetters of all targets, if a result needs them
     * @param nearest finds pairs that are enough, if {@code rows} are all pairs and only the closest are wanted
     */
    private record Pairs(
            Dataset<Row> rows,
            Optional<UnaryOperator<Dataset<Row>>> rejoin,
            OptionalLong targetLetters,
            Optional<NearestTargets> nearest) {}

    /** Whether few of all pairs are chosen, so that these are spread over partitions and not all pairs. */
    private static boolean choosesPairs(Job job) {
        PairingMode pairing = job.get(JobKeys.PAIRING);
        return job.best().isPresent() && (pairing == PairingMode.CROSS || pairing == PairingMode.ALL_VS_ALL);
    }

    /** The letters of all arguments of side b, if a result needs their number and the job does not give it. */
    private static OptionalLong targetLetters(Job job, Dataset<Row> targets, String argument) {
        boolean needed = job.results().stream()
                        .filter(job::isOfScore)
                        .flatMap(function -> function.signatures().get(0).parameters().stream())
                        .anyMatch(parameter -> parameter.name().equals(TARGET_LETTERS))
                && !job.get(JobKeys.PARAMETERS).containsKey(TARGET_LETTERS);
        return needed
                ? OptionalLong.of(targets.select(coalesce(sum(length(expr(argument))), lit(0L)))
                        .first()
                        .getLong(0))
                : OptionalLong.empty();
    }

    /**
     * Whether results that do not rank the rows wait until the best are known. Those rows get their arguments then, so that long ones are
     * not sorted with every pair. A row that is set aside must be known before.
     */
    private static boolean waits(Job job) {
        return job.best().isPresent() && job.results().size() > 1 && job.get(JobKeys.BAD_ROWS) != BadRows.QUARANTINE;
    }

    /** A condition that keeps malformed records, as it cannot be evaluated for them. */
    private static Column inputCondition(Job job, Dataset<Row> rows) {
        Column condition = Condition.over(InputColumns.unmarked(rows), job, JobKeys.INPUT_WHERE, "the input has");
        return InputColumns.marksMalformed(rows)
                ? col(RecordFormat.MALFORMED).isNotNull().or(condition)
                : condition;
    }

    /** The rows that become instances: if malformed records are set aside, only the others. */
    private static Dataset<Row> wanted(Job job, Dataset<Row> rows) {
        return InputColumns.marksMalformed(rows) && job.get(JobKeys.BAD_ROWS) == BadRows.QUARANTINE
                ? InputColumns.unmarked(rows.where(col(RecordFormat.MALFORMED).isNull()))
                : rows;
    }

    private static Pairs pair(
            Job job,
            Dataset<Row> input,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            List<String> argumentNames) {
        String argument = job.get(JobKeys.ARGUMENTS).get(0);
        argument(job, input, argument);
        targets.ifPresent(rows -> argument(job, "the targets have", rows, argument));
        if (job.choosesTargets()) {
            orderedId(
                    "pairing: %s breaks ties by id".formatted(Strategies.name(job.get(JobKeys.PAIRING))),
                    targets.orElseThrow(),
                    id);
        }
        String expression =
                InputColumns.find(input, argument).map(InputColumns::quoted).orElse(argument);
        Dataset<Row> left = input;
        Optional<Dataset<Row>> right = targets;
        if (InputColumns.marksMalformed(input)
                || targets.filter(InputColumns::marksMalformed).isPresent()) {
            left = marking(input);
            right = targets.map(InstanceQuery::marking);
            // an expression may turn a malformed record's NULLs into a value; it may end in a comment
            expression = "CASE WHEN %s IS NULL THEN (%s\n) END".formatted(RecordFormat.MALFORMED, expression);
        }
        List<String> keep = job.get(JobKeys.KEEP);
        Pairing.Closeness closeness = new Pairing.Closeness(job.find(JobKeys.MAX), job.get(JobKeys.BY));
        boolean waits = !job.get(JobKeys.PAIRING).isByDistance() && waits(job);
        boolean numbered = waits || job.choosesTargets();
        Dataset<Row> queries = left;
        Dataset<Row> others = right.orElse(left);
        String value = expression;
        Optional<NearestTargets> nearest = job.get(JobKeys.PAIRING) == PairingMode.NEAREST
                ? Optional.of(new NearestTargets(
                        Pairing.near(left, others, id, expression, keep, closeness.by()),
                        argumentNames,
                        job.best().orElseThrow().count()))
                : Optional.empty();
        Dataset<Row> pairs =
                switch (job.get(JobKeys.PAIRING)) {
                    case WITHIN -> Pairing.within(left, right, id, expression, keep, closeness);
                    case NEAREST -> nearest.get().pairs(closeness.max());
                    case CROSS ->
                        numbered
                                ? Pairing.numberedCross(left, others, id, expression, keep)
                                : Pairing.cross(left, others, id, expression, keep);
                    default ->
                        numbered
                                ? Pairing.numberedAllVsAll(left, id, expression, keep)
                                : Pairing.allVsAll(left, id, expression, keep);
                };
        return new Pairs(
                pairs.withColumnsRenamed(Map.of("a", argumentNames.get(0), "b", argumentNames.get(1))),
                waits
                        ? Optional.of(rows ->
                                Pairing.rejoin(rows, job.find(JobKeys.TOP), queries, others, value, argumentNames))
                        : Optional.empty(),
                targetLetters(job, others, value),
                nearest.filter(any -> closeness.max().isEmpty()));
    }

    private static Clusters clusters(Job job, Dataset<Row> input, Optional<String> id) {
        String why = "a cluster is known by its smallest id";
        orderedId(why, input, id);
        Column string = argument(job, input, job.get(JobKeys.ARGUMENTS).get(0));
        // as strict about types as the join
        input.select(call_function(Job.EDIT_DISTANCE, string, string));
        if (InputColumns.marksMalformed(input)) {
            // an expression may turn a malformed record's NULLs into a value
            string = when(col(RecordFormat.MALFORMED).isNull(), string);
        }
        List<String> kept =
                Stream.concat(id.stream(), job.get(JobKeys.KEEP).stream()).toList();
        mustDiffer(kept, List.of(Clusters.CLUSTER), job);
        List<Column> columns = new ArrayList<>();
        kept.forEach(name -> columns.add(InputColumns.column(input, name).as(name)));
        columns.add(string.cast(DataTypes.StringType).as(Clusters.STRING));
        List<String> by = job.get(JobKeys.BY);
        for (int i = 0; i < by.size(); i++) {
            columns.add(InputColumns.column(input, by.get(i)).as(Clusters.GROUP + i));
        }
        return new Clusters(
                input.select(columns.toArray(Column[]::new)),
                kept.get(0),
                kept.subList(1, kept.size()),
                by.size(),
                job.get(JobKeys.MAX));
    }

    /** @param why why ids are needed: {@code ties are broken by id} */
    private static void orderedId(String why, Dataset<Row> rows, Optional<String> id) {
        String name = id.orElseThrow(() -> new BellmanException(
                ErrorCode.BELLMAN_INPUT_SCHEMA,
                why + ", and the input has no column of that name; name one with id (--id)"));
        InputColumns.find(rows, name)
                .map(found -> rows.schema().apply(found).dataType())
                .filter(type -> !RowOrdering.isOrderable(type))
                .ifPresent(type -> {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_INPUT_SCHEMA,
                            "%s, and the values of '%s' (%s) have no order".formatted(why, name, type.sql()));
                });
    }

    /** Rows with a column for malformed records, even in formats that have none. */
    private static Dataset<Row> marking(Dataset<Row> rows) {
        return InputColumns.marksMalformed(rows)
                ? rows
                : rows.withColumn(RecordFormat.MALFORMED, lit(null).cast(DataTypes.StringType));
    }

    private static void mustDiffer(List<String> kept, List<String> arguments, Job job) {
        Set<String> seen = new HashSet<>();
        Stream.of(kept.stream(), arguments.stream(), job.resultColumns().stream())
                .flatMap(names -> names)
                .filter(name -> !seen.add(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .ifPresent(twice -> {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_JOB_FILE,
                            "the output would have two columns '%s'; look at id, keep and results".formatted(twice));
                });
    }

    /** @param failures receives a column for each argument that is tried */
    private static Dataset<Row> select(
            Job job,
            Dataset<Row> input,
            Optional<String> id,
            List<String> argumentNames,
            Map<String, Column> failures) {
        List<Column> columns = new ArrayList<>();
        List<Column> tried = new ArrayList<>();
        Stream.concat(id.stream(), job.get(JobKeys.KEEP).stream()).forEach(name -> {
            columns.add(InputColumns.column(input, name).as(name));
            tried.add(InputColumns.column(name));
        });
        List<Column> failed = new ArrayList<>();
        for (int i = 0; i < argumentNames.size(); i++) {
            String argument = job.get(JobKeys.ARGUMENTS).get(i);
            String name = argumentNames.get(i);
            Column any = argument(job, input, argument);
            // an expression may turn a malformed record's NULLs into a value
            Column expression = InputColumns.marksMalformed(input)
                    ? when(col(RecordFormat.MALFORMED).isNull(), any)
                    : any;
            Column column = InputColumns.column(name);
            if (job.get(JobKeys.BAD_ROWS) == BadRows.FAIL || !mayFail(input, expression)) {
                columns.add(expression.as(name));
                tried.add(column);
            } else {
                columns.add(Attempt.of(expression).as(name));
                tried.add(Attempt.value(column).as(name));
                failed.add(column.isNull().as(FAILED + i));
                failures.put(argument, col(FAILED + i));
            }
        }
        Dataset<Row> selected = input.select(columns.toArray(Column[]::new));
        tried.addAll(failed);
        return failures.isEmpty() ? selected : selected.select(tried.toArray(Column[]::new));
    }

    private static boolean mayFail(Dataset<Row> input, Column expression) {
        LogicalPlan plan = input.select(expression).queryExecution().analyzed();
        return CollectionConverters.asJava(plan.expressions()).stream().anyMatch(Attempt::mayFail);
    }

    /** The column that an argument names, or the expression that it is; an error if it is not valid over the input. */
    static Column argument(Job job, Dataset<Row> input, String argument) {
        return argument(job, "the input has", input, argument);
    }

    private static Column argument(Job job, String has, Dataset<Row> input, String argument) {
        try {
            if (job.get(JobKeys.RESTRICTED)
                    && InputColumns.find(input, argument).isEmpty()) {
                Restricted.check(input, argument);
            }
            Column expression =
                    InputColumns.find(input, argument).map(InputColumns::column).orElseGet(() -> expr(argument));
            LogicalPlan plan = input.select(expression).queryExecution().analyzed();
            boolean oneEach = plan instanceof Project project
                    && project.output().size() == 1
                    && !(project.child() instanceof Generate);
            if (!oneEach) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_SCHEMA,
                        "the argument '%s' does not give one value for each row".formatted(argument));
            }
            return expression;
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis
                    && String.valueOf(analysis.getCondition()).startsWith("UNRESOLVED_COLUMN")) {
                throw InputColumns.missing(has, input, argument);
            }
            throw BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(
                            ErrorCode.BELLMAN_INPUT_SCHEMA,
                            "the argument '%s' is not a valid expression: %s".formatted(argument, Failures.line(e)),
                            e));
        }
    }

    /** The same job on about a share of the instances, chosen by a hash of the kept columns; on whole groups if {@code best} is given. */
    InstanceQuery sampled(double share) {
        Column[] hashed = job.best()
                .map(best -> new Column[] {InputColumns.column(best.column())})
                .orElseGet(() -> kept.toArray(Column[]::new));
        Column chosen = pmod(xxhash64(hashed), lit(HASHES)).lt((long) (share * HASHES));
        return with(instances.where(chosen), sources);
    }

    /**
     * One of this many parts of the same job, identical on every call. Rows with the same id stay together; if {@code best} is given, so do
     * rows of the same group; pairs are split by {@code id_a}, so that the condition comes before the pairing.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the kept columns, ids apart, change from one run to the next
     */
    InstanceQuery shard(int shard, int of) {
        Column[] by = job.find(JobKeys.BEST)
                .map(best -> Stream.of(InputColumns.column(best.column())))
                .orElseGet(() -> ids.isEmpty()
                        ? Stream.concat(kept.stream(), arguments.stream())
                        : Stream.of(InputColumns.column(ids.get(0))))
                .toArray(Column[]::new);
        if (ids.isEmpty() && !instances.queryExecution().analyzed().deterministic()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.shards cuts the rows by id, and the input has no column of that name; name one with id (--id)");
        }
        Column chosen = pmod(xxhash64(by), lit((long) of)).equalTo((long) shard);
        // report malformed records only once
        List<Dataset<Row>> told = shard == 0
                ? sources
                : sources.stream()
                        .map(rows -> InputColumns.marksMalformed(rows)
                                ? rows.where(col(RecordFormat.MALFORMED).isNull())
                                : rows)
                        .toList();
        return with(instances.where(chosen), told);
    }

    /** The rows or pairs of rows to look at in a plan; of pairs that are found step by step, those of a step. */
    Dataset<Row> planned() {
        InstanceQuery step =
                nearest.map(found -> with(found.pairs(Optional.of(1)), sources)).orElse(this);
        return clusters.map(Clusters::planned).orElseGet(() -> job.fitted(step.results()));
    }

    /** A query whose costly part is done. */
    record Prepared(InstanceQuery query, Optional<ClusterSummary> clusters) {}

    /**
     * Does what takes several queries: finds the clusters, or the closest targets.
     *
     * @param keep keeps what the prepared query reads
     */
    Prepared prepared(KeptData keep) {
        if (nearest.isPresent()) {
            Dataset<Row> pairs = nearest.get().found(keep, close -> with(close, sources)
                    .choice(job.results())
                    .rows());
            return new Prepared(with(partitioned(pairs), sources), Optional.empty());
        }
        if (clusters.isEmpty()) {
            return new Prepared(this, Optional.empty());
        }
        Clusters.Clustered found = clusters.get().solve(keep);
        Dataset<Row> rows = partitioned(found.rows());
        List<Column> columns =
                Arrays.stream(rows.columns()).map(InputColumns::column).toList();
        return new Prepared(
                new InstanceQuery(
                        job,
                        rows,
                        ids,
                        columns,
                        List.of(),
                        Map.of(),
                        sources,
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.of(found.summary()));
    }

    private Dataset<Row> partitioned(Dataset<Row> rows) {
        return job.find(JobKeys.OUTPUT_PARTITIONS)
                .map(partitions -> rows.repartition(partitions))
                .orElse(rows);
    }

    /** Whether any function among the results rejects values, so that bad rows can occur. */
    boolean rejects() {
        return job.results().stream().anyMatch(function -> function.rejects().isPresent());
    }

    /** Whether rows can be set aside: a function rejects some, or an argument may fail and is or would be tried. */
    boolean canSetAside() {
        boolean expressions = job.get(JobKeys.PAIRING) == PairingMode.COLUMNS
                && job.get(JobKeys.ARGUMENTS).stream().anyMatch(argument -> InputColumns.find(sources.get(0), argument)
                        .isEmpty());
        return rejects() || (job.get(JobKeys.BAD_ROWS) == BadRows.FAIL ? expressions : !failures.isEmpty());
    }

    /** The first row of the input for which an argument's expression fails. */
    Optional<Blame.BadRow> failingArgument() {
        for (Dataset<Row> source : sources) {
            List<String> named = Stream.concat(
                            job.find(JobKeys.ID).or(() -> Optional.of("id")).stream(), job.get(JobKeys.KEEP).stream())
                    .flatMap(name -> InputColumns.find(source, name).stream())
                    .toList();
            for (String argument : job.get(JobKeys.ARGUMENTS)) {
                if (InputColumns.find(source, argument).isPresent()) {
                    continue;
                }
                Dataset<Row> failing =
                        source.where(Attempt.of(expr(argument)).isNull()).limit(1);
                List<Row> first = failing.select(
                                named.stream().map(InputColumns::column).toArray(Column[]::new))
                        .collectAsList();
                if (!first.isEmpty()) {
                    return Optional.of(new Blame.BadRow(
                            first.get(0),
                            named.size(),
                            ErrorCode.BELLMAN_INPUT_VALUE,
                            "the argument '%s' fails: %s".formatted(argument, reason(failing, argument))));
                }
            }
        }
        return Optional.empty();
    }

    private static String reason(Dataset<Row> failing, String argument) {
        try {
            failing.select(expr(argument)).collectAsList();
            return "its value changes from one run to the next";
        } catch (Exception e) {
            return Failures.withoutCode(Failures.explain(e).getMessage());
        }
    }

    /** The names that the functions of {@link #results} have in the query's plan. */
    List<String> functionNames() {
        return job.results().stream()
                .map(function -> isPlain() ? function.name() : function.tryName())
                .toList();
    }

    /** Whether a row that a function rejects ends the job. */
    private boolean isPlain() {
        return job.get(JobKeys.BAD_ROWS) == BadRows.FAIL;
    }

    /** The arguments of the instances, by parameter name. */
    Dataset<Row> argumentValues() {
        List<Parameter> parameters = signature(job.results().get(0)).parameters();
        return instances.select(IntStream.range(0, arguments.size())
                .mapToObj(i -> arguments.get(i).as(parameters.get(i).name()))
                .toArray(Column[]::new));
    }

    /** The first instances, up to this many. */
    List<Row> first(int count) {
        return instances.limit(count).takeAsList(count);
    }

    /** The same job over these instances instead, spread over all cores. */
    InstanceQuery over(List<Row> rows) {
        Dataset<Row> others = instances
                .sparkSession()
                .createDataFrame(rows, instances.schema())
                .repartition(instances.sparkSession().sparkContext().defaultParallelism());
        return with(others, sources);
    }

    /**
     * The instances whose ids are in none of the known rows.
     *
     * @param known rows with the columns of {@link #ids}
     */
    InstanceQuery without(Dataset<Row> known) {
        Column same = lit(true);
        Column readable = lit(true);
        List<Column> renamed = new ArrayList<>();
        for (String id : ids()) {
            String name = KNOWN + id;
            Column column = InputColumns.column(id);
            // as text it may be anything
            Column typed = column.try_cast(instances.schema().apply(id).dataType());
            renamed.add(typed.as(name));
            readable = readable.and(column.isNull().or(typed.isNotNull()));
            same = same.and(InputColumns.column(id).eqNullSafe(InputColumns.column(name)));
        }
        Dataset<Row> idsKnown =
                known.where(readable).select(renamed.toArray(Column[]::new)).distinct();
        Column any = same;
        UnaryOperator<Dataset<Row>> others = rows -> rows.join(idsKnown, any, "left_anti");
        return with(others.apply(instances), sources, nearest.map(found -> found.narrowed(others)));
    }

    /** The same job, which fails at a row without an id: such a row cannot be recognized in an output. */
    InstanceQuery identified() {
        if (job.best().isPresent()) {
            // a group may be that of NULL
            return this;
        }
        Column none = lit(false);
        for (String id : ids()) {
            Column column = InputColumns.column(id);
            none = none.or(column.isNull());
            if (instances.schema().apply(id).dataType() instanceof StringType) {
                none = none.or(column.equalTo(""));
            }
        }
        Column fails = raise_error(lit(
                "[%s] output.newOnly tells rows apart by id, and a row has none; leave such rows out (input.where), or set badRows: quarantine if their records are malformed"
                        .formatted(ErrorCode.BELLMAN_INPUT_VALUE)));
        return with(instances.where(when(none, fails).otherwise(true)), sources);
    }

    /** The columns that tell whether a row is known: the ids or, if {@code best} is given, the group's column. */
    List<String> ids() {
        if (ids.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.newOnly tells rows apart by id, and the input has no column of that name; name one with id (--id)");
        }
        return job.best().map(best -> List.of(best.column())).orElse(ids);
    }

    /**
     * The number of instances, or of the input rows that contain them, if it is available without reading the input an extra
     * time: from the footers of columnar files, or from the sides of pairs.
     */
    OptionalLong total() {
        switch (job.get(JobKeys.PAIRING)) {
            case CROSS:
                return OptionalLong.of(sources.get(0).count() * sources.get(1).count());
            case ALL_VS_ALL:
                long rows = sources.get(0).count();
                return OptionalLong.of(rows * (rows - 1) / 2);
            case WITHIN, NEAREST:
                return OptionalLong.empty();
            default:
                boolean footers =
                        job.input().format().filter(Format::isColumnar).isPresent()
                                && job.find(JobKeys.INPUT_WHERE).isEmpty();
                return footers ? OptionalLong.of(sources.get(0).count()) : OptionalLong.empty();
        }
    }

    /** The number of instances. */
    long count() {
        return instances.count();
    }

    /** The rows of the output. */
    Dataset<Row> results() {
        Choice choice = choice(job.results());
        if (rejoin.isEmpty()) {
            Dataset<Row> rows = choice.rows().drop(Pairing.POSITIONS.toArray(String[]::new));
            return choosesPairs(job) ? partitioned(rows) : rows;
        }
        Set<String> needed = choice.needed();
        if (job.results().stream().anyMatch(each -> job.isOfScore(each) && needed.contains(job.column(each)))) {
            needed.add(scoreColumn());
        }
        List<BellmanFunction<?>> first = job.results().stream()
                .filter(function -> needed.contains(job.column(function)))
                .toList();
        Dataset<Row> chosen = partitioned(rejoin.get().apply(choice(first).rows()));
        List<Column> columns = new ArrayList<>(kept);
        job.results()
                .forEach(function -> columns.add(
                        first.contains(function)
                                ? InputColumns.column(job.column(function))
                                : call(function, isPlain())));
        return chosen.select(columns.toArray(Column[]::new));
    }

    /** Every row that is solved and not set aside, in the form of the output, and whether it goes there. */
    Dataset<Row> judged(String flag) {
        return choice(job.results()).judged(flag).drop(Pairing.POSITIONS.toArray(String[]::new));
    }

    /** The choice among all rows, by these results. */
    private Choice choice(List<BellmanFunction<?>> results) {
        Dataset<Row> solved = solved(results, isPlain());
        if (job.get(JobKeys.BAD_ROWS) == BadRows.QUARANTINE && canSetAside()) {
            solved = solved.where(filter(not(isBad())));
        }
        List<Column> columns = new ArrayList<>(kept);
        results.forEach(function -> columns.add(InputColumns.column(job.column(function))));
        hidden().forEach(columns::add);
        return new Choice(job, solved.select(columns.toArray(Column[]::new)));
    }

    /** Columns that the choice needs beside those of the output. */
    private Stream<Column> hidden() {
        return Arrays.stream(instances.columns())
                .filter(Pairing.POSITIONS::contains)
                .map(InputColumns::column);
    }

    /** The rows set aside for their values: id, kept columns, {@code arguments} as a struct, no {@code record}, {@code reason}. */
    Dataset<Row> badRows() {
        Dataset<Row> bad = solved(job.results(), false).where(filter(isBad()));
        List<Column> reasons = new ArrayList<>();
        failures.forEach((argument, failed) -> reasons.add(when(
                failed,
                lit("[%s] the argument '%s' fails for this row".formatted(ErrorCode.BELLMAN_INPUT_VALUE, argument)))));
        rejecting().map(this::rejection).forEach(reasons::add);
        List<Column> columns = new ArrayList<>(kept);
        columns.add(argumentsAsStruct());
        columns.add(lit(null).cast(DataTypes.StringType).as("record"));
        columns.add(coalesce(reasons.toArray(Column[]::new)).as("reason"));
        return bad.select(columns.toArray(Column[]::new));
    }

    /**
     * The malformed records of the inputs as rows like those of {@link #badRows}: NULLs, the {@code record} as it appears in the
     * file, and the {@code reason} with file and position. Empty if no input can have any, or if they are an error.
     */
    Optional<Dataset<Row>> malformed() {
        List<Column> likeBadRows = new ArrayList<>(kept);
        if (!arguments.isEmpty()) {
            likeBadRows.add(argumentsAsStruct());
        }
        List<Column> columns = new ArrayList<>();
        for (StructField field :
                instances.select(likeBadRows.toArray(Column[]::new)).schema().fields()) {
            columns.add(lit(null).cast(field.dataType()).as(field.name()));
        }
        columns.add(col(RecordFormat.RECORD).as("record"));
        columns.add(col(RecordFormat.MALFORMED).as("reason"));
        return sources.stream()
                .filter(InputColumns::marksMalformed)
                .map(rows -> rows.where(col(RecordFormat.MALFORMED).isNotNull()).select(columns.toArray(Column[]::new)))
                .reduce(Dataset::union);
    }

    private Column argumentsAsStruct() {
        List<Parameter> parameters = signature(job.results().get(0)).parameters();
        return struct(IntStream.range(0, arguments.size())
                        .mapToObj(i -> arguments.get(i).as(parameters.get(i).name()))
                        .toArray(Column[]::new))
                .as("arguments");
    }

    /** How many of the first columns of {@link #badRows} identify the row. */
    int keptColumns() {
        return kept.size();
    }

    private Dataset<Row> solved(List<BellmanFunction<?>> results, boolean plain) {
        List<Column> columns = new ArrayList<>(kept);
        columns.addAll(arguments);
        columns.addAll(failures.values());
        results.stream()
                .filter(function -> !job.isOfScore(function))
                .forEach(function -> columns.add(call(function, plain)));
        hidden().forEach(columns::add);
        columns.add(monotonically_increasing_id().as(ROW));
        Dataset<Row> solved = instances.select(columns.toArray(Column[]::new));
        for (BellmanFunction<?> function : results) {
            if (job.isOfScore(function)) {
                solved = solved.withColumn(job.column(function), call(function, plain));
            }
        }
        return solved;
    }

    /** A result, by the arguments of a row, or by its score, which is there. */
    private Column call(BellmanFunction<?> function, boolean plain) {
        return call_function(plain ? function.name() : function.tryName(), inputs(function))
                .as(job.column(function));
    }

    /**
     * Marks a row as bad: a result is NULL though no argument is, or an argument fails.
     *
     * <p>Spark moves a filter below a projection, and would call the functions once for the filter and again for the projection.
     * It does not if the filter uses a column that must not be computed twice, and {@link #ROW} is one.
     */
    private Column isBad() {
        Column anyResultNull = lit(false);
        for (BellmanFunction<?> function : rejecting().toList()) {
            Column isNull = InputColumns.column(job.column(function)).isNull();
            // a score below min_score is NULL, too
            boolean nullIsAnAnswer = signature(function).parameters().stream()
                    .anyMatch(parameter -> parameter.name().equals(ScoreFunctions.MIN_SCORE));
            anyResultNull = anyResultNull.or(
                    nullIsAnAnswer
                            ? when(isNull, rejection(function).isNotNull()).otherwise(false)
                            : isNull);
        }
        for (Column argument : arguments) {
            anyResultNull = anyResultNull.and(argument.isNotNull());
        }
        for (Column failed : failures.values()) {
            anyResultNull = anyResultNull.or(failed);
        }
        return anyResultNull;
    }

    /** The functions that may reject a row. Those of a score do not: it is not negative, and the scoring is checked before. */
    private Stream<BellmanFunction<?>> rejecting() {
        return job.results().stream().filter(function -> function.rejects().isPresent() && !job.isOfScore(function));
    }

    /** Why the function rejects the row; NULL if it does not. */
    private Column rejection(BellmanFunction<?> function) {
        return call_function(BellmanFunctions.registerRejection(instances.sparkSession(), function), inputs(function));
    }

    private static Column filter(Column condition) {
        return condition.and(col(ROW).geq(0));
    }

    /** The signature that matches a call of the function on the arguments. */
    private <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> function) {
        Stream<DataType> parameters = job.signature(function, arguments.size()).parameters().stream()
                .skip(arguments.size())
                .map(Parameter::type);
        Dataset<Row> typed = instances.select(arguments.toArray(Column[]::new));
        return function.signature(
                        Stream.concat(Arrays.stream(typed.schema().fields()).map(StructField::dataType), parameters)
                                .toList())
                .orElseThrow();
    }

    /** The arguments and parameters of a function. */
    private Column[] inputs(BellmanFunction<?> function) {
        if (job.isOfScore(function)) {
            return function.signatures().get(0).parameters().stream()
                    .map(parameter -> ofScore(parameter.name()))
                    .toArray(Column[]::new);
        }
        Stream<Column> parameters = signature(function).parameters().stream()
                .skip(arguments.size())
                .map(parameter -> lit(job.get(JobKeys.PARAMETERS).get(parameter.name())));
        return Stream.concat(arguments.stream(), parameters).toArray(Column[]::new);
    }

    /** An argument of a function of the score. */
    private Column ofScore(String parameter) {
        Object given = job.get(JobKeys.PARAMETERS).get(parameter);
        if (given != null) {
            return lit(given);
        }
        return switch (parameter) {
            case "score" -> InputColumns.column(scoreColumn());
            case "query_letters" -> length(arguments.get(0));
            case TARGET_LETTERS -> lit(targetLetters.orElseThrow());
            default -> throw new IllegalStateException("no value of " + parameter);
        };
    }

    /** The column from which others are computed. */
    private String scoreColumn() {
        return job.column(job.results().get(0));
    }
}
