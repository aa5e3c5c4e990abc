package dev.bellman.job;

import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.output.OutputRules;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;

/**
 * One job, complete and valid as far as can be determined without its input.
 *
 * @param values given values, values implied by other keys, and defaults, by key
 */
record Job(Map<JobKey<?>, Object> values, List<BellmanFunction<?>> results) {

    /** The column of the output with the edit distance of pairs that are chosen by it. */
    static final String DISTANCE = "distance";

    /** Where rows come from. */
    record Source(List<String> paths, Format format, Map<String, String> options) {}

    /** The value of a key that every job has. */
    <T> T get(JobKey<T> key) {
        return find(key).orElseThrow(() -> new IllegalStateException("no value of " + key.path()));
    }

    @SuppressWarnings("unchecked")
    <T> Optional<T> find(JobKey<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    Source input() {
        return new Source(get(JobKeys.INPUT_PATH), get(JobKeys.INPUT_FORMAT), get(JobKeys.INPUT_OPTIONS));
    }

    Optional<Source> targets() {
        return find(JobKeys.TARGETS_PATH)
                .map(paths -> new Source(paths, get(JobKeys.TARGETS_FORMAT), get(JobKeys.TARGETS_OPTIONS)));
    }

    /** The right-hand side of one matrix. */
    Optional<Source> b() {
        return find(JobKeys.B_PATH).map(paths -> new Source(paths, get(JobKeys.B_FORMAT), get(JobKeys.B_OPTIONS)));
    }

    /** All that it reads. */
    List<Source> sources() {
        return Stream.of(Optional.of(input()), targets(), b())
                .flatMap(Optional::stream)
                .toList();
    }

    /** The rows wanted from each group, if not all: as the job says, or as {@code top} or {@code nearest} implies. */
    Optional<Best> best() {
        if (get(JobKeys.PAIRING) == PairingMode.NEAREST) {
            return Optional.of(
                    new Best(find(JobKeys.TOP).orElse(1), "id_a", Optional.of(DISTANCE), Optional.of(false)));
        }
        return find(JobKeys.TOP)
                .map(count -> new Best(count, "id_a", Optional.empty(), Optional.empty()))
                .or(() -> find(JobKeys.BEST));
    }

    /** Whether each row of the input is a group of {@link #best}, whatever its id: ids may repeat or be NULL. */
    boolean choosesTargets() {
        return get(JobKeys.PAIRING) == PairingMode.NEAREST || find(JobKeys.TOP).isPresent();
    }

    /** The column of the output with the results of a function. */
    String column(BellmanFunction<?> function) {
        return column(function, get(JobKeys.PAIRING));
    }

    static String column(BellmanFunction<?> function, PairingMode pairing) {
        return pairing.isByDistance() && function.name().equals(JobFile.EDIT_DISTANCE) ? DISTANCE : function.name();
    }

    /** Whether a result is computed from the score of a pair. */
    boolean isOfScore(BellmanFunction<?> function) {
        return isOfScore(function, get(JobKeys.PROBLEM));
    }

    static boolean isOfScore(BellmanFunction<?> function, Problem<?> problem) {
        return function.problem().equals(ScoreFunctions.STATISTICS) && problem.equals(ScoreFunctions.ALIGNMENT);
    }

    /** Whether results can be computed from that of the function. */
    static boolean isScore(BellmanFunction<?> function) {
        return function.problem().equals(ScoreFunctions.ALIGNMENT)
                && function.signatures().get(0).result().equals(DataTypes.LongType);
    }

    /** Whether it gives each row its cluster, and no pairs. */
    boolean isClustering() {
        return get(JobKeys.PAIRING) == PairingMode.WITHIN
                && get(JobKeys.RESULTS).contains(Clusters.CLUSTER);
    }

    /** The columns of the output with results of functions, in order. */
    List<String> resultColumns() {
        return results.stream().map(this::column).toList();
    }

    /** The paths it reads and writes. */
    OutputRules.Paths paths() {
        List<String> inputs =
                sources().stream().flatMap(source -> source.paths().stream()).toList();
        return new OutputRules.Paths(get(JobKeys.NAME), inputs, get(JobKeys.OUTPUT_PATH));
    }

    /** A function's longest signature whose parameters after the arguments all have values. */
    <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> function, int arguments) {
        return function.signatures().stream()
                .filter(signature -> signature.parameters().stream()
                        .skip(arguments)
                        .allMatch(parameter -> get(JobKeys.PARAMETERS).containsKey(parameter.name())))
                .max(Comparator.comparingInt(signature -> signature.parameters().size()))
                .orElseThrow();
    }

    /** The job as keys of a job file, with defaults filled in. */
    Map<String, Object> describe() {
        Map<String, Object> description = new LinkedHashMap<>();
        JobKeys.all().forEach(key -> describe(key, description));
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
