package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.row_number;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import dev.bellman.best.TopNPrefilter;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Condition;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.spec.Best;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructField;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Selects the output rows among the solved rows: the rows for which {@code output.where} is true and, among these, the
 * {@code best} of each group. A row is never among the best if the result by which rows are ranked is NULL or beyond
 * {@code max}.
 *
 * <p>The best rows are determined by their row numbers within a group. Before the exchange, each task limits its groups
 * ({@code WindowGroupLimit}), so it sends at most {@code count} rows per group to the task that collects the group.
 * Ties are broken by the ids and then by the other orderable columns except results; smaller values come first. If no
 * two rows have the same ids, the selection therefore does not depend on the order of the input.
 */
public final class RowSelection {
    /**
     * The column that contains the number of a solved row. A filter that reads this column stays above the solver in
     * Spark's plan, so the filter counts the solved rows.
     */
    public static final String SOLVED = RecordFormat.ADDED + "solved";

    private static final String ELIGIBLE = RecordFormat.ADDED + "eligible";
    private static final String PLACE = RecordFormat.ADDED + "place";

    /**
     * The Spark setting for the largest number of rows per group up to which Spark limits groups before the exchange.
     */
    private static final String LIMIT = "spark.sql.optimizer.windowGroupLimitThreshold";

    private final Job job;
    private final Dataset<Row> solved;

    /**
     * @param solved every row, with its kept columns, its results and, if pairs are numbered, {@link Pairing#POSITIONS}
     */
    RowSelection(Job job, Dataset<Row> solved) {
        this.job = job;
        this.solved = solved;
    }

    /** Whether a job outputs only some of its rows. */
    public static boolean isMade(Job job) {
        return job.find(JobKeys.OUTPUT_WHERE).isPresent() || job.best().isPresent();
    }

    /**
     * Whether the job selects the best of all pairs. In this case, only the selected pairs are distributed over
     * {@code output.partitions}.
     */
    static boolean ofPairs(Job job) {
        PairingMode pairing = job.get(JobKeys.PAIRING);
        return job.best().isPresent() && (pairing == PairingMode.CROSS || pairing == PairingMode.ALL_VS_ALL);
    }

    /** Returns the rows of the output. */
    Dataset<Row> rows() {
        if (!isMade(job)) {
            return solved;
        }
        Dataset<Row> numbered = solved.withColumn(SOLVED, monotonically_increasing_id());
        Dataset<Row> eligible = (leavesOutEarly()
                        ? numbered.withColumn(ELIGIBLE, eligible())
                                .where(col(SOLVED).geq(0).and(col(ELIGIBLE)).and(mayBeBest()))
                        : numbered.where(col(SOLVED).geq(0).and(eligible())))
                .drop(SOLVED, ELIGIBLE);
        if (job.best().isEmpty()) {
            return eligible;
        }
        Best best = job.best().orElseThrow();
        if (best.count() > Integer.parseInt(solved.sparkSession().conf().get(LIMIT))) {
            solved.sparkSession().conf().set(LIMIT, best.count());
        }
        return eligible.withColumn(PLACE, row_number().over(order(Window.partitionBy(group()))))
                .where(col(PLACE).leq(best.count()))
                .drop(PLACE);
    }

    /**
     * Whether to drop most rows of each group before the sort. On a GPU, this is faster for the pairs of each input row
     * with its targets; it requires an integral ranking column.
     */
    private boolean leavesOutEarly() {
        return job.choosesTargets()
                && solved.schema().apply(ranked()).dataType() instanceof IntegralType
                && EngineCheck.usesPlugin(solved.sparkSession());
    }

    private Column mayBeBest() {
        Best best = job.best().orElseThrow();
        Column value = InputColumns.column(ranked()).cast(DataTypes.LongType);
        Column rank = when(col(ELIGIBLE), best.isDescending(ranked()) ? value : value.unary_$minus());
        return udf(TopNPrefilter.udf(best.count()), DataTypes.BooleanType)
                .withName("may_be_best")
                .apply(group(), rank);
    }

    /** Returns every row; an additional column shows whether the row belongs to the output. */
    Dataset<Row> judged(String flag) {
        Dataset<Row> judged = solved.withColumn(ELIGIBLE, coalesce(eligible(), lit(false)));
        if (job.best().isEmpty()) {
            return judged.withColumnRenamed(ELIGIBLE, flag);
        }
        return judged.withColumn(PLACE, row_number().over(order(Window.partitionBy(group(), col(ELIGIBLE)))))
                .withColumn(
                        flag,
                        col(ELIGIBLE)
                                .and(col(PLACE).leq(job.best().orElseThrow().count())))
                .drop(ELIGIBLE, PLACE);
    }

    /**
     * Returns the names of the columns on which {@code output.where}, the groups and the ranking depend, without those
     * that only break ties.
     */
    Set<String> needed() {
        List<Expression> read =
                new ArrayList<>(CollectionConverters.asJava(solved.select(group(), InputColumns.column(ranked()))
                        .queryExecution()
                        .analyzed()
                        .expressions()));
        read.addAll(CollectionConverters.asJava(
                solved.where(eligible()).queryExecution().analyzed().expressions()));
        return read.stream()
                .flatMap(each -> CollectionConverters.asJava(each.references().toSeq()).stream())
                .map(Attribute::name)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns the column whose values define the groups for {@code best}. */
    private Column group() {
        if (job.choosesTargets()) {
            return col(Pairing.ROW);
        }
        return InputColumns.column(column(job.best().orElseThrow().column(), "COLUMN"));
    }

    private Column eligible() {
        Column eligible = job.find(JobKeys.OUTPUT_WHERE)
                .map(text -> Condition.over(shown(), job, JobKeys.OUTPUT_WHERE, "the output has"))
                .orElse(lit(true));
        if (job.best().isEmpty()) {
            return eligible;
        }
        String ranked = ranked();
        Column value = InputColumns.column(ranked);
        boolean limited = job.get(JobKeys.PARAMETERS).containsKey("max")
                && job.results().stream()
                        .filter(function -> job.column(function).equals(ranked))
                        .flatMap(function -> function.signatures().stream())
                        .flatMap(signature -> signature.parameters().stream())
                        .anyMatch(parameter -> parameter.name().equals("max"));
        if (!limited) {
            return eligible.and(value.isNotNull());
        }
        // beyond max, a distance is -1 or (for series) infinite, and must not be ranked as small
        Column within = value.geq(0);
        boolean isReal = solved.schema().apply(ranked).dataType().equals(DataTypes.DoubleType);
        return eligible.and(isReal ? within.and(value.lt(Double.POSITIVE_INFINITY)) : within);
    }

    private String ranked() {
        return column(job.best().orElseThrow().result(job.resultColumns()), "RESULT");
    }

    private WindowSpec order(WindowSpec groups) {
        String ranked = ranked();
        Column value = InputColumns.column(ranked);
        List<Column> order = new ArrayList<>();
        order.add(job.best().orElseThrow().isDescending(ranked) ? value.desc() : value.asc());
        for (StructField field : solved.schema().fields()) {
            if (!job.resultColumns().contains(field.name()) && RowOrdering.isOrderable(field.dataType())) {
                order.add(InputColumns.column(field.name()).asc());
            }
        }
        return groups.orderBy(order.toArray(Column[]::new));
    }

    /** Returns the solved rows without the positions of pairs, which never belong to the output. */
    private Dataset<Row> shown() {
        return solved.drop(Pairing.POSITIONS.toArray(String[]::new));
    }

    private String column(String name, String what) {
        Dataset<Row> shown = shown();
        Optional<String> found = InputColumns.find(shown, name);
        if (found.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "best: %s is '%s', which is not a column of the output; the columns are %s%s"
                            .formatted(
                                    what,
                                    name,
                                    String.join(", ", shown.columns()),
                                    Suggestion.hint(name, List.of(shown.columns()))));
        }
        if (!RowOrdering.isOrderable(solved.schema().apply(found.get()).dataType())) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "best: '%s' is of type %s, whose values cannot be sorted; choose a different column"
                            .formatted(
                                    name,
                                    solved.schema()
                                            .apply(found.get())
                                            .dataType()
                                            .sql()));
        }
        return found.get();
    }
}
