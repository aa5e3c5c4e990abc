package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.when;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.linkage.Linkage;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.cluster.LinkedNodes;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Argument;
import dev.bellman.job.input.Attempt;
import dev.bellman.job.input.Condition;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/** Creates a job's instances from its input; an instance is a row or a pair of rows. */
public final class InstanceInput {
    /** The columns that the table of bad rows adds to the id and the kept columns. */
    public static final List<String> BAD_ROW_COLUMNS = List.of("arguments", "record", "reason");

    private static final String FAILED = RecordFormat.ADDED + "failed_";

    private InstanceInput() {}

    /**
     * Returns a job's instances.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if the input lacks a column that the job uses
     */
    public static Instances read(Job job, Dataset<Row> allRows, Optional<Dataset<Row>> everyTarget) {
        Dataset<Row> everyRow = job.find(JobKeys.INPUT_WHERE)
                .map(text -> allRows.where(inputCondition(job, allRows)))
                .orElse(allRows);
        Dataset<Row> input = wanted(job, everyRow);
        Optional<Dataset<Row>> targets = everyTarget.map(rows -> wanted(job, rows));
        Optional<String> id = job.find(JobKeys.ID).or(() -> InputColumns.find(input, "id"));
        List<Dataset<Row>> sources =
                everyTarget.map(rows -> List.of(everyRow, rows)).orElse(List.of(everyRow));
        if (job.isClustering()) {
            return Instances.ofRows(
                    job, input, id.stream().toList(), List.of(), sources, Optional.of(clusters(job, input, id)));
        }
        PairingMode pairing = job.get(JobKeys.PAIRING);
        boolean paired = !pairing.hasRows();
        int count = paired ? 2 : job.get(JobKeys.ARGUMENTS).size();
        List<String> argumentNames = IntStream.rangeClosed(1, count)
                .mapToObj(i -> RecordFormat.ADDED + "argument_" + i)
                .toList();
        Map<String, Column> failures = new LinkedHashMap<>();
        InputPairs pairs = paired
                ? InputPairs.of(job, input, targets, id, argumentNames)
                : InputPairs.inRows(select(job, input, targets, id, argumentNames, failures));
        Dataset<Row> instances = pairs.rows();
        List<String> kept = Arrays.stream(instances.columns())
                .filter(name ->
                        !argumentNames.contains(name) && !name.startsWith(FAILED) && !Pairing.POSITIONS.contains(name))
                .toList();
        mustDiffer(kept, List.of(), job);
        if (job.get(JobKeys.ON_BAD_ROW) == OnBadRow.QUARANTINE) {
            InputColumns.mustDiffer(
                    "the table of quarantined rows",
                    Stream.of(kept, BAD_ROW_COLUMNS).flatMap(List::stream),
                    "id and keep");
        }
        Optional<Integer> partitions = job.find(JobKeys.OUTPUT_PARTITIONS);
        if (partitions.isPresent() && !RowSelection.ofPairs(job)) {
            instances = instances.repartition(partitions.get());
        }
        List<String> ids = id.map(name -> pairing == PairingMode.COLUMNS ? List.of(name) : List.of("id_a", "id_b"))
                .orElse(List.of());
        return new Instances(
                job,
                instances,
                ids,
                kept.stream().map(InputColumns::column).toList(),
                argumentNames.stream().map(InputColumns::column).toList(),
                failures,
                sources,
                pairs.rejoin(),
                pairs.targetLetters(),
                Optional.empty(),
                pairs.nearest(),
                pairs.sides(),
                Optional.empty());
    }

    /** Returns the condition on the input. It is always true for malformed records, because their columns are NULL. */
    private static Column inputCondition(Job job, Dataset<Row> rows) {
        Column condition = Condition.over(InputColumns.unmarked(rows), job, JobKeys.INPUT_WHERE, "the input has");
        return InputColumns.marksMalformed(rows)
                ? col(RecordFormat.MALFORMED).isNotNull().or(condition)
                : condition;
    }

    /** Returns the rows that become instances. If malformed records are quarantined, they are not among these rows. */
    private static Dataset<Row> wanted(Job job, Dataset<Row> rows) {
        return InputColumns.marksMalformed(rows) && job.get(JobKeys.ON_BAD_ROW) == OnBadRow.QUARANTINE
                ? InputColumns.unmarked(rows.where(col(RecordFormat.MALFORMED).isNull()))
                : rows;
    }

    private static Clusters clusters(Job job, Dataset<Row> input, Optional<String> id) {
        InputColumns.mustHaveOrderedId("clusters are identified by their smallest id", input, id);
        Column string = Argument.of(job, input, job.get(JobKeys.ARGUMENTS).get(0));
        // fails if the metric's function does not accept the argument's type
        input.select(call_function(job.metric().function(), string, string));
        if (InputColumns.marksMalformed(input)) {
            // an expression may turn the NULLs of a malformed record into a value
            string = when(col(RecordFormat.MALFORMED).isNull(), string);
        }
        List<String> kept =
                Stream.concat(id.stream(), job.get(JobKeys.KEEP).stream()).toList();
        Optional<Linkage> linkage = job.find(JobKeys.LINKAGE);
        mustDiffer(kept, Clusters.columns(linkage), job);
        List<Column> columns = new ArrayList<>();
        kept.forEach(name -> columns.add(InputColumns.column(input, name).as(name)));
        columns.add(string.cast(DataTypes.StringType).as(Clusters.STRING));
        List<String> by = job.get(JobKeys.BLOCK_ON);
        for (int i = 0; i < by.size(); i++) {
            columns.add(InputColumns.column(input, by.get(i)).as(Clusters.GROUP + i));
        }
        return new Clusters(
                input.select(columns.toArray(Column[]::new)),
                kept.get(0),
                kept.subList(1, kept.size()),
                by.size(),
                job.limit()
                        .filter(limit -> limit.doubleValue() > 0)
                        .map(limit -> (a, b) -> job.metric().close(a, b, limit)),
                linkage.map(its -> new LinkedNodes(its, job.get(JobKeys.MAX_DISTANCE))));
    }

    /** @param added the columns that the output has in addition to the kept columns and the results */
    private static void mustDiffer(List<String> kept, List<String> added, Job job) {
        InputColumns.mustDiffer(
                "the output",
                Stream.of(kept, added, job.resultColumns()).flatMap(List::stream),
                "id, keep and results");
    }

    /**
     * Returns the ids, the kept columns and the arguments of rows that are not paired or that are joined with targets.
     *
     * @param failures receives one column for each argument that may fail
     */
    private static Dataset<Row> select(
            Job job,
            Dataset<Row> input,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            List<String> argumentNames,
            Map<String, Column> failures) {
        if (targets.isPresent()) {
            JoinedRows joined = JoinedRows.of(job, input, targets.get(), id);
            return select(job, "the pairs have", joined.rows(), joined.kept(), argumentNames, failures);
        }
        List<Column> kept = Stream.concat(id.stream(), job.get(JobKeys.KEEP).stream())
                .map(name -> InputColumns.column(input, name).as(name))
                .toList();
        return select(job, "the input has", input, kept, argumentNames, failures);
    }

    private static Dataset<Row> select(
            Job job,
            String has,
            Dataset<Row> input,
            List<Column> kept,
            List<String> argumentNames,
            Map<String, Column> failures) {
        List<Column> columns = new ArrayList<>(kept);
        List<Column> tried = new ArrayList<>();
        for (String name : input.select(kept.toArray(Column[]::new)).columns()) {
            tried.add(InputColumns.column(name));
        }
        List<Column> failed = new ArrayList<>();
        for (int i = 0; i < argumentNames.size(); i++) {
            String argument = job.get(JobKeys.ARGUMENTS).get(i);
            String name = argumentNames.get(i);
            Column any = Argument.of(job, has, input, argument);
            // an expression may turn the NULLs of a malformed record into a value
            Column expression = InputColumns.marksMalformed(input)
                    ? when(col(RecordFormat.MALFORMED).isNull(), any)
                    : any;
            Column column = InputColumns.column(name);
            if (job.get(JobKeys.ON_BAD_ROW) == OnBadRow.FAIL || !Argument.mayFail(input, expression)) {
                columns.add(expression.as(name));
                tried.add(column);
            } else {
                columns.add(Attempt.of(expression).as(name));
                tried.add(Attempt.value(column).as(name));
                failed.add(Attempt.failure(column).as(FAILED + i));
                failures.put(argument, col(FAILED + i));
            }
        }
        Dataset<Row> selected = input.select(columns.toArray(Column[]::new));
        tried.addAll(failed);
        return failures.isEmpty() ? selected : selected.select(tried.toArray(Column[]::new));
    }
}
