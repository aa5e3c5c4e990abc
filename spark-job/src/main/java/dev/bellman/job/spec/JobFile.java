package dev.bellman.job.spec;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.output.SaveMode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a job file, that is, YAML with one job per document. Command-line flags override its values. {@link JobKeys}
 * lists the keys, and the classes whose names end in {@code Rules} check combinations of keys.
 */
public final class JobFile {
    private static final Pattern PLAIN_NAME = Pattern.compile("(?!\\.{1,2}$)(?=.*\\S)[^/\\\\\\p{Cntrl}]+");

    /** The text that messages show instead of the file's name and line if all keys come from flags. */
    static final String COMMAND_LINE = "command line";

    private final String file;
    private final List<String> problems = new ArrayList<>();

    private JobFile(String file) {
        this.file = file;
    }

    /**
     * Reads the jobs in a file at a local path or a Hadoop path ({@code s3a://...}).
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE}, with the line and column of every problem;
     *     {@link ErrorCode#BELLMAN_USAGE} if only flags are invalid
     */
    public static List<Job> read(String path, JobFlags flags) {
        String fileName = path.substring(path.lastIndexOf('/') + 1);
        return parse(
                path,
                fileName.replaceAll("\\.(ya?ml|json)$", ""),
                TextFile.readOrAwait(path, "job file", "; relative paths are resolved against the working directory"),
                flags);
    }

    /** Creates a job from flags only. */
    public static List<Job> ofFlags(JobFlags flags) {
        return parse(COMMAND_LINE, "job", "{}", flags);
    }

    public static List<Job> parse(String file, String defaultName, String text, JobFlags flags) {
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
            reader.problems.add(file + ":1:1: this file contains no job");
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
        Optional<JobKind> kind = job.given(JobKeys.PROBLEM).flatMap(JobKinds::of);
        List<BellmanFunction<?>> results = kind.isPresent() ? List.of() : FunctionRules.results(job);
        PairingRules.mode(job);
        Scope.check(job);
        FunctionRules.strategy(job);
        PlaceRules.input(job, JobKeys.INPUT_PATH, JobKeys.INPUT_TABLE, JobKeys.INPUT_FORMAT);
        if (job.hasSection(JobKeys.TARGETS_PATH)) {
            PlaceRules.input(job, JobKeys.TARGETS_PATH, JobKeys.TARGETS_TABLE, JobKeys.TARGETS_FORMAT);
        }
        JobKeys.otherInputs().forEach(input -> input.check(job));
        PlaceRules.output(job);
        JobKeys.allOptions().forEach(options -> PlaceRules.options(job, options));
        PlaceRules.rowTag(job, JobKeys.INPUT_FORMAT, JobKeys.INPUT_OPTIONS);
        PlaceRules.rowTag(job, JobKeys.TARGETS_FORMAT, JobKeys.TARGETS_OPTIONS);
        PlaceRules.rowTag(job, JobKeys.OUTPUT_FORMAT, JobKeys.OUTPUT_OPTIONS);
        if (kind.isEmpty()) {
            PairingRules.pairing(job, results);
        }
        JobKinds.check(job, kind);
        if (job.is(JobKeys.OUTPUT_SKIP_EXISTING, Boolean::booleanValue)
                && !job.is(JobKeys.OUTPUT_MODE, SaveMode.APPEND::equals)) {
            job.problem(
                    JobKeys.OUTPUT_SKIP_EXISTING,
                    "output.skipExisting applies only to rows that are appended to an output; set output.mode: append");
        }
        if (job.is(JobKeys.RESTRICTED, Boolean::booleanValue)) {
            Restricted.check(job);
            Restricted.parameters(job, results);
        }
        ScoringRules.check(job);
        if (PairingRules.isClustering(job)) {
            PairingRules.clusters(job);
        } else if (!results.isEmpty()) {
            FunctionRules.engine(job, results);
            FunctionRules.files(job, results);
            FunctionRules.arguments(job, results);
            FunctionRules.parameters(job, results);
            int before = problems.size();
            results.forEach(function -> FunctionRules.requiredParameters(job, function));
            if (problems.size() == before) {
                results.stream()
                        .filter(function -> !Job.isOfScore(
                                function, job.given(JobKeys.PROBLEM).orElseThrow()))
                        .forEach(function -> FunctionRules.dependentParameters(job, function));
            }
            FunctionRules.ofScores(job, results);
        }
        return problems.size() > problemsBefore ? Optional.empty() : Optional.of(new Job(job.values(), results));
    }

    /** Checks the name of the job, which may become the name of a folder. */
    private static void name(JobDocument job) {
        job.given(JobKeys.NAME)
                .filter(name -> !PLAIN_NAME.matcher(name).matches())
                .ifPresent(name -> job.problem(
                        JobKeys.NAME,
                        ("name is '%s'; it must not be blank, . or .., or contain slashes, backslashes or control "
                                        + "characters")
                                .formatted(name)));
    }
}
