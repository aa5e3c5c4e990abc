package dev.bellman.job;

import dev.bellman.Strategies;
import dev.bellman.function.BellmanFunction;
import dev.bellman.function.Problem;
import dev.bellman.function.Signature;
import dev.bellman.job.output.OutputRules;
import dev.bellman.job.output.SaveMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One job, complete and valid as far as can be said without looking at its input.
 *
 * @param arguments a column name or SQL expression for each argument; one alone if {@code pairing} makes the pairs
 * @param parameters scalar parameters by name, for the functions that have them
 * @param strategy the strategy, where the job says one; else the session's configuration does
 */
record Job(
        String name,
        Problem<?> problem,
        List<BellmanFunction<?>> results,
        List<String> arguments,
        Map<String, Object> parameters,
        Source input,
        Optional<Source> targets,
        PairingMode pairing,
        Optional<String> id,
        List<String> keep,
        Sink output,
        Engine engine,
        Optional<String> strategy,
        BadRows badRows) {

    /** Where rows come from. */
    record Source(List<String> paths, Format format, Map<String, String> options) {
        Map<String, Object> describe() {
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("path", paths.size() == 1 ? paths.get(0) : paths);
            description.put("format", Strategies.name(format));
            if (!options.isEmpty()) {
                description.put("options", options);
            }
            return description;
        }
    }

    /** Where results go. */
    record Sink(
            String path,
            Format format,
            SaveMode mode,
            Map<String, String> options,
            Optional<Integer> partitions,
            Optional<Integer> maxRecordsPerFile) {
        Map<String, Object> describe() {
            Map<String, Object> description = new LinkedHashMap<>();
            description.put("path", path);
            description.put("format", Strategies.name(format));
            description.put("mode", Strategies.name(mode));
            if (!options.isEmpty()) {
                description.put("options", options);
            }
            partitions.ifPresent(count -> description.put("partitions", count));
            maxRecordsPerFile.ifPresent(count -> description.put("maxRecordsPerFile", count));
            return description;
        }
    }

    /** Where it reads and where it writes. */
    OutputRules.Paths paths() {
        List<String> inputs = new ArrayList<>(input.paths());
        targets.ifPresent(source -> inputs.addAll(source.paths()));
        return new OutputRules.Paths(name, inputs, output.path());
    }

    /** The longest signature of a function whose parameters after the arguments all have values. */
    <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> function, int arguments) {
        return function.signatures().stream()
                .filter(signature -> signature.parameters().stream()
                        .skip(arguments)
                        .allMatch(parameter -> parameters.containsKey(parameter.name())))
                .max(Comparator.comparingInt(signature -> signature.parameters().size()))
                .orElseThrow();
    }

    /** The job in the keys of a job file, defaults filled in. */
    Map<String, Object> describe() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("name", name);
        description.put("problem", problem.name());
        description.put("results", results.stream().map(BellmanFunction::name).toList());
        description.put("arguments", arguments);
        if (!parameters.isEmpty()) {
            description.put("parameters", parameters);
        }
        description.put("input", input.describe());
        targets.ifPresent(source -> description.put("targets", source.describe()));
        description.put("pairing", Strategies.name(pairing));
        id.ifPresent(column -> description.put("id", column));
        if (!keep.isEmpty()) {
            description.put("keep", keep);
        }
        description.put("output", output.describe());
        description.put("engine", Strategies.name(engine));
        strategy.ifPresent(chosen -> description.put("strategy", chosen));
        description.put("badRows", Strategies.name(badRows));
        return description;
    }
}
