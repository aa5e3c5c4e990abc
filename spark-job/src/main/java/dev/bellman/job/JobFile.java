package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.function.BellmanFunction;
import dev.bellman.function.Catalogue;
import dev.bellman.function.Parameter;
import dev.bellman.function.Problem;
import dev.bellman.job.output.SaveMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A job file: YAML, one job a document. The schema is what {@link #job} reads; flags of the command line override its values.
 */
final class JobFile {
    private static final List<String> KEYS = List.of(
            "name",
            "problem",
            "results",
            "arguments",
            "parameters",
            "input",
            "targets",
            "pairing",
            "id",
            "keep",
            "output",
            "engine",
            "strategy",
            "badRows");
    private static final List<String> SOURCE_KEYS = List.of("path", "format", "options");
    private static final List<String> SINK_KEYS =
            List.of("path", "format", "mode", "options", "partitions", "maxRecordsPerFile");

    /** A name that can be that of a folder, and is that one alone. */
    private static final Pattern PLAIN_NAME = Pattern.compile("(?!\\.{1,2}$)(?=.*\\S)[^/\\\\\\p{Cntrl}]+");

    /** In place of a file's name and a line, where there are flags alone. */
    static final String COMMAND_LINE = "command line";

    private final String file;
    private final List<String> problems = new ArrayList<>();

    private JobFile(String file) {
        this.file = file;
    }

    /**
     * The jobs of a file, at a local path or one of Hadoop's ({@code s3a://...}).
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} with everything that is wrong, each with line and column
     */
    static List<Job> read(String path, JobFlags flags) {
        String fileName = path.substring(path.lastIndexOf('/') + 1);
        return parse(path, fileName.replaceAll("\\.ya?ml$", ""), text(path), flags);
    }

    /** A job that consists of flags alone. */
    static List<Job> ofFlags(JobFlags flags) {
        return parse(COMMAND_LINE, "job", "{}", flags);
    }

    private static String text(String path) {
        try {
            if (!path.contains("://")) {
                return Files.readString(Path.of(path));
            }
            var location = new org.apache.hadoop.fs.Path(path);
            try (InputStream stream =
                    location.getFileSystem(SparkHadoopUtil.get().conf()).open(location)) {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "there is no job file %s; relative paths start at the working directory".formatted(path),
                    e);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE, "cannot read the job file %s: %s".formatted(path, Failures.line(e)), e);
        }
    }

    static List<Job> parse(String file, String defaultName, String text, JobFlags flags) {
        JobFile reader = new JobFile(file);
        List<Node> documents = new ArrayList<>();
        try {
            for (Node document : new Yaml(new LoaderOptions()).composeAll(new StringReader(text))) {
                if (!Tag.NULL.equals(document.getTag())) {
                    documents.add(document);
                }
            }
        } catch (MarkedYAMLException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "%s:%d:%d: not YAML: %s"
                            .formatted(
                                    file,
                                    e.getProblemMark().getLine() + 1,
                                    e.getProblemMark().getColumn() + 1,
                                    e.getProblem()),
                    e);
        } catch (YAMLException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "%s: not YAML: %s"
                            .formatted(file, e.getMessage().lines().findFirst().orElseThrow()),
                    e);
        }
        List<Job> jobs = new ArrayList<>();
        boolean single = documents.size() == 1;
        for (Node document : documents) {
            String name = single ? defaultName : defaultName + "-" + (jobs.size() + 1);
            reader.job(flags.over(document, single ? Optional.empty() : Optional.of(name)), name)
                    .ifPresent(jobs::add);
        }
        if (documents.isEmpty()) {
            reader.problems.add(file + ":1:1: there is no job in this file");
        }
        if (!reader.problems.isEmpty()) {
            throw new BellmanException(ErrorCode.BELLMAN_JOB_FILE, String.join("\n  ", reader.problems));
        }
        return jobs;
    }

    private Optional<Job> job(Node document, String defaultName) {
        int problemsBefore = problems.size();
        YamlMapping job = YamlMapping.root(file, document, KEYS, problems);
        String name = job.text("name").orElse(defaultName);
        if (!PLAIN_NAME.matcher(name).matches()) {
            job.problem(
                    "name",
                    "the name '%s' is no plain name: it must have no slashes and no control characters, and be neither . nor .."
                            .formatted(name));
        }

        job.missing(
                "problem",
                "one of " + Catalogue.problems().stream().map(Problem::name).collect(Collectors.joining(", ")));
        Optional<Problem<?>> problem = job.choice("problem", Catalogue.problems(), Problem::name);
        List<BellmanFunction<?>> functions = Catalogue.functions().stream()
                .filter(function -> problem.isPresent() && function.problem().equals(problem.get()))
                .toList();
        List<BellmanFunction<?>> results = problem.isEmpty()
                ? List.of()
                : job.choices("results", functions, BellmanFunction::name).orElse(functions.subList(0, 1));
        Optional<String> strategy = problem.flatMap(known -> job.choice("strategy", known.strategies(), each -> each));

        job.missing("input", "input.path says where the rows are");
        Optional<Job.Source> input = source(job, "input");
        Optional<Job.Source> targets = job.has("targets") ? source(job, "targets") : Optional.empty();
        PairingMode pairing = choice(job, "pairing", PairingMode.class)
                .orElse(job.has("targets") ? PairingMode.CROSS : PairingMode.COLUMNS);
        if (pairing == PairingMode.CROSS && !job.has("targets")) {
            job.problem("pairing", "pairing is cross, but there are no targets to pair the input with");
        }
        if (pairing != PairingMode.CROSS && job.has("targets")) {
            job.problem("targets", "targets need pairing: cross");
        }

        List<String> arguments = arguments(job, functions, results, input, pairing);
        Map<String, Object> parameters =
                parameters(job, results, pairing == PairingMode.COLUMNS ? arguments.size() : 2);
        job.missing("output", "output.path says where the results go");
        Optional<Job.Sink> output = sink(job);
        Optional<String> id = job.text("id");
        List<String> keep = job.texts("keep").orElse(List.of());
        Engine engine = choice(job, "engine", Engine.class).orElse(Engine.AUTO);
        BadRows badRows = choice(job, "badRows", BadRows.class).orElse(BadRows.FAIL);

        if (problems.size() > problemsBefore) {
            return Optional.empty();
        }
        return Optional.of(new Job(
                name,
                problem.orElseThrow(),
                results,
                arguments,
                parameters,
                input.orElseThrow(),
                targets,
                pairing,
                id,
                keep,
                output.orElseThrow(),
                engine,
                strategy,
                badRows));
    }

    private List<String> arguments(
            YamlMapping job,
            List<BellmanFunction<?>> functions,
            List<BellmanFunction<?>> results,
            Optional<Job.Source> input,
            PairingMode pairing) {
        Optional<List<String>> given = job.texts("arguments");
        if (functions.isEmpty() || results.isEmpty()) {
            return given.orElse(List.of());
        }
        List<String> names = argumentNames(results.get(0));
        results.stream()
                .filter(function -> !argumentNames(function).equals(names))
                .findFirst()
                .ifPresent(other -> job.problem(
                        "results",
                        "%s takes the arguments (%s) and %s takes (%s); results of different arguments need a job each"
                                .formatted(
                                        results.get(0).name(),
                                        String.join(", ", names),
                                        other.name(),
                                        String.join(", ", argumentNames(other)))));
        if (pairing == PairingMode.COLUMNS) {
            if (given.isPresent() && given.get().size() != names.size()) {
                job.problem(
                        "arguments",
                        "%s takes %d arguments (%s), not %d"
                                .formatted(
                                        results.get(0).name(),
                                        names.size(),
                                        String.join(", ", names),
                                        given.get().size()));
            }
            return given.orElse(names);
        }
        if (names.size() != 2) {
            job.problem(
                    "pairing",
                    "%s is no function of pairs; pairing must be columns"
                            .formatted(results.get(0).name()));
        }
        if (given.isPresent() && given.get().size() != 1) {
            job.problem("arguments", "with this pairing, arguments is one column or expression, applied to both sides");
        }
        if (given.isEmpty() && input.isPresent() && !input.get().format().sequences()) {
            job.problem("arguments", "arguments is missing: the column or expression to pair");
        }
        return given.orElse(List.of("sequence"));
    }

    private static List<String> argumentNames(BellmanFunction<?> function) {
        return function.signatures().get(0).parameters().stream()
                .map(Parameter::name)
                .toList();
    }

    private Map<String, Object> parameters(YamlMapping job, List<BellmanFunction<?>> results, int arguments) {
        YamlMapping mapping = job.mapping("parameters", List.of());
        List<String> known = results.stream()
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream().skip(arguments))
                .map(Parameter::name)
                .distinct()
                .toList();
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (String key : mapping.keys()) {
            if (!known.contains(key) && !results.isEmpty()) {
                mapping.problem(
                        key,
                        "%s has no parameter '%s'; %s"
                                .formatted(
                                        results.stream()
                                                .map(BellmanFunction::name)
                                                .collect(Collectors.joining(", ")),
                                        key,
                                        known.isEmpty() ? "it has none" : "it has " + String.join(", ", known)));
            }
            mapping.value(key).ifPresent(value -> parameters.put(key, value));
        }
        return parameters;
    }

    private Optional<Job.Source> source(YamlMapping job, String key) {
        YamlMapping mapping = job.mapping(key, SOURCE_KEYS);
        if (job.has(key)) {
            mapping.missing("path", "where the rows are");
        }
        Optional<List<String>> paths = mapping.texts("path");
        Optional<Format> format = format(mapping, paths, Format.readable());
        Map<String, String> options = options(mapping);
        return paths.flatMap(given -> format.map(of -> new Job.Source(given, of, options)));
    }

    private Optional<Job.Sink> sink(YamlMapping job) {
        YamlMapping mapping = job.mapping("output", SINK_KEYS);
        if (job.has("output")) {
            mapping.missing("path", "where the results go");
        }
        Optional<String> path = mapping.text("path");
        Optional<Format> format = mapping.has("format")
                ? mapping.choice("format", Format.writable(), each -> each).flatMap(JobFile::formatNamed)
                : Optional.of(Format.PARQUET);
        SaveMode mode = choice(mapping, "mode", SaveMode.class).orElse(SaveMode.ERROR);
        Map<String, String> options = options(mapping);
        Optional<Integer> partitions = mapping.positive("partitions");
        Optional<Integer> maxRecordsPerFile = mapping.positive("maxRecordsPerFile");
        return path.flatMap(to -> format.map(of -> new Job.Sink(to, of, mode, options, partitions, maxRecordsPerFile)));
    }

    /** The format that is named, or that the extension of every path means. */
    private static Optional<Format> format(
            YamlMapping mapping, Optional<List<String>> paths, Collection<String> formats) {
        if (mapping.has("format") || paths.isEmpty()) {
            return mapping.choice("format", formats, each -> each).flatMap(JobFile::formatNamed);
        }
        List<Optional<Format>> found =
                paths.get().stream().map(Format::of).distinct().toList();
        if (found.size() != 1 || found.get(0).isEmpty()) {
            mapping.problem(
                    "path",
                    "no one format shows in the name %s; give a format: %s"
                            .formatted(String.join(", ", paths.get()), String.join(", ", formats)));
            return Optional.empty();
        }
        return found.get(0);
    }

    private static Optional<Format> formatNamed(String name) {
        return named(Format.class, name);
    }

    private static Map<String, String> options(YamlMapping mapping) {
        YamlMapping given = mapping.mapping("options", List.of());
        Map<String, String> options = new LinkedHashMap<>();
        for (String key : given.keys()) {
            given.text(key).ifPresent(value -> options.put(key, value));
        }
        return options;
    }

    private static <E extends Enum<E>> Optional<E> choice(YamlMapping mapping, String key, Class<E> type) {
        return mapping.choice(key, Strategies.names(type), each -> each).flatMap(name -> named(type, name));
    }

    private static <E extends Enum<E>> Optional<E> named(Class<E> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> Strategies.name(constant).equals(name))
                .findFirst();
    }
}
