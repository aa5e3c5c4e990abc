package dev.bellman.job;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * A job as a query: the input's rows become instances (id, kept columns, arguments), and the functions are ordinary column
 * expressions over the arguments, so that Spark and RAPIDS plan the whole of it.
 */
final class InstanceQuery {
    static final String ROW = "__row";

    private final Job job;
    private final Dataset<Row> instances;
    /** The columns of an instance that go to the output beside the results. */
    private final List<Column> kept;

    private final List<Column> arguments;

    /** Inputs whose malformed records are marked. */
    private final List<Dataset<Row>> marked;

    private InstanceQuery(
            Job job, Dataset<Row> instances, List<String> kept, List<String> arguments, List<Dataset<Row>> marked) {
        this.job = job;
        this.instances = instances;
        this.marked = marked;
        this.kept = kept.stream().map(InputColumns::column).toList();
        this.arguments = arguments.stream().map(InputColumns::column).toList();
    }

    /**
     * Pairs the input of a job.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_SCHEMA} if it lacks a column that the job names
     */
    static InstanceQuery of(Job job, Dataset<Row> everyRow, Optional<Dataset<Row>> everyTarget) {
        Dataset<Row> input = wanted(job, everyRow);
        Optional<Dataset<Row>> targets = everyTarget.map(rows -> wanted(job, rows));
        Optional<String> id = job.find(JobKeys.ID).or(() -> InputColumns.find(input, "id"));
        List<String> argumentNames = IntStream.rangeClosed(
                        1,
                        job.get(JobKeys.PAIRING) == PairingMode.COLUMNS
                                ? job.get(JobKeys.ARGUMENTS).size()
                                : 2)
                .mapToObj(i -> "argument_" + i)
                .toList();
        Dataset<Row> instances = job.get(JobKeys.PAIRING) == PairingMode.COLUMNS
                ? select(job, input, id, argumentNames)
                : pair(job, input, targets, id, argumentNames);
        List<String> kept = Arrays.stream(instances.columns())
                .filter(name -> !argumentNames.contains(name))
                .toList();
        mustDiffer(kept, argumentNames, job);
        Optional<Integer> partitions = job.find(JobKeys.OUTPUT_PARTITIONS);
        if (partitions.isPresent()) {
            instances = instances.repartition(partitions.get());
        }
        List<Dataset<Row>> marked = Stream.concat(Stream.of(everyRow), everyTarget.stream())
                .filter(InputColumns::marksMalformed)
                .toList();
        return new InstanceQuery(job, instances, kept, argumentNames, marked);
    }

    /** The rows that instances are made of: where malformed records are set aside, those of the others. */
    private static Dataset<Row> wanted(Job job, Dataset<Row> rows) {
        return InputColumns.marksMalformed(rows) && job.get(JobKeys.BAD_ROWS) == BadRows.QUARANTINE
                ? InputColumns.unmarked(rows.where(col(RecordFormat.MALFORMED).isNull()))
                : rows;
    }

    private static Dataset<Row> pair(
            Job job,
            Dataset<Row> input,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            List<String> argumentNames) {
        String argument = job.get(JobKeys.ARGUMENTS).get(0);
        check(input, argument);
        targets.ifPresent(rows -> check(rows, argument));
        String expression =
                InputColumns.find(input, argument).map(InputColumns::quoted).orElse(argument);
        if (InputColumns.marksMalformed(input)
                || targets.filter(InputColumns::marksMalformed).isPresent()) {
            // an expression may make a value of the NULLs of a malformed record; a comment at its end needs the line
            // break
            expression = "CASE WHEN %s IS NULL THEN (%s\n) END".formatted(RecordFormat.MALFORMED, expression);
        }
        Dataset<Row> pairs = targets.isPresent()
                ? Pairing.cross(input, targets.get(), id, expression, job.get(JobKeys.KEEP))
                : Pairing.allVsAll(input, id, expression, job.get(JobKeys.KEEP));
        return pairs.withColumnsRenamed(Map.of("a", argumentNames.get(0), "b", argumentNames.get(1)));
    }

    private static void mustDiffer(List<String> kept, List<String> arguments, Job job) {
        Set<String> seen = new HashSet<>();
        Stream.of(kept.stream(), arguments.stream(), job.results().stream().map(BellmanFunction::name))
                .flatMap(names -> names)
                .filter(name -> !seen.add(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .ifPresent(twice -> {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_JOB_FILE,
                            "the output would have two columns '%s'; look at id, keep and results".formatted(twice));
                });
    }

    private static Dataset<Row> select(Job job, Dataset<Row> input, Optional<String> id, List<String> argumentNames) {
        List<Column> columns = new ArrayList<>();
        Stream.concat(id.stream(), job.get(JobKeys.KEEP).stream())
                .map(name -> InputColumns.column(input, name).as(name))
                .forEach(columns::add);
        for (int i = 0; i < argumentNames.size(); i++) {
            Column argument = check(input, job.get(JobKeys.ARGUMENTS).get(i));
            columns.add((InputColumns.marksMalformed(input)
                            ? when(col(RecordFormat.MALFORMED).isNull(), argument)
                            : argument)
                    .as(argumentNames.get(i)));
        }
        return input.select(columns.toArray(Column[]::new));
    }

    /** The column that an argument names, or the expression that it is; an error if it is none over the input. */
    private static Column check(Dataset<Row> input, String argument) {
        try {
            Column expression =
                    InputColumns.find(input, argument).map(InputColumns::column).orElseGet(() -> expr(argument));
            input.select(expression);
            return expression;
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis
                    && String.valueOf(analysis.getCondition()).startsWith("UNRESOLVED_COLUMN")) {
                throw InputColumns.missing(input, argument);
            }
            throw BellmanException.in(e)
                    .orElseGet(() -> new BellmanException(
                            ErrorCode.BELLMAN_INPUT_SCHEMA,
                            "the argument '%s' is no expression over the input: %s"
                                    .formatted(argument, Failures.line(e)),
                            e));
        }
    }

    /** Whether there are functions among the results that reject values, so that bad rows can occur. */
    boolean rejects() {
        return job.results().stream().anyMatch(function -> function.rejects().isPresent());
    }

    /** The names that the functions of {@link #results} have in its plan. */
    List<String> functionNames() {
        return job.results().stream()
                .map(function -> job.get(JobKeys.BAD_ROWS) == BadRows.FAIL ? function.name() : function.tryName())
                .toList();
    }

    /** The rows of the output. */
    Dataset<Row> results() {
        Dataset<Row> solved = solved(job.get(JobKeys.BAD_ROWS) == BadRows.FAIL);
        if (job.get(JobKeys.BAD_ROWS) == BadRows.QUARANTINE && rejects()) {
            solved = solved.where(filter(not(isBad())));
        }
        List<Column> columns = new ArrayList<>(kept);
        job.results().forEach(function -> columns.add(InputColumns.column(function.name())));
        return solved.select(columns.toArray(Column[]::new));
    }

    /** The rows that a function rejects: id, kept columns, {@code arguments} as a struct, no {@code record}, {@code reason}. */
    Dataset<Row> badRows() {
        Dataset<Row> bad = solved(false).where(filter(isBad()));
        Column[] reasons = job.results().stream()
                .map(function -> call_function(
                        BellmanFunctions.registerRejection(bad.sparkSession(), function), inputs(function)))
                .toArray(Column[]::new);
        List<Column> columns = new ArrayList<>(kept);
        columns.add(argumentsAsStruct());
        columns.add(lit(null).cast(DataTypes.StringType).as("record"));
        columns.add(coalesce(reasons).as("reason"));
        return bad.select(columns.toArray(Column[]::new));
    }

    /**
     * The malformed records of the inputs as rows like those of {@link #badRows}: NULLs, the {@code record} as it stands in the
     * file, and the {@code reason} with file and place. Empty where no input can have any, or where they are an error.
     */
    Optional<Dataset<Row>> malformed() {
        List<Column> columns = new ArrayList<>();
        List<Column> likeBadRows = new ArrayList<>(kept);
        likeBadRows.add(argumentsAsStruct());
        for (StructField field :
                instances.select(likeBadRows.toArray(Column[]::new)).schema().fields()) {
            columns.add(lit(null).cast(field.dataType()).as(field.name()));
        }
        columns.add(col(RecordFormat.RECORD).as("record"));
        columns.add(col(RecordFormat.MALFORMED).as("reason"));
        return marked.stream()
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

    /** How many of the first columns of {@link #badRows} tell which row it is. */
    int keptColumns() {
        return kept.size();
    }

    private Dataset<Row> solved(boolean plain) {
        List<Column> columns = new ArrayList<>(kept);
        columns.addAll(arguments);
        for (BellmanFunction<?> function : job.results()) {
            columns.add(call_function(plain ? function.name() : function.tryName(), inputs(function))
                    .as(function.name()));
        }
        columns.add(monotonically_increasing_id().as(ROW));
        return instances.select(columns.toArray(Column[]::new));
    }

    /**
     * A result is NULL though no argument is.
     *
     * <p>Spark moves a filter below a projection, and would call the functions for the filter and again for the projection.
     * It does not if the filter looks at a column that must not be computed twice, and that {@link #ROW} is.
     */
    private Column isBad() {
        Column anyResultNull = lit(false);
        for (BellmanFunction<?> function : job.results()) {
            if (function.rejects().isPresent()) {
                anyResultNull =
                        anyResultNull.or(InputColumns.column(function.name()).isNull());
            }
        }
        for (Column argument : arguments) {
            anyResultNull = anyResultNull.and(argument.isNotNull());
        }
        return anyResultNull;
    }

    private static Column filter(Column condition) {
        return condition.and(col(ROW).geq(0));
    }

    /** The signature that a call of the function on the arguments has. */
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
        Stream<Column> parameters = signature(function).parameters().stream()
                .skip(arguments.size())
                .map(parameter -> lit(job.get(JobKeys.PARAMETERS).get(parameter.name())));
        return Stream.concat(arguments.stream(), parameters).toArray(Column[]::new);
    }
}
