package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.Suggestion;
import dev.bellman.align.score.ScoreFunctions;
import dev.bellman.align.score.Scoring;
import dev.bellman.align.score.SubstitutionMatrix;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.table.LakeTable;
import dev.bellman.linear.LinearFunctions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A job file: YAML, one job per document; command-line flags override its values. {@link JobKeys} has the keys; rules
 * between keys are checked here.
 */
final class JobFile {
    private static final String SCORING = "scoring";
    private static final Pattern PLAIN_NAME = Pattern.compile("(?!\\.{1,2}$)(?=.*\\S)[^/\\\\\\p{Cntrl}]+");

    /** Replaces file name and line if there are only flags. */
    static final String COMMAND_LINE = "command line";

    /** The problem, and its function, that measures closeness. */
    static final String EDIT_DISTANCE = "edit_distance";

    /** Keys of jobs in which a row is an instance. */
    private static final List<JobKey<?>> OF_ROWS = List.of(
            JobKeys.PARAMETERS,
            JobKeys.SCORING_OPEN,
            JobKeys.TARGETS_PATH,
            JobKeys.TARGETS_TABLE,
            JobKeys.TARGETS_FORMAT,
            JobKeys.PAIRING,
            JobKeys.MAX,
            JobKeys.BY,
            JobKeys.TOP,
            JobKeys.ID,
            JobKeys.KEEP,
            JobKeys.WHERE,
            JobKeys.BEST,
            JobKeys.OUTPUT_TABLE,
            JobKeys.OUTPUT_PARTITION_BY,
            JobKeys.OUTPUT_NEW_ONLY,
            JobKeys.OUTPUT_SHARDS,
            JobKeys.BAD_ROWS,
            JobKeys.VERIFY);

    private final String file;
    private final List<String> problems = new ArrayList<>();

    private JobFile(String file) {
        this.file = file;
    }

    /**
     * The jobs of a file, at a local or a Hadoop path ({@code s3a://...}).
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} with every problem, each with line and column;
     *     {@link ErrorCode#BELLMAN_USAGE} if only flags are wrong
     */
    static List<Job> read(String path, JobFlags flags) {
        String fileName = path.substring(path.lastIndexOf('/') + 1);
        return parse(
                path,
                fileName.replaceAll("\\.ya?ml$", ""),
                text(path, "job file", "; relative paths start at the working directory"),
                flags);
    }

    /** A job given by flags alone. */
    static List<Job> ofFlags(JobFlags flags) {
        return parse(COMMAND_LINE, "job", "{}", flags);
    }

    /** @param hint what to do if there is no such file */
    private static String text(String path, String what, String hint) {
        try {
            if (!path.contains("://")) {
                return decoded(path, what, Files.readAllBytes(Path.of(path)));
            }
            var location = new org.apache.hadoop.fs.Path(path);
            try (InputStream stream =
                    location.getFileSystem(SparkHadoopUtil.get().conf()).open(location)) {
                return decoded(path, what, stream.readAllBytes());
            }
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE, "there is no %s %s%s".formatted(what, path, hint), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE, "cannot read the %s %s: %s".formatted(what, path, Failures.line(e)), e);
        }
    }

    private static String decoded(String path, String what, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text.startsWith("\ufeff") ? text.substring(1) : text;
            }
        } catch (CharacterCodingException e) {
            // the same message as for the zeros of UTF-16
        }
        boolean utf16 = bytes.length > 1 && (bytes[0] == 0 || bytes[1] == 0 || (bytes[0] & 0xfe) == 0xfe);
        throw new BellmanException(
                ErrorCode.BELLMAN_JOB_FILE,
                "the %s %s is not UTF-8%s; save it as UTF-8"
                        .formatted(what, path, utf16 ? ", it looks like UTF-16" : ""));
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
            boolean usage = reader.problems.stream()
                    .allMatch(problem -> problem.startsWith("--") || problem.startsWith(COMMAND_LINE));
            throw new BellmanException(
                    usage ? ErrorCode.BELLMAN_USAGE : ErrorCode.BELLMAN_JOB_FILE, String.join("\n  ", reader.problems));
        }
        return jobs;
    }

    private Optional<Job> job(Node document, String defaultName) {
        int problemsBefore = problems.size();
        JobDocument job = new JobDocument(file, document, problems);
        job.resolve(JobKeys.NAME, defaultName);
        name(job);
        Optional<Problem<?>> oneInstance = job.given(JobKeys.PROBLEM).filter(OneInstanceRun.PROBLEMS::contains);
        List<BellmanFunction<?>> results = oneInstance.isPresent() ? List.of() : results(job);
        strategy(job);
        place(job, JobKeys.INPUT_PATH, JobKeys.INPUT_TABLE, JobKeys.INPUT_FORMAT);
        if (job.hasSection(JobKeys.TARGETS_PATH)) {
            place(job, JobKeys.TARGETS_PATH, JobKeys.TARGETS_TABLE, JobKeys.TARGETS_FORMAT);
        }
        format(job, JobKeys.B_PATH, JobKeys.B_FORMAT);
        output(job);
        pairing(job);
        instance(job, oneInstance);
        if (job.given(JobKeys.OUTPUT_NEW_ONLY).orElse(false)
                && !job.given(JobKeys.OUTPUT_MODE).equals(Optional.of(SaveMode.APPEND))) {
            job.problem(JobKeys.OUTPUT_NEW_ONLY, "output.newOnly adds rows to an output: it needs output.mode: append");
        }
        if (job.given(JobKeys.RESTRICTED).orElse(false)) {
            for (JobKey<Map<String, String>> options : List.of(
                    JobKeys.INPUT_OPTIONS, JobKeys.TARGETS_OPTIONS, JobKeys.B_OPTIONS, JobKeys.OUTPUT_OPTIONS)) {
                Restricted.refusedOptions(job.given(options).orElse(Map.of()))
                        .forEach(name -> job.problem(
                                options, name, "restricted does not allow the option '%s'".formatted(name)));
            }
            for (JobKey<Format> key : List.of(JobKeys.INPUT_FORMAT, JobKeys.TARGETS_FORMAT, JobKeys.OUTPUT_FORMAT)) {
                job.given(key)
                        .filter(format -> !format.isOwn() && !Restricted.allowsFormat(format.name()))
                        .ifPresent(format -> job.problem(
                                key,
                                "restricted does not allow the format %s, a data source of Spark".formatted(format)));
            }
        }
        scoring(job);
        if (isClustering(job)) {
            clusters(job);
        } else if (!results.isEmpty()) {
            arguments(job, results);
            parameters(job, results);
            results.forEach(function -> requiredParameters(job, function));
            ofScores(job, results);
        }
        return problems.size() > problemsBefore ? Optional.empty() : Optional.of(new Job(job.values(), results));
    }

    /** The keys that jobs on one graph or one matrix must and must not have, and those that others must not have. */
    private static void instance(JobDocument job, Optional<Problem<?>> problem) {
        if (!problem.equals(Optional.of(GraphFunctions.ALL_PAIRS)) && job.has(JobKeys.SOURCES)) {
            job.problem(JobKeys.SOURCES, "sources is for %s".formatted(GraphFunctions.ALL_PAIRS.name()));
        }
        if (!problem.equals(Optional.of(LinearFunctions.ONE_MATRIX)) && job.hasSection(JobKeys.B_PATH)) {
            job.problem(JobKeys.B_PATH, "b is for %s".formatted(LinearFunctions.ONE_MATRIX.name()));
        }
        if (problem.isEmpty()) {
            for (JobKey<Format> key : List.of(JobKeys.INPUT_FORMAT, JobKeys.TARGETS_FORMAT)) {
                job.given(key)
                        .filter(Format::isInstance)
                        .ifPresent(format -> job.problem(
                                key,
                                "%s is %s, which is for %s"
                                        .formatted(
                                                key.path(),
                                                format,
                                                format == Format.GR
                                                        ? GraphFunctions.ALL_PAIRS.name()
                                                        : GraphFunctions.ALL_PAIRS.name() + " and "
                                                                + LinearFunctions.ONE_MATRIX.name())));
            }
            return;
        }
        if (TiledRun.solves(problem.get())) {
            tiled(job, problem.get());
        } else if (problem.get().equals(GraphFunctions.ALL_PAIRS)) {
            graph(job);
        } else {
            matrix(job);
        }
        String name = problem.get().name();
        for (JobKey<?> key : OF_ROWS) {
            if (job.has(key)) {
                job.problem(key, "%s is not for %s".formatted(key.path(), name));
            }
        }
        if (job.given(JobKeys.OUTPUT_MODE).filter(SaveMode.APPEND::equals).isPresent()) {
            job.problem(JobKeys.OUTPUT_MODE, "output.mode is append; an output of %s is of one input".formatted(name));
        }
        if (job.given(JobKeys.OUTPUT_FORMAT).orElse(Format.PARQUET) != Format.PARQUET) {
            job.problem(JobKeys.OUTPUT_FORMAT, "output.format of %s is parquet".formatted(name));
        }
        if (job.given(JobKeys.INPUT_FORMAT).filter(Format::sequences).isPresent()) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of sequences is no input of %s".formatted(name));
        }
        if (job.given(JobKeys.INPUT_FORMAT).filter(Format::isInstance).isPresent()) {
            for (JobKey<?> key : List.of(JobKeys.ARGUMENTS, JobKeys.INPUT_WHERE, JobKeys.INPUT_OPTIONS)) {
                if (job.has(key)) {
                    job.problem(key, "%s is for an input in rows; this format has none".formatted(key.path()));
                }
            }
        }
    }

    private static void tiled(JobDocument job, Problem<?> problem) {
        List<String> results = TiledRun.results(problem);
        columns(job, results, results);
        int given = job.given(JobKeys.ARGUMENTS).map(List::size).orElse(0);
        arguments(job, JobKeys.ARGUMENTS, problem.name(), TiledRun.arguments(problem, given));
        if (job.given(JobKeys.INPUT_FORMAT).filter(Format::isInstance).isPresent()) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of this format is a graph or a matrix");
        }
        for (JobKey<?> key :
                List.of(JobKeys.STRATEGY, JobKeys.OUTPUT_PARTITIONS, JobKeys.OUTPUT_MAX_RECORDS_PER_FILE)) {
            if (job.has(key)) {
                job.problem(
                        key,
                        "%s is not for %s, which has one way, in tiles, and writes one row"
                                .formatted(key.path(), problem.name()));
            }
        }
    }

    /** The results that are columns of the output. */
    private static void columns(JobDocument job, List<String> all, List<String> unlessGiven) {
        job.resolve(JobKeys.RESULTS, unlessGiven);
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, all, each -> each));
        if (results.stream().distinct().count() < results.size()) {
            job.problem(JobKeys.RESULTS, "results names a column twice");
        }
    }

    private static void graph(JobDocument job) {
        columns(job, GraphPaths.RESULTS, List.of(GraphPaths.DISTANCE));
        arguments(job, JobKeys.ARGUMENTS, "an edge", GraphInput.ARGUMENTS);
    }

    private static void matrix(JobDocument job) {
        boolean hasB = job.hasSection(JobKeys.B_PATH);
        job.resolve(JobKeys.RESULTS, List.of(hasB ? MatrixRun.SOLVE : MatrixRun.LU));
        List<String> results = job.given(JobKeys.RESULTS).orElseThrow();
        results.forEach(name -> job.choose(JobKeys.RESULTS, name, MatrixRun.RESULTS, each -> each));
        if (results.size() != 1) {
            job.problem(JobKeys.RESULTS, "results names %d; a job on one matrix has one".formatted(results.size()));
        } else if (hasB != results.get(0).equals(MatrixRun.SOLVE)) {
            job.problem(
                    JobKeys.RESULTS,
                    hasB
                            ? "%s has no right-hand side; leave out b".formatted(results.get(0))
                            : "linear_solve needs the right-hand side: set b.path (--b)");
        }
        if (job.given(JobKeys.INPUT_FORMAT).equals(Optional.of(Format.GR))
                || job.given(JobKeys.B_FORMAT).equals(Optional.of(Format.GR))) {
            job.problem(JobKeys.INPUT_FORMAT, "a file of the format gr is a graph");
        }
        if (job.has(JobKeys.OUTPUT_PARTITIONS)) {
            job.problem(
                    JobKeys.OUTPUT_PARTITIONS,
                    "output.partitions is not for matrix_elimination, which writes by rows of tiles; set output.maxRecordsPerFile");
        }
        int entries = MatrixInput.BY_ENTRIES.size();
        boolean byEntries = job.given(JobKeys.ARGUMENTS)
                .filter(given -> given.size() == entries)
                .isPresent();
        arguments(job, JobKeys.ARGUMENTS, "a matrix", byEntries ? MatrixInput.BY_ENTRIES : MatrixInput.BY_ROWS);
        if (hasB) {
            arguments(job, JobKeys.B_ARGUMENTS, "b", MatrixInput.OF_B);
        }
    }

    private static void arguments(JobDocument job, JobKey<List<String>> key, String what, List<String> names) {
        job.resolve(key, names);
        int given = job.given(key).orElseThrow().size();
        if (given != names.size()) {
            job.problem(
                    key,
                    "%s has %d arguments (%s), not %d".formatted(what, names.size(), String.join(", ", names), given));
        }
    }

    /** The name, which may become a folder name. */
    private static void name(JobDocument job) {
        job.given(JobKeys.NAME)
                .filter(name -> !PLAIN_NAME.matcher(name).matches())
                .ifPresent(name -> job.problem(
                        JobKeys.NAME,
                        "name is '%s'; it must have no slashes and no control characters, and be neither . nor .."
                                .formatted(name)));
    }

    /** The named functions, which must belong to the problem and take the same arguments. */
    private static List<BellmanFunction<?>> results(JobDocument job) {
        Optional<Problem<?>> problem = job.given(JobKeys.PROBLEM);
        if (problem.isEmpty()) {
            return List.of();
        }
        List<BellmanFunction<?>> functions = Catalogue.functions().stream()
                .filter(function -> function.problem().equals(problem.get()) || Job.isOfScore(function, problem.get()))
                .toList();
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        Map<String, BellmanFunction<?>> choices = new LinkedHashMap<>();
        Stream.concat(functions.stream(), functions.stream().flatMap(JobFile::tryVariant))
                .forEach(function -> choices.put(Job.column(function, pairing), function));
        List<String> names = new ArrayList<>(choices.keySet());
        if (pairing == PairingMode.WITHIN) {
            names.add(Clusters.CLUSTER);
        }
        job.resolve(JobKeys.RESULTS, List.of(Job.column(functions.get(0), pairing)));
        List<BellmanFunction<?>> results = job.given(JobKeys.RESULTS).orElseThrow().stream()
                .flatMap(name -> job.choose(JobKeys.RESULTS, name, names, each -> each).stream())
                .filter(choices::containsKey)
                .<BellmanFunction<?>>map(choices::get)
                .toList();
        results.stream()
                .filter(function -> !Job.isOfScore(function, problem.get())
                        && !argumentNames(function).equals(argumentNames(results.get(0))))
                .findFirst()
                .ifPresent(other -> job.problem(
                        JobKeys.RESULTS,
                        "%s takes the arguments (%s) and %s takes (%s); results of different arguments need a job each"
                                .formatted(
                                        results.get(0).name(),
                                        String.join(", ", argumentNames(results.get(0))),
                                        other.name(),
                                        String.join(", ", argumentNames(other)))));
        return results;
    }

    /** What results that are computed from a score need. */
    private static void ofScores(JobDocument job, List<BellmanFunction<?>> results) {
        Problem<?> problem = job.given(JobKeys.PROBLEM).orElseThrow();
        if (results.stream().noneMatch(function -> Job.isOfScore(function, problem))) {
            return;
        }
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        Map<String, Object> parameters = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        if (!Job.isScore(results.get(0))) {
            job.problem(JobKeys.RESULTS, "bit_score and e_value are computed from alignment_score; name it first");
        }
        if (parameters.containsKey("mode") && !parameters.get("mode").equals("local")) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "mode",
                    "bit_score and e_value are of local alignments; parameters.mode is '%s'"
                            .formatted(parameters.get("mode")));
        }
        boolean counted = pairing == PairingMode.CROSS
                || pairing == PairingMode.ALL_VS_ALL
                || parameters.containsKey("target_letters");
        if (!counted && results.stream().anyMatch(function -> function.name().endsWith("e_value"))) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "e_value needs the number of letters of all targets: parameters: {target_letters: ...}; with pairing: cross they are counted");
        }
    }

    private static Stream<BellmanFunction<?>> tryVariant(BellmanFunction<?> function) {
        return function.tryVariant().stream().map(variant -> variant);
    }

    private static List<String> argumentNames(BellmanFunction<?> function) {
        return function.signatures().get(0).parameters().stream()
                .filter(parameter -> !parameter.isSetting())
                .map(Parameter::name)
                .toList();
    }

    private static void strategy(JobDocument job) {
        job.given(JobKeys.PROBLEM).ifPresent(problem -> job.given(JobKeys.STRATEGY)
                .ifPresent(name -> job.choose(JobKeys.STRATEGY, name, problem.strategies(), each -> each)));
    }

    /** The rules of an input that is files, a table at a path, or a table of a catalogue. */
    private static void place(JobDocument job, JobKey<List<String>> path, JobKey<String> table, JobKey<Format> format) {
        boolean named = job.has(table);
        boolean byFormat = job.given(format).filter(Format::isTable).isPresent();
        for (JobKey<?> other : List.of(path, format)) {
            if (named && job.has(other)) {
                job.problem(other, "%s is a table of a catalogue; leave %s out".formatted(table.path(), other.path()));
            }
        }
        if (!named && !job.has(path) && !isElsewhere(job, format)) {
            job.missing(path);
        }
        if (byFormat && job.given(path).orElse(List.of()).size() > 1) {
            job.problem(path, "%s is several paths, and a table has one".formatted(path.path()));
        }
        format(job, path, format);
    }

    /** Whether options say where a table is, as for a database. */
    private static boolean isElsewhere(JobDocument job, JobKey<Format> format) {
        return job.given(format)
                .filter(found -> found.isTable() && !LakeTable.FORMATS.contains(found.name()))
                .isPresent();
    }

    /** The rules of an output that is files or a table. */
    private static void output(JobDocument job) {
        boolean named = job.has(JobKeys.OUTPUT_TABLE);
        boolean byFormat =
                job.given(JobKeys.OUTPUT_FORMAT).filter(Format::isTable).isPresent();
        if (!named && !job.has(JobKeys.OUTPUT_PATH) && !isElsewhere(job, JobKeys.OUTPUT_FORMAT)) {
            job.missing(JobKeys.OUTPUT_PATH);
        }
        if (!named && !byFormat) {
            if (job.has(JobKeys.OUTPUT_REPORTS)) {
                job.problem(
                        JobKeys.OUTPUT_REPORTS,
                        "output.reports is for tables; files have their reports in <output>/_bellman");
            }
            job.resolve(JobKeys.OUTPUT_FORMAT, Format.PARQUET);
            return;
        }
        if (named && job.has(JobKeys.OUTPUT_PATH)) {
            job.problem(
                    JobKeys.OUTPUT_PATH, "output.table is a table of a catalogue; leave output.path (--output) out");
        }
        if (named && !byFormat) {
            job.given(JobKeys.OUTPUT_FORMAT)
                    .ifPresent(format -> job.problem(
                            JobKeys.OUTPUT_FORMAT,
                            "output.format is %s, which is of files; a table of a catalogue is delta or iceberg, or leave output.format out"
                                    .formatted(format)));
        }
        if (!job.has(JobKeys.OUTPUT_REPORTS)) {
            job.missing(JobKeys.OUTPUT_REPORTS);
        }
        job.given(JobKeys.INPUT_TABLE)
                .filter(table -> job.given(JobKeys.OUTPUT_TABLE)
                        .filter(table::equalsIgnoreCase)
                        .isPresent())
                .ifPresent(table -> job.problem(
                        JobKeys.OUTPUT_TABLE, "output.table is the input; a job must not write where it reads"));
        if (isElsewhere(job, JobKeys.OUTPUT_FORMAT)
                && job.given(JobKeys.OUTPUT_NEW_ONLY).orElse(false)) {
            job.problem(
                    JobKeys.OUTPUT_NEW_ONLY,
                    "output.newOnly reads the ids of the output, and of the data source %s Bellman does not know whether there is one"
                            .formatted(job.given(JobKeys.OUTPUT_FORMAT).orElseThrow()));
        }
        if (job.given(JobKeys.OUTPUT_SHARDS).orElse(1) > 1) {
            job.problem(
                    JobKeys.OUTPUT_SHARDS,
                    "output.shards is not for tables: a table gets its rows in one commit; write files, and load them into the table");
        }
        Map<JobKey<?>, String> reasons = Map.of(
                JobKeys.OUTPUT_MAX_RECORDS_PER_FILE,
                        "a table has its own options, for output.options or its properties",
                JobKeys.VERIFY,
                        "rows are verified before they are published, and a table gets its rows in one commit; write files, and load them into the table");
        reasons.forEach((key, reason) -> {
            if (job.has(key)) {
                job.problem(key, "%s is not for tables: %s".formatted(key.path(), reason));
            }
        });
        if (job.given(JobKeys.OUTPUT_MODE)
                .filter(SaveMode.OVERWRITE_FORCE::equals)
                .isPresent()) {
            job.problem(
                    JobKeys.OUTPUT_MODE,
                    "overwrite-force deletes folders, and nothing deletes a table; overwrite replaces its rows");
        }
    }

    /** The format that all paths' extensions mean, if none is named. */
    private static void format(JobDocument job, JobKey<List<String>> path, JobKey<Format> format) {
        if (job.has(format) || job.given(path).isEmpty()) {
            return;
        }
        List<String> paths = job.given(path).get();
        List<Optional<Format>> found = paths.stream().map(Format::of).distinct().toList();
        if (found.size() == 1 && found.get(0).isPresent()) {
            job.resolve(format, found.get(0).get());
        } else {
            job.problem(
                    path,
                    "cannot infer the format from %s; set %s to one of %s"
                            .formatted(
                                    String.join(", ", paths),
                                    format.path(),
                                    String.join(", ", format.type().choices())));
        }
    }

    private static void pairing(JobDocument job) {
        boolean targets = job.hasSection(JobKeys.TARGETS_PATH);
        if (!job.has(JobKeys.PAIRING)) {
            job.resolve(JobKeys.PAIRING, targets ? PairingMode.CROSS : PairingMode.COLUMNS);
        }
        job.given(JobKeys.PAIRING).ifPresent(pairing -> {
            boolean needsTargets = pairing == PairingMode.CROSS || pairing == PairingMode.NEAREST;
            if (needsTargets && !targets) {
                job.problem(
                        JobKeys.PAIRING,
                        "pairing is %s, but there are no targets to pair the input with"
                                .formatted(Strategies.name(pairing)));
            }
            if (!needsTargets && pairing != PairingMode.WITHIN && targets) {
                job.problem(JobKeys.PAIRING, "targets need pairing: cross, within or nearest");
            }
            close(job, pairing);
        });
    }

    /** The keys of close pairs, which are valid only with {@code within} and {@code nearest}. */
    private static void close(JobDocument job, PairingMode pairing) {
        boolean nearest = pairing == PairingMode.NEAREST;
        if (!pairing.isByDistance()) {
            if (job.has(JobKeys.MAX)) {
                job.problem(JobKeys.MAX, "max needs pairing: within or nearest");
            }
            if (job.has(JobKeys.TOP) && pairing != PairingMode.CROSS) {
                job.problem(JobKeys.TOP, "top needs pairing: cross or nearest");
            }
            if (job.has(JobKeys.TOP) && job.has(JobKeys.BEST)) {
                job.problem(
                        JobKeys.BEST,
                        "top chooses the best rows of each row of the input, and best those of a group; leave one of them out");
            }
            if (!job.given(JobKeys.BY).orElse(List.of()).isEmpty()) {
                job.problem(JobKeys.BY, "by needs pairing: within or nearest");
            }
            return;
        }
        job.given(JobKeys.PROBLEM)
                .filter(problem -> !problem.name().equals(EDIT_DISTANCE))
                .ifPresent(problem -> job.problem(
                        JobKeys.PAIRING,
                        "pairing: %s is by edit distance; the problem must be edit_distance, not %s"
                                .formatted(Strategies.name(pairing), problem.name())));
        if (job.given(JobKeys.PARAMETERS).orElse(Map.of()).containsKey(JobKeys.MAX.name())) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "parameters.max would hide distances beyond it; with pairing: %s, the limit is the key max"
                            .formatted(Strategies.name(pairing)));
        }
        if (!nearest && !job.has(JobKeys.MAX)) {
            job.problem(JobKeys.PAIRING, "pairing: within needs max, the largest edit distance");
        }
        if (!nearest && job.has(JobKeys.TOP)) {
            job.problem(JobKeys.TOP, "top needs pairing: cross or nearest; best limits the rows of within");
        }
        if (!nearest) {
            return;
        }
        if (job.has(JobKeys.BEST)) {
            job.problem(JobKeys.BEST, "pairing: nearest chooses by top; best is for other pairings");
        }
        if (!job.given(JobKeys.RESULTS).orElse(List.of()).contains(Job.DISTANCE)) {
            job.problem(JobKeys.RESULTS, "pairing: nearest needs distance among the results");
        }
    }

    private static boolean isClustering(JobDocument job) {
        return job.given(JobKeys.PAIRING).equals(Optional.of(PairingMode.WITHIN))
                && job.given(JobKeys.RESULTS).orElse(List.of()).contains(Clusters.CLUSTER);
    }

    /** The keys that a job for clusters must and must not have. */
    private static void clusters(JobDocument job) {
        if (job.given(JobKeys.RESULTS).orElseThrow().size() > 1) {
            job.problem(
                    JobKeys.RESULTS,
                    "cluster is a result of each row, the others are of each pair; they need a job each");
        }
        Map<JobKey<?>, String> reasons = Map.of(
                JobKeys.TARGETS_PATH, "clusters are of the rows of one input",
                JobKeys.TARGETS_TABLE, "clusters are of the rows of one input",
                JobKeys.PARAMETERS, "no function is called",
                JobKeys.STRATEGY, "no function is called",
                JobKeys.VERIFY, "no function is called",
                JobKeys.BEST, "where can keep one row of each cluster: 'id = cluster'",
                JobKeys.OUTPUT_NEW_ONLY, "a new row may join two clusters",
                JobKeys.OUTPUT_SHARDS, "a cluster may reach into every part");
        reasons.forEach((key, reason) -> {
            if (job.has(key)) {
                job.problem(key, "%s is not for clusters: %s".formatted(key.path(), reason));
            }
        });
        if (job.given(JobKeys.OUTPUT_MODE).filter(SaveMode.APPEND::equals).isPresent()) {
            job.problem(JobKeys.OUTPUT_MODE, "output.mode is append; an output holds the clusters of one input");
        }
        pairedArgument(job);
    }

    private static void arguments(JobDocument job, List<BellmanFunction<?>> results) {
        BellmanFunction<?> first = results.get(0);
        List<String> names = argumentNames(first);
        Optional<List<String>> given = job.given(JobKeys.ARGUMENTS);
        PairingMode pairing = job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS);
        if (pairing == PairingMode.COLUMNS) {
            if (given.isPresent() && given.get().size() != names.size()) {
                job.problem(
                        JobKeys.ARGUMENTS,
                        "%s takes %d arguments (%s), not %d"
                                .formatted(
                                        first.name(),
                                        names.size(),
                                        String.join(", ", names),
                                        given.get().size()));
            }
            job.resolve(JobKeys.ARGUMENTS, names);
            return;
        }
        if (names.size() != 2) {
            job.problem(
                    JobKeys.PAIRING, "%s is not a function of pairs; pairing must be columns".formatted(first.name()));
        }
        pairedArgument(job);
    }

    /** The one argument of jobs that make the pairs. */
    private static void pairedArgument(JobDocument job) {
        Optional<List<String>> given = job.given(JobKeys.ARGUMENTS);
        if (given.isPresent() && given.get().size() != 1) {
            job.problem(
                    JobKeys.ARGUMENTS,
                    "with this pairing, arguments is one column or expression, applied to both sides");
        }
        boolean sequences = !job.has(JobKeys.INPUT_TABLE)
                && job.given(JobKeys.INPUT_FORMAT).map(Format::sequences).orElse(true);
        if (!job.has(JobKeys.ARGUMENTS) && !sequences) {
            job.problem(JobKeys.ARGUMENTS, "arguments is missing: the column or expression to pair");
        }
        job.resolve(JobKeys.ARGUMENTS, List.of("sequence"));
    }

    private static void parameters(JobDocument job, List<BellmanFunction<?>> results) {
        int arguments = argumentNames(results.get(0)).size();
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
                        "%s has no parameter '%s'; it has %s%s"
                                .formatted(
                                        results.stream()
                                                .map(BellmanFunction::name)
                                                .collect(Collectors.joining(", ")),
                                        name,
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
                            "parameters.%s is '%s'; it must be %s".formatted(name, value, type.sql())));
        });
    }

    /** Makes the parameter {@code scoring} of the keys of that section. */
    private static void scoring(JobDocument job) {
        if (!job.hasSection(JobKeys.SCORING_MATRIX)
                || job.given(JobKeys.SCORING_OPEN).isEmpty()) {
            return;
        }
        if (job.given(JobKeys.PROBLEM)
                .filter(problem -> !problem.equals(ScoreFunctions.ALIGNMENT))
                .isPresent()) {
            job.problem(JobKeys.SCORING_OPEN, "scoring is for problem: alignment");
            return;
        }
        Map<String, Object> parameters =
                new LinkedHashMap<>(job.given(JobKeys.PARAMETERS).orElse(Map.of()));
        Optional<Integer> match = job.given(JobKeys.SCORING_MATCH);
        Optional<Integer> mismatch = job.given(JobKeys.SCORING_MISMATCH);
        Optional<String> matrix = job.given(JobKeys.SCORING_MATRIX);
        boolean compares = matrix.isEmpty();
        if (compares ? match.isEmpty() || mismatch.isEmpty() : match.isPresent() || mismatch.isPresent()) {
            job.problem(JobKeys.SCORING_OPEN, "scoring needs either matrix, or match and mismatch");
            return;
        }
        if (compares && job.has(JobKeys.SCORING_OTHER)) {
            job.problem(
                    JobKeys.SCORING_OTHER,
                    "scoring.other is for letters that a matrix does not have; there is no matrix");
            return;
        }
        int open = job.given(JobKeys.SCORING_OPEN).get();
        int extend = job.given(JobKeys.SCORING_EXTEND).orElse(open);
        if (job.has(JobKeys.SCORING_DELETE_OPEN) != job.has(JobKeys.SCORING_DELETE_EXTEND)) {
            job.problem(
                    job.has(JobKeys.SCORING_DELETE_OPEN) ? JobKeys.SCORING_DELETE_OPEN : JobKeys.SCORING_DELETE_EXTEND,
                    "scoring.deleteOpen and scoring.deleteExtend need each other");
            return;
        }
        String gaps = job.given(JobKeys.SCORING_DELETE_OPEN)
                .flatMap(deleteOpen -> job.given(JobKeys.SCORING_DELETE_EXTEND)
                        .map(deleteExtend -> "insert open %d extend %d delete open %d extend %d"
                                .formatted(open, extend, deleteOpen, deleteExtend)))
                .orElse("open %d extend %d".formatted(open, extend));
        try {
            String scoring = "%s%s %s"
                    .formatted(
                            compares
                                    ? "match %d mismatch %d".formatted(match.get(), mismatch.get())
                                    : matrix(matrix.get()),
                            job.given(JobKeys.SCORING_OTHER)
                                    .map(other -> " other " + other)
                                    .orElse(""),
                            gaps);
            Scoring.of("scoring", scoring);
            Object given = parameters.put(SCORING, scoring);
            if (given != null && !given.equals(scoring)) {
                job.problem(
                        JobKeys.PARAMETERS,
                        SCORING,
                        "parameters.scoring is given, and so is scoring; leave one of them out");
            }
            job.complete(JobKeys.PARAMETERS, parameters);
        } catch (BellmanException e) {
            job.problem(
                    compares ? JobKeys.SCORING_MATCH : JobKeys.SCORING_MATRIX, Failures.withoutCode(e.getMessage()));
        }
    }

    /** A matrix by name, or one of a file, as scorings have it. */
    private static String matrix(String nameOrPath) {
        return SubstitutionMatrix.NAMES.contains(nameOrPath.toLowerCase(Locale.ROOT))
                ? nameOrPath
                : SubstitutionMatrix.parse(
                                nameOrPath,
                                text(
                                        nameOrPath,
                                        "matrix file",
                                        "; scoring.matrix is a path, or one of "
                                                + String.join(", ", SubstitutionMatrix.NAMES)))
                        .toText();
    }

    /** Checks that every parameter required to call a function is given. */
    private static void requiredParameters(JobDocument job, BellmanFunction<?> function) {
        Map<String, Object> given = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        List<String> missing = function.signatures().get(0).parameters().stream()
                .filter(Parameter::isSetting)
                .map(Parameter::name)
                .filter(name -> !given.containsKey(name))
                // its keys, if given, were checked already
                .filter(name -> !(name.equals(SCORING) && job.hasSection(JobKeys.SCORING_MATRIX)))
                .toList();
        if (!missing.isEmpty()) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "%s needs %s: parameters: {%s}"
                            .formatted(
                                    function.name(),
                                    String.join(" and ", missing),
                                    missing.stream().map(name -> name + ": ...").collect(Collectors.joining(", "))));
        }
    }

    /** Whether a parameter of that type accepts a value of a job file. */
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
        return type.equals(DataTypes.BooleanType) ? value instanceof Boolean : true;
    }
}
