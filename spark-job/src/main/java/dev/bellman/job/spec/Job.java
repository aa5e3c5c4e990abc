package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.SecretOptions;
import dev.bellman.job.output.OutputRules;
import dev.bellman.job.table.LakeTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/**
 * A complete job, which has been checked as far as is possible without its input.
 *
 * @param values the value of each key: set in the job file, implied by other keys, or the default
 */
public record Job(Map<JobKey<?>, Object> values, List<BellmanFunction<?>> results) {

    /**
     * The name of the output column that contains the distance of the two strings for {@code pairing: within} and
     * {@code pairing: nearest}, unless the metric is a similarity.
     */
    static final String DISTANCE = "distance";

    /** The name of the problem and function that measure closeness by default. */
    public static final String EDIT_DISTANCE = "edit_distance";

    /**
     * A source of rows. A source consists of files, is a table of a data source (identified by a path or by options),
     * or is a catalogue table, which has no format.
     */
    public record Source(
            List<String> paths, Optional<String> table, Optional<Format> format, Map<String, String> options) {
        /** Returns the table; empty if the source consists of files. */
        public Optional<LakeTable> lakeTable(SparkSession spark) {
            return Job.lakeTable(spark, table, format, paths.stream().findFirst(), options);
        }

        /** Returns the same source with additional options. */
        Source with(Map<String, String> more) {
            Map<String, String> all = new LinkedHashMap<>(options);
            all.putAll(more);
            return new Source(paths, table, format, all);
        }

        public boolean isInstanceFile() {
            return format.filter(Format::isInstance).isPresent();
        }

        @Override
        public String toString() {
            return table.orElseGet(() -> paths.isEmpty() ? format.orElseThrow().name() : String.join(", ", paths));
        }
    }

    private static Optional<LakeTable> lakeTable(
            SparkSession spark,
            Optional<String> table,
            Optional<Format> format,
            Optional<String> path,
            Map<String, String> options) {
        if (table.isPresent()) {
            return Optional.of(LakeTable.named(spark, table.get(), format.map(Format::name), options));
        }
        return format.filter(Format::isTable).map(found -> LakeTable.of(spark, found.name(), path, options));
    }

    /** Returns the value of a key that must have one. */
    public <T> T get(JobKey<T> key) {
        return find(key).orElseThrow(() -> new IllegalStateException("no value of " + key.path()));
    }

    @SuppressWarnings("unchecked")
    public <T> Optional<T> find(JobKey<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    public Source input() {
        return new Source(
                find(JobKeys.INPUT_PATH).orElse(List.of()),
                find(JobKeys.INPUT_TABLE),
                find(JobKeys.INPUT_FORMAT),
                get(JobKeys.INPUT_OPTIONS));
    }

    public Optional<Source> targets() {
        return hasTargets()
                ? Optional.of(new Source(
                        find(JobKeys.TARGETS_PATH).orElse(List.of()),
                        find(JobKeys.TARGETS_TABLE),
                        find(JobKeys.TARGETS_FORMAT),
                        get(JobKeys.TARGETS_OPTIONS)))
                : Optional.empty();
    }

    private boolean hasTargets() {
        return Stream.of(JobKeys.TARGETS_PATH, JobKeys.TARGETS_TABLE, JobKeys.TARGETS_FORMAT)
                .anyMatch(key -> find(key).isPresent());
    }

    /** Returns all sources that the job reads, beginning with {@code input}. */
    public List<Source> sources() {
        Stream<Optional<Source>> others = JobKeys.otherInputs().stream().map(keys -> keys.of(this));
        return Stream.concat(Stream.of(Optional.of(input()), targets()), others)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the table that is written; empty if the output consists of files. */
    public Optional<LakeTable> outputTable(SparkSession spark) {
        return lakeTable(
                spark,
                find(JobKeys.OUTPUT_TABLE),
                find(JobKeys.OUTPUT_FORMAT),
                find(JobKeys.OUTPUT_PATH),
                get(JobKeys.OUTPUT_OPTIONS));
    }

    /**
     * Returns the same job, with options that select the current versions of the tables in {@code input} and
     * {@code targets}, as far as these tables have versions. This is needed because a run reads its input several
     * times, and tables may get new rows in the meantime.
     *
     * @param spark a session that has not read the tables yet, because sessions may cache them
     * @param again whether a later run may continue this run, and must find the same rows
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if a later run must find the same rows and a table
     *     has no versions
     */
    public Job pinned(SparkSession spark, boolean again) {
        Map<JobKey<?>, Object> fixed = new HashMap<>(values);
        pin(spark, again, input(), JobKeys.INPUT_OPTIONS, fixed);
        targets().ifPresent(source -> pin(spark, again, source, JobKeys.TARGETS_OPTIONS, fixed));
        return new Job(fixed, results);
    }

    private static void pin(
            SparkSession spark, boolean again, Source source, JobKey<?> options, Map<JobKey<?>, Object> fixed) {
        source.lakeTable(spark).ifPresent(table -> {
            Map<String, String> version = table.pin();
            if (again && version.isEmpty() && !table.isFixed()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE,
                        ("output.parts and --resume read the input several times and must find the same rows each "
                                        + "time, but the table %s has no versions; copy the table to files first, or "
                                        + "omit output.parts and --resume")
                                .formatted(source));
            }
            fixed.put(options, source.with(version).options());
        });
    }

    /**
     * Returns which rows are kept from each group, as set in the job or implied by {@code top} or {@code nearest};
     * empty if all rows are kept.
     */
    public Optional<Best> best() {
        if (get(JobKeys.PAIRING) == PairingMode.NEAREST) {
            return Optional.of(new Best(
                    find(JobKeys.TOP).orElse(1),
                    "id_a",
                    Optional.of(metric().column()),
                    Optional.of(metric().isSimilarity())));
        }
        return find(JobKeys.TOP)
                .map(count -> new Best(count, "id_a", Optional.empty(), Optional.empty()))
                .or(() -> find(JobKeys.BEST));
    }

    /**
     * Whether each input row is a separate group of {@link #best}, regardless of its id; ids may be NULL or not unique.
     */
    public boolean choosesTargets() {
        return get(JobKeys.PAIRING) == PairingMode.NEAREST || find(JobKeys.TOP).isPresent();
    }

    /** Returns the output column that contains a function's results. */
    public String column(BellmanFunction<?> function) {
        return column(function, get(JobKeys.PAIRING));
    }

    public static String column(BellmanFunction<?> function, PairingMode pairing) {
        return pairing.isByDistance()
                ? Metric.of(function).map(Metric::column).orElse(function.name())
                : function.name();
    }

    /** Whether a result is computed from the score of a pair. */
    public boolean isOfScore(BellmanFunction<?> function) {
        return isOfScore(function, get(JobKeys.PROBLEM));
    }

    public static boolean isOfScore(BellmanFunction<?> function, Problem<?> problem) {
        return function.problem().equals(ScoreFunctions.STATISTICS) && problem.equals(ScoreFunctions.ALIGNMENT);
    }

    /** Whether other results can be computed from the function's result. */
    static boolean isScore(BellmanFunction<?> function) {
        return function.problem().equals(ScoreFunctions.ALIGNMENT)
                && function.signatures().get(0).result().equals(DataTypes.LongType);
    }

    /** Returns the measure that {@code within} and {@code nearest} use for closeness. */
    public Metric metric() {
        return Metric.named(get(JobKeys.METRIC));
    }

    /** Returns the maximum distance, or the minimum similarity, of close pairs. */
    public Optional<Number> limit() {
        return find(JobKeys.MAX_DISTANCE).<Number>map(distance -> distance).or(() -> find(JobKeys.MIN_SIMILARITY));
    }

    /** Whether the job determines the cluster of each row instead of forming pairs. */
    public boolean isClustering() {
        return get(JobKeys.PAIRING) == PairingMode.WITHIN
                && get(JobKeys.RESULTS).contains(Clusters.CLUSTER);
    }

    /** Returns the output columns that contain results of functions, in order. */
    public List<String> resultColumns() {
        return results.stream().map(this::column).toList();
    }

    /** Returns the paths that the job reads and writes. */
    public OutputRules.Paths paths(SparkSession spark) {
        List<String> inputs = new ArrayList<>();
        for (Source source : sources()) {
            inputs.addAll(source.paths());
            source.lakeTable(spark)
                    .filter(table -> source.paths().isEmpty())
                    .flatMap(LakeTable::folder)
                    .ifPresent(inputs::add);
        }
        List<String> outputs = new ArrayList<>();
        find(JobKeys.OUTPUT_PATH)
                .or(() -> outputTable(spark).flatMap(LakeTable::folder))
                .ifPresent(outputs::add);
        find(JobKeys.OUTPUT_REPORTS).ifPresent(outputs::add);
        return new OutputRules.Paths(get(JobKeys.NAME), inputs, outputs);
    }

    /** Returns the rows in a form that the output format supports. */
    public Dataset<Row> fitted(Dataset<Row> rows) {
        return find(JobKeys.OUTPUT_FORMAT).map(format -> format.fitted(rows)).orElse(rows);
    }

    /** Returns the signature with which a function is called for the job's arguments and parameters. */
    public <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> function, int arguments) {
        return signature(function, arguments, get(JobKeys.PARAMETERS).keySet()).orElseThrow();
    }

    /**
     * Returns the signature that accepts the largest number of the given parameters and does not require any others.
     *
     * @param arguments the number of those {@linkplain #arguments parameters} of the signature that are columns or
     *     expressions
     * @param given the names of those parameters that are constants
     */
    static <S extends Enum<S>> Optional<Signature<S>> signature(
            BellmanFunction<S> function, int arguments, Set<String> given) {
        return function.signatures().stream()
                .filter(signature -> {
                    List<Parameter> columns = arguments(signature);
                    return columns.size() >= arguments
                            && signature.parameters().stream()
                                    .filter(parameter ->
                                            columns.indexOf(parameter) < 0 || columns.indexOf(parameter) >= arguments)
                                    .allMatch(parameter -> given.contains(parameter.name()) || parameter.isOptional());
                })
                .max(Comparator.<Signature<S>>comparingLong(signature -> signature.parameters().stream()
                                .filter(parameter -> given.contains(parameter.name()))
                                .count())
                        .thenComparing(signature -> -signature.parameters().size()));
    }

    /** Returns the parameters that may differ from row to row, in order; a job can list them as arguments. */
    public static List<Parameter> arguments(Signature<?> signature) {
        return signature.parameters().stream()
                .filter(parameter -> !parameter.isSetting())
                .toList();
    }

    /** Whether a job file can contain a constant of this type. */
    public static boolean canBeConstant(DataType type) {
        return type.equals(DataTypes.StringType) || type.equals(DataTypes.BooleanType) || type instanceof NumericType;
    }

    /**
     * Returns the job as a map that has the structure of a job file, including the defaults of all keys that apply to
     * the job, but without empty lists and mappings, and without secrets.
     */
    public Map<String, Object> describe() {
        Map<JobKey<?>, Object> shown = new HashMap<>(values);
        JobKeys.allOptions()
                .forEach(key -> find(key).ifPresent(options -> shown.put(key, SecretOptions.redacted(options))));
        return new Job(shown, results).describeWithout(Set.of());
    }

    /** Returns the same description, but without some keys, and with secrets. */
    public Map<String, Object> describeWithout(Set<JobKey<?>> keys) {
        Map<String, Object> description = new LinkedHashMap<>();
        JobKeys.all().stream()
                .filter(Scope.keysOf(this))
                .filter(key -> !keys.contains(key))
                .forEach(key -> describe(key, description));
        return description;
    }

    private <T> void describe(JobKey<T> key, Map<String, Object> description) {
        Optional<Object> value = find(key).map(key.type().printer()).filter(printed -> !isEmpty(printed));
        if (value.isEmpty()) {
            return;
        }
        if (key.section().isEmpty()) {
            description.put(key.name(), value.get());
        } else {
            @SuppressWarnings("unchecked")
            Map<String, Object> section =
                    (Map<String, Object>) description.computeIfAbsent(key.section(), name -> new LinkedHashMap<>());
            section.put(key.name(), value.get());
        }
    }

    private static boolean isEmpty(Object printed) {
        return printed instanceof Collection<?> list && list.isEmpty()
                || printed instanceof Map<?, ?> map && map.isEmpty();
    }
}
