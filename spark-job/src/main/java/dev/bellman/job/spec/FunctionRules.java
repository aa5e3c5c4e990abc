package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.Strategies;
import dev.bellman.Suggestion;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.terminal.Failures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Checks a job's results, which are functions, and the arguments and parameters of these functions. */
final class FunctionRules {
    static final String SCORING = "scoring";

    /**
     * The name of the parameter that limits distances: distances above the limit are returned as -1 or, for series, as
     * infinity.
     */
    static final String MAX = "max";

    /** The column of a sequence file that contains the sequences. */
    static final String SEQUENCE = "sequence";

    private FunctionRules() {}

    /**
     * Returns the functions in {@code results}, which must belong to the problem and, except those computed from a
     * score, have the same arguments. By default, returns the problem's function of the same name, or its first one.
     */
    static List<BellmanFunction<?>> results(JobDocument job) {
        Optional<Problem<?>> problem = job.given(JobKeys.PROBLEM);
        if (problem.isEmpty()) {
            return List.of();
        }
        List<BellmanFunction<?>> functions = Catalogue.functions().stream()
                .filter(function -> function.problem().equals(problem.get()) || Job.isOfScore(function, problem.get()))
                .toList();
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        Map<String, BellmanFunction<?>> choices = new LinkedHashMap<>();
        Stream.concat(functions.stream(), functions.stream().flatMap(FunctionRules::tryVariant))
                .forEach(function -> choices.put(Job.column(function, pairing), function));
        List<String> names = new ArrayList<>(choices.keySet());
        if (pairing == PairingMode.WITHIN) {
            names.add(Clusters.CLUSTER);
        }
        BellmanFunction<?> implied = job.word(JobKeys.PROBLEM)
                .filter(name -> !name.equals(problem.get().name()))
                .flatMap(name -> choices.values().stream()
                        .filter(function -> function.name().equals(name))
                        .findFirst())
                .orElse(functions.get(0));
        job.resolve(JobKeys.RESULTS, List.of(Job.column(implied, pairing)));
        List<BellmanFunction<?>> results = job.given(JobKeys.RESULTS).orElseThrow().stream()
                .flatMap(name -> job.choose(JobKeys.RESULTS, name, names, each -> each).stream())
                .filter(choices::containsKey)
                .<BellmanFunction<?>>map(choices::get)
                .toList();
        results.stream()
                .filter(function -> !Job.isOfScore(function, problem.get())
                        && !argumentNames(job, function).equals(argumentNames(job, results.get(0))))
                .findFirst()
                .ifPresent(other -> job.problem(
                        JobKeys.RESULTS,
                        "%s takes the arguments (%s), but %s takes (%s); use a separate job for each"
                                .formatted(
                                        results.get(0).name(),
                                        String.join(", ", argumentNames(job, results.get(0))),
                                        other.name(),
                                        String.join(", ", argumentNames(job, other)))));
        return results;
    }

    private static Stream<BellmanFunction<?>> tryVariant(BellmanFunction<?> function) {
        return function.tryVariant().stream().map(variant -> variant);
    }

    /** Returns those arguments of a function that must be columns or expressions. */
    private static List<Parameter> required(JobDocument job, BellmanFunction<?> function) {
        Set<String> constants = job.given(JobKeys.PARAMETERS).orElse(Map.of()).keySet();
        return function.signatures().get(0).parameters().stream()
                .filter(parameter -> !parameter.isSetting() && !isContent(parameter, constants))
                .toList();
    }

    /** Whether the parameter accepts the content of a file, and the job sets it to a constant. */
    private static boolean isContent(Parameter parameter, Set<String> constants) {
        return parameter.isContent().isPresent() && constants.contains(parameter.name());
    }

    private static List<String> argumentNames(JobDocument job, BellmanFunction<?> function) {
        return required(job, function).stream().map(Parameter::name).toList();
    }

    /** If the value of a parameter is the path of a file, replaces the path with the file's content. */
    static void files(JobDocument job, List<BellmanFunction<?>> results) {
        Map<String, Object> parameters =
                new LinkedHashMap<>(job.given(JobKeys.PARAMETERS).orElse(Map.of()));
        parameters.replaceAll((name, value) -> {
            boolean isPath = results.stream()
                    .flatMap(function -> function.signatures().stream())
                    .flatMap(signature -> signature.parameters().stream())
                    .filter(parameter -> parameter.name().equals(name))
                    .flatMap(parameter -> parameter.isContent().stream())
                    .anyMatch(content -> !content.test(value.toString()));
            if (!isPath) {
                return value;
            }
            try {
                String hint = "; parameters.%1$s must be either the content of a %1$s or the path of a file that "
                        + "contains it";
                return TextFile.read(value.toString(), name + " file", hint.formatted(name));
            } catch (BellmanException e) {
                job.problem(JobKeys.PARAMETERS, name, Failures.withoutCode(e.getMessage()));
                return value;
            }
        });
        if (!parameters.isEmpty()) {
            job.complete(JobKeys.PARAMETERS, parameters);
        }
    }

    /** Checks the requirements of those results that are computed from a score. */
    static void ofScores(JobDocument job, List<BellmanFunction<?>> results) {
        Problem<?> problem = job.given(JobKeys.PROBLEM).orElseThrow();
        if (results.stream().noneMatch(function -> Job.isOfScore(function, problem))) {
            return;
        }
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        Map<String, Object> parameters = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        if (!Job.isScore(results.get(0))) {
            job.problem(
                    JobKeys.RESULTS,
                    "bit_score and e_value are computed from alignment_score; list it first in results");
        }
        if (parameters.containsKey("mode") && !parameters.get("mode").equals("local")) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "mode",
                    "bit_score and e_value require local alignments, but parameters.mode is '%s'"
                            .formatted(parameters.get("mode")));
        }
        boolean counted = pairing == PairingMode.CROSS
                || pairing == PairingMode.ALL_VS_ALL
                || parameters.containsKey("target_letters");
        if (!counted && results.stream().anyMatch(function -> function.name().endsWith("e_value"))) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "e_value needs the number of letters of all targets; set parameters: {target_letters: "
                            + "...}, or use pairing: cross or all-vs-all, which count them");
        }
    }

    static void strategy(JobDocument job) {
        job.given(JobKeys.PROBLEM).ifPresent(problem -> job.given(JobKeys.STRATEGY)
                .ifPresent(name -> job.choose(JobKeys.STRATEGY, name, problem.strategies(), each -> each)));
    }

    /**
     * If the job requires a GPU, reports calls that have no kernel. There may be no kernel for a function, a strategy
     * or a parameter.
     */
    static void engine(JobDocument job, List<BellmanFunction<?>> results) {
        if (!job.is(JobKeys.ENGINE, Engine.GPU::equals)) {
            return;
        }
        Map<String, Object> parameters = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        results.stream()
                .flatMap(function ->
                        withoutKernel(function, job.given(JobKeys.STRATEGY), withColumns(job, function, parameters))
                                .stream())
                .forEach(call -> job.problem(
                        JobKeys.ENGINE,
                        "engine is gpu, but %s and runs only on the CPU; use engine: auto".formatted(call)));
    }

    /** Returns the parameters of a call, including columns that provide the values of optional arguments. */
    private static Map<String, Object> withColumns(
            JobDocument job, BellmanFunction<?> function, Map<String, Object> parameters) {
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        List<String> columns = job.given(JobKeys.ARGUMENTS).orElse(List.of());
        function.signatures().stream()
                .map(Job::arguments)
                .filter(each -> each.size() == columns.size())
                .findFirst()
                .ifPresent(each -> each.stream()
                        .filter(Parameter::isOptional)
                        .forEach(parameter -> all.put(parameter.name(), columns.get(each.indexOf(parameter)))));
        return all;
    }

    /**
     * Returns the reason why there is no kernel for a function with a strategy and parameters; empty if there is one.
     */
    private static Optional<String> withoutKernel(
            BellmanFunction<?> function, Optional<String> strategy, Map<String, Object> parameters) {
        List<String> kernels = function.kernels().stream().map(Strategies::name).toList();
        if (kernels.isEmpty()) {
            return Optional.of(function.name() + " has no kernel");
        }
        if (strategy.isPresent() && !kernels.contains(strategy.get())) {
            return Optional.of("%s has no kernel for the strategy %s, only for %s,"
                    .formatted(function.name(), strategy.get(), String.join(", ", kernels)));
        }
        return function.withoutKernel().stream()
                .filter(parameter -> parameters.containsKey(parameter.name())
                        && !parameters
                                .get(parameter.name())
                                .equals(parameter
                                        .ifAbsent()
                                        .map(Parameter.Default::plain)
                                        .orElse(null)))
                .findFirst()
                .map(parameter -> "%s has no kernel for calls that set the parameter %s"
                        .formatted(function.name(), parameter.name()));
    }

    static void arguments(JobDocument job, List<BellmanFunction<?>> results) {
        BellmanFunction<?> first = results.get(0);
        List<String> names = argumentNames(job, first);
        Optional<List<String>> given = job.given(JobKeys.ARGUMENTS);
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        if (pairing.hasRows()) {
            given.ifPresent(columns -> columns(job, results, columns));
            job.resolve(JobKeys.ARGUMENTS, isOfSequence(job, first) ? List.of(SEQUENCE) : names);
            return;
        }
        if (names.size() != 2) {
            job.problem(
                    JobKeys.PAIRING,
                    "%s does not have exactly two arguments; set pairing to columns".formatted(first.name()));
        }
        PairingRules.pairedArgument(job);
    }

    /** Checks that every function accepts this number of arguments, and that no argument is also a parameter. */
    private static void columns(JobDocument job, List<BellmanFunction<?>> results, List<String> given) {
        for (BellmanFunction<?> function : results) {
            List<List<String>> choices = function.signatures().stream()
                    .map(signature -> Job.arguments(signature).stream()
                            .filter(parameter -> !isContent(
                                    parameter,
                                    job.given(JobKeys.PARAMETERS)
                                            .orElse(Map.of())
                                            .keySet()))
                            .map(Parameter::name)
                            .toList())
                    .distinct()
                    .toList();
            Optional<List<String>> names =
                    choices.stream().filter(each -> each.size() == given.size()).findFirst();
            if (names.isEmpty()) {
                job.problem(
                        JobKeys.ARGUMENTS,
                        "%s takes the arguments %s, but the job has %s"
                                .formatted(
                                        function.name(),
                                        choices.stream()
                                                .map(each -> "(%s)".formatted(String.join(", ", each)))
                                                .collect(Collectors.joining(" or ")),
                                        given));
                return;
            }
            names.get().stream()
                    .filter(job.given(JobKeys.PARAMETERS).orElse(Map.of())::containsKey)
                    .forEach(name -> job.problem(
                            JobKeys.PARAMETERS,
                            name,
                            "parameters.%s is also listed in arguments; remove one of the two".formatted(name)));
        }
    }

    /** Whether a function has one string argument, and the input is a sequence file. */
    private static boolean isOfSequence(JobDocument job, BellmanFunction<?> function) {
        List<Parameter> arguments = required(job, function);
        return arguments.size() == 1
                && arguments.get(0).type().equals(DataTypes.StringType)
                && job.is(JobKeys.INPUT_FORMAT, Format::sequences);
    }

    static void parameters(JobDocument job, List<BellmanFunction<?>> results) {
        int arguments = required(job, results.get(0)).size();
        List<String> known = results.stream()
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream().skip(arguments))
                .map(Parameter::name)
                .distinct()
                .toList();
        job.given(JobKeys.PARAMETERS).orElse(Map.of()).forEach((name, value) -> {
            if (!known.contains(name)) {
                job.problem(
                        JobKeys.PARAMETERS,
                        name,
                        "parameters.%s is not valid for %s; valid parameters: %s%s"
                                .formatted(
                                        name,
                                        results.stream()
                                                .map(BellmanFunction::name)
                                                .collect(Collectors.joining(", ")),
                                        known.isEmpty() ? "none" : String.join(", ", known),
                                        Suggestion.hint(name, known)));
                return;
            }
            results.stream()
                    .flatMap(function -> function.signatures().stream())
                    .flatMap(signature -> signature.parameters().stream().skip(arguments))
                    .filter(parameter -> parameter.name().equals(name))
                    .map(Parameter::type)
                    .filter(type -> !holds(type, value))
                    .findFirst()
                    .ifPresent(type -> job.problem(
                            JobKeys.PARAMETERS,
                            name,
                            "parameters.%s is '%s'; it must be of type %s%s"
                                    .formatted(
                                            name,
                                            job.word(JobKeys.PARAMETERS, name).orElseThrow(),
                                            type.sql(),
                                            Job.canBeConstant(type)
                                                    ? ""
                                                    : "; pass it in arguments instead, as a column or an expression")));
        });
    }

    /** Reports missing parameters that the given parameters require. */
    static void dependentParameters(JobDocument job, BellmanFunction<?> function) {
        Set<String> given = job.given(JobKeys.PARAMETERS).orElse(Map.of()).keySet();
        int arguments = job.is(JobKeys.PAIRING, PairingMode::hasRows)
                ? job.given(JobKeys.ARGUMENTS).orElseThrow().size()
                : 2;
        List<String> taken =
                Job.signature(function, arguments, given).map(Signature::parameters).orElse(List.of()).stream()
                        .map(Parameter::name)
                        .toList();
        function.signatures().stream()
                .filter(signature -> signature.parameters().stream()
                        .anyMatch(parameter -> given.contains(parameter.name()) && !taken.contains(parameter.name())))
                .findFirst()
                .ifPresent(signature -> {
                    List<String> needed = signature.parameters().stream()
                            .skip(arguments)
                            .map(Parameter::name)
                            .filter(name -> !given.contains(name))
                            .toList();
                    job.problem(
                            JobKeys.PARAMETERS,
                            "with these parameters, %s also requires %s"
                                    .formatted(function.name(), String.join(" and ", needed)));
                });
    }

    /** Checks that every parameter without which a function cannot be called is set. */
    static void requiredParameters(JobDocument job, BellmanFunction<?> function) {
        Map<String, Object> given = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        List<String> missing = function.signatures().get(0).parameters().stream()
                .filter(Parameter::isSetting)
                .map(Parameter::name)
                .filter(name -> !given.containsKey(name))
                // if the keys of the section scoring are set, they have already been checked
                .filter(name -> !(name.equals(SCORING) && job.hasSection(JobKeys.SCORING_MATRIX)))
                .toList();
        if (!missing.isEmpty()) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "%s requires %s; set parameters: {%s}"
                            .formatted(
                                    function.name(),
                                    String.join(" and ", missing),
                                    missing.stream().map(name -> name + ": ...").collect(Collectors.joining(", "))));
        }
    }

    /** Whether a job file's value is valid for a parameter of this type. */
    private static boolean holds(DataType type, Object value) {
        if (type.equals(DataTypes.IntegerType)) {
            return value instanceof Integer;
        }
        if (type.equals(DataTypes.LongType)) {
            return value instanceof Integer || value instanceof Long;
        }
        if (type.equals(DataTypes.DoubleType)) {
            return value instanceof Number;
        }
        return type.equals(DataTypes.BooleanType) ? value instanceof Boolean : Job.canBeConstant(type);
    }
}
