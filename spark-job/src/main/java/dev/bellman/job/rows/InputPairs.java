package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import dev.bellman.Strategies;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Argument;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.text.RecordFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * The rows that become a job's instances: pairs of input rows, or the input rows themselves.
 *
 * @param rejoin adds the dropped arguments back to numbered pairs; empty if the arguments are not dropped
 * @param targetLetters the total number of letters in all targets, if a result needs it and the job does not set it
 * @param nearest finds the closest pairs, if only those are requested and {@code rows} contains all pairs
 * @param sides the rows before pairing: one element for each input; empty if the rows are not paired
 */
record InputPairs(
        Dataset<Row> rows,
        Optional<UnaryOperator<Dataset<Row>>> rejoin,
        OptionalLong targetLetters,
        Optional<NearestTargets> nearest,
        List<PairSide> sides) {
    /** Returns the input rows themselves, without pairing them. */
    static InputPairs inRows(Dataset<Row> rows) {
        return new InputPairs(rows, Optional.empty(), OptionalLong.empty(), Optional.empty(), List.of());
    }

    static InputPairs of(
            Job job,
            Dataset<Row> input,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            List<String> argumentNames) {
        String argument = checked(job, input, targets, id);
        String expression =
                InputColumns.find(input, argument).map(InputColumns::quoted).orElse(argument);
        Dataset<Row> left = input;
        Optional<Dataset<Row>> right = targets;
        if (InputColumns.marksMalformed(input)
                || targets.filter(InputColumns::marksMalformed).isPresent()) {
            left = marking(input);
            right = targets.map(InputPairs::marking);
            // an expression may turn the NULLs of a malformed record into a value, and may end with a comment
            expression = "CASE WHEN %s IS NULL THEN (%s\n) END".formatted(RecordFormat.MALFORMED, expression);
        }
        List<String> keep = job.get(JobKeys.KEEP);
        Optional<Pairing.Closeness> closeness = closeness(job);
        boolean waits = closeness.isEmpty() && waits(job);
        boolean numbered = waits || job.choosesTargets();
        boolean both = job.best().isPresent();
        Dataset<Row> queries = left;
        Dataset<Row> others = right.orElse(left);
        String value = expression;
        Optional<NearestTargets> nearest = job.get(JobKeys.PAIRING) == PairingMode.NEAREST
                ? Optional.of(new NearestTargets(
                        Pairing.near(left, others, id, expression, keep, closeness.orElseThrow()),
                        argumentNames,
                        job.best().orElseThrow().count()))
                : Optional.empty();
        Dataset<Row> pairs =
                switch (job.get(JobKeys.PAIRING)) {
                    case WITHIN -> Pairing.within(left, right, id, expression, keep, closeness.orElseThrow(), both);
                    case NEAREST -> nearest.get().pairs(job.limit());
                    case CROSS ->
                        numbered
                                ? Pairing.numberedCross(left, others, id, expression, keep)
                                : Pairing.cross(left, others, id, expression, keep);
                    default ->
                        numbered
                                ? Pairing.numberedAllVsAll(left, id, expression, keep, both)
                                : Pairing.allVsAll(left, id, expression, keep, both);
                };
        return new InputPairs(
                pairs.withColumnsRenamed(Map.of("a", argumentNames.get(0), "b", argumentNames.get(1))),
                waits
                        ? Optional.of(rows ->
                                Pairing.rejoin(rows, job.find(JobKeys.TOP), queries, others, value, argumentNames))
                        : Optional.empty(),
                targetLetters(job, others, value),
                nearest.filter(any -> job.limit().isEmpty()),
                sides(job, queries, right, id, value, argumentNames));
    }

    private static List<PairSide> sides(
            Job job,
            Dataset<Row> queries,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            String value,
            List<String> names) {
        List<String> keep = job.get(JobKeys.KEEP);
        boolean isColumn =
                InputColumns.find(queries, job.get(JobKeys.ARGUMENTS).get(0)).isPresent();
        PairSide a = PairSide.of("a", queries, id, keep, value, names.get(0), isColumn && isReadWhole(job.input()));
        return Stream.concat(
                        Stream.of(a),
                        targets.stream()
                                .map(rows -> PairSide.of(
                                        "b",
                                        rows,
                                        id,
                                        keep,
                                        value,
                                        names.get(1),
                                        isColumn && isReadWhole(job.targets().orElseThrow()))))
                .toList();
    }

    private static boolean isReadWhole(Job.Source source) {
        return source.format().filter(Format::isReadWhole).isPresent();
    }

    private static Optional<Pairing.Closeness> closeness(Job job) {
        return job.get(JobKeys.PAIRING).isByDistance()
                ? Optional.of(new Pairing.Closeness(job.metric(), job.limit(), job.get(JobKeys.BLOCK_ON)))
                : Optional.empty();
    }

    /**
     * Returns the expression of the argument, after checking that the input and the targets have its columns and, if
     * ties are broken by id, that the targets have an id of an orderable type.
     */
    private static String checked(Job job, Dataset<Row> input, Optional<Dataset<Row>> targets, Optional<String> id) {
        String argument = job.get(JobKeys.ARGUMENTS).get(0);
        Argument.of(job, input, argument);
        targets.ifPresent(rows -> Argument.of(job, "the targets have", rows, argument));
        if (job.choosesTargets()) {
            InputColumns.mustHaveOrderedId(
                    "pairing: %s breaks ties by id".formatted(Strategies.name(job.get(JobKeys.PAIRING))),
                    targets.orElseThrow(),
                    id);
        }
        return argument;
    }

    /**
     * Returns rows that have the column {@link RecordFormat#MALFORMED}, even if the format cannot have malformed
     * records.
     */
    private static Dataset<Row> marking(Dataset<Row> rows) {
        return InputColumns.marksMalformed(rows)
                ? rows
                : rows.withColumn(RecordFormat.MALFORMED, lit(null).cast(DataTypes.StringType));
    }

    /**
     * Whether results that do not rank rows are computed only after the best rows are known. In this case, the
     * arguments are dropped before the sort and joined to the best rows afterwards, so that the sort does not move long
     * arguments. This is impossible if bad rows are quarantined, because bad rows must be known before the sort.
     */
    private static boolean waits(Job job) {
        return job.best().isPresent() && job.results().size() > 1 && job.get(JobKeys.ON_BAD_ROW) != OnBadRow.QUARANTINE;
    }

    /**
     * Returns the total number of letters of the argument in all rows of side b; empty if no result needs it or the job
     * sets it.
     */
    private static OptionalLong targetLetters(Job job, Dataset<Row> targets, String argument) {
        boolean needed = job.results().stream()
                        .filter(job::isOfScore)
                        .flatMap(function -> function.signatures().get(0).parameters().stream())
                        .anyMatch(parameter -> parameter.name().equals(FunctionCalls.TARGET_LETTERS))
                && !job.get(JobKeys.PARAMETERS).containsKey(FunctionCalls.TARGET_LETTERS);
        return needed
                ? OptionalLong.of(targets.select(coalesce(sum(length(expr(argument))), lit(0L)))
                        .first()
                        .getLong(0))
                : OptionalLong.empty();
    }
}
