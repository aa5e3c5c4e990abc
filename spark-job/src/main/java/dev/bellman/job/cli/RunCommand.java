package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.output.OutputRules;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.run.JobRun;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFlags;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.spec.JobKinds;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        modelTransformer = JobFlags.Options.class,
        description = {
            "Runs the jobs of a job file, or one given by flags alone.",
            "A flag overrides the key of the job file. Relative paths start at the working directory."
        })
public final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "JOB.yaml", description = "job file")
    private Optional<String> file;

    @Option(
            names = "--dry-run",
            description =
                    "print the resolved job, the schema of its input, the plan, the size of the input and the expected time, and"
                            + " write nothing")
    private boolean dryRun;

    @Option(names = "--quiet", description = "print results and errors, but no progress")
    private boolean quiet;

    @Option(
            names = "--resume",
            description =
                    "continue a killed run after the shards that it finished, see output.shards; or the table of one instance, with the tiles that it kept")
    private boolean resume;

    @Option(
            names = "--reports",
            paramLabel = "FILE",
            description = "also write the reports of the jobs to this local file, as a JSON array")
    private Optional<Path> reports;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        JobFlags flags = new JobFlags(spec.commandLine().getParseResult());
        List<Job> jobs = file.map(path -> JobFile.read(path, flags)).orElseGet(() -> JobFile.ofFlags(flags));
        if (resume
                && jobs.stream()
                        .noneMatch(job -> job.find(JobKeys.OUTPUT_SHARDS).orElse(1) > 1
                                || kind(job).isPresent())) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "--resume continues a run that had shards; give output.shards (--shards) as that run did");
        }
        String names = jobs.stream().map(job -> job.get(JobKeys.NAME)).collect(Collectors.joining(", "));
        try (Session session = Session.open("bellman: " + names);
                Progress progress = new Progress(
                        session.spark().sparkContext(),
                        quiet ? Progress.Style.NONE : Progress.Style.ofProcess(),
                        spec.commandLine().getErr())) {
            OutputRules.check(
                    jobs.stream()
                            .map(job -> job.paths(session.spark().newSession()))
                            .toList(),
                    session.spark().sparkContext().hadoopConfiguration());
            Optional<ReportsFile> written =
                    reports.map(path -> new ReportsFile(path, spec.commandLine().getErr()));
            Consumer<String> reported = report -> written.ifPresent(all -> all.add(report));
            ExitCode code = ExitCode.DONE;
            for (Job job : jobs) {
                if (run(job, session, out, progress, reported) == ExitCode.SET_ASIDE) {
                    code = ExitCode.SET_ASIDE;
                }
            }
            return code.number();
        }
    }

    private ExitCode run(Job given, Session session, PrintWriter out, Progress progress, Consumer<String> reported) {
        SparkSession spark = session.spark();
        try {
            Job job = given.pinned(spark.newSession(), resume || given.get(JobKeys.OUTPUT_SHARDS) > 1);
            JobKind.Request request = new JobKind.Request(job, spark, out, progress, resume, reported);
            JobKind.Run run = kind(job).map(kind -> kind.run(request)).orElseGet(() -> new JobRun(request));
            if (dryRun) {
                run.describe();
                return ExitCode.DONE;
            }
            return run.run();
        } catch (Exception | Error e) {
            BellmanException failure = session.explain(e);
            throw new BellmanException(
                    failure.code(),
                    "%s: %s".formatted(given.get(JobKeys.NAME), Failures.withoutCode(failure.getMessage())),
                    e);
        }
    }

    /** Empty if every row is an instance. */
    private static Optional<JobKind> kind(Job job) {
        return JobKinds.of(job.get(JobKeys.PROBLEM));
    }
}
