package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.SecretOptions;
import dev.bellman.job.input.EarlyCheck;
import dev.bellman.job.output.OutputRules;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.progress.Milestones;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.run.JobRun;
import dev.bellman.job.spec.CommandName;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFlags;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.spec.JobKinds;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman run}: runs the jobs in a job file, or the one job that flags describe. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        abbreviateSynopsis = true,
        usageHelpWidth = 100,
        footer = {"", "--gpus N uses N GPUs of this host; " + CommandName.SPARK_OPTIONS},
        modelTransformer = JobFlags.Options.class,
        description = {
            "Runs the jobs of a job file, or one job defined by flags.",
            "Flags override keys of the job file. Relative paths are resolved against the working directory."
        })
public final class RunCommand implements Callable<Integer> {
    private final PrintWriter progressLines;

    /** The checked runs of jobs that have not started; only jobs on rows without an earlier job's output. */
    private final Map<Job, JobRun> checked = new HashMap<>();

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "JOB.yaml", description = "job file")
    private Optional<String> file;

    @Option(
            names = "--dry-run",
            description = "print the job, its input's schema, the expected time and, with --verbose, the plan; write "
                    + "nothing")
    private boolean dryRun;

    @Option(names = "--quiet", description = "print only errors; with --dry-run, hide only the progress")
    private boolean quiet;

    @Option(names = "--resume", description = "continue a killed run from its finished parts, tiles or iterations")
    private boolean resume;

    @Option(
            names = "--reports",
            paramLabel = "FILE",
            description = "also write the reports to this local file, as a JSON array")
    private Optional<Path> reports;

    @Option(names = "--help-keys", description = "list every key of a job file with its flag")
    private boolean helpKeys;

    /** @param progressLines receives progress lines */
    public RunCommand(PrintWriter progressLines) {
        this.progressLines = progressLines;
    }

    @Override
    public Integer call() {
        Milestones.reach("command line read");
        try {
            return run();
        } finally {
            if (isVerbose()) {
                Milestones.print(spec.commandLine().getErr());
            }
            Milestones.clear();
        }
    }

    private boolean isVerbose() {
        return spec.commandLine().getParseResult().matchedOptionValue("--verbose", false);
    }

    private int run() {
        if (helpKeys) {
            spec.commandLine().getOut().print(KeysCommand.text(JobKeys.all()));
            spec.commandLine().getOut().flush();
            return ExitCode.DONE.number();
        }
        SparkConf given = new SparkConf();
        SettingNames.check(given);
        WarmUp.gpu(given);
        PrintWriter out = quiet && !dryRun
                ? new PrintWriter(Writer.nullWriter())
                : spec.commandLine().getOut();
        JobFlags flags = new JobFlags(spec.commandLine().getParseResult());
        List<Job> jobs = file.map(path -> JobFile.read(path, flags)).orElseGet(() -> JobFile.ofFlags(flags));
        if (resume
                && jobs.stream()
                        .noneMatch(job -> job.find(JobKeys.OUTPUT_PARTS).orElse(1) > 1
                                || kind(job).isPresent())) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "--resume continues only runs in parts and jobs on one large input; set output.parts "
                            + "(--output-parts) to the same number as in the interrupted run");
        }
        if (!resume) {
            EarlyCheck.check(jobs, SparkHadoopUtil.get().newConfiguration(given));
        }
        Milestones.reach("inputs checked");
        String names = jobs.stream().map(job -> job.get(JobKeys.NAME)).collect(Collectors.joining(", "));
        try (Session session = Session.open("bellman: " + names);
                Progress progress = new Progress(
                        session.spark().sparkContext(),
                        quiet ? Progress.Style.NONE : Progress.Style.ofProcess(),
                        progressLines)) {
            warmUp(jobs, session);
            session.await();
            OutputRules.check(
                    jobs.stream()
                            .map(job -> job.paths(session.spark().newSession()))
                            .toList(),
                    session.spark().sparkContext().hadoopConfiguration());
            checkWriteOptions(jobs, session);
            Optional<ReportsFile> written =
                    reports.map(path -> new ReportsFile(path, spec.commandLine().getErr()));
            Consumer<String> reported = report -> written.ifPresent(all -> all.add(report));
            Function<Job, JobKind.Request> requests =
                    job -> new JobKind.Request(job, session.spark(), out, progress, resume, reported, command());
            if (jobs.size() > 1 && !resume && !dryRun) {
                checkAll(jobs, session, requests);
            }
            ExitCode code = ExitCode.DONE;
            for (Job job : jobs) {
                if (explained(job, session, () -> run(job, session.spark(), requests)) == ExitCode.QUARANTINED) {
                    code = ExitCode.QUARANTINED;
                }
                Milestones.reach("end of job " + job.get(JobKeys.NAME));
            }
            return code.number();
        }
    }

    /**
     * Starts to load everything that GPU queries need if a job may run on a GPU, and if the process can end before the
     * loading has finished.
     */
    private void warmUp(List<Job> jobs, Session session) {
        if (dryRun
                || !session.own()
                || jobs.stream().noneMatch(job -> kind(job).isEmpty() && job.get(JobKeys.ENGINE) != Engine.CPU)) {
            return;
        }
        boolean joins = jobs.stream().anyMatch(job -> job.find(JobKeys.PAIRING)
                .filter(PairingMode::isByDistance)
                .isPresent());
        if (ProcessEnd.canLeave(session.spark().sparkContext())) {
            WarmUp.gpuQueries(session.spark(), 1, joins, () -> {});
        } else {
            session.watch().ifPresent(executors -> executors.warmUp(session.spark(), joins));
        }
    }

    /**
     * Before the first job runs, checks that no output folder exists whose mode is {@code error}, and checks those jobs
     * that do not depend on earlier jobs.
     */
    private void checkAll(List<Job> jobs, Session session, Function<Job, JobKind.Request> requests) {
        mustBeNew(jobs, session);
        EarlyCheck.beforehand(jobs, session.spark().sparkContext().hadoopConfiguration()).stream()
                .filter(job -> kind(job).isEmpty())
                .forEach(job -> explained(job, session, () -> {
                    JobRun run = new JobRun(requests.apply(job));
                    run.check();
                    checked.put(job, run);
                    return ExitCode.DONE;
                }));
    }

    private ExitCode run(Job given, SparkSession spark, Function<Job, JobKind.Request> requests) {
        Job job = given.pinned(spark.newSession(), resume || given.get(JobKeys.OUTPUT_PARTS) > 1);
        JobKind.Request request = requests.apply(job);
        JobKind.Run run = Optional.<JobKind.Run>ofNullable(checked.remove(job))
                .orElseGet(() -> kind(job).map(kind -> kind.run(request)).orElseGet(() -> new JobRun(request)));
        if (dryRun) {
            run.describe(isVerbose());
            return ExitCode.DONE;
        }
        return run.run();
    }

    private static void checkWriteOptions(List<Job> jobs, Session session) {
        for (Job job : jobs) {
            Map<String, String> options = job.get(JobKeys.OUTPUT_OPTIONS);
            if (!options.isEmpty()) {
                explained(job, session, () -> {
                    if (job.outputTable(session.spark()).isEmpty()) {
                        job.get(JobKeys.OUTPUT_FORMAT)
                                .checkWriteOptions(session.spark(), options, job.get(JobKeys.OUTPUT_PATH));
                    }
                    return ExitCode.DONE;
                });
            }
        }
    }

    private static void mustBeNew(List<Job> jobs, Session session) {
        Configuration configuration = session.spark().sparkContext().hadoopConfiguration();
        for (Job job : jobs) {
            if (job.get(JobKeys.OUTPUT_MODE) == SaveMode.ERROR) {
                explained(job, session, () -> {
                    job.find(JobKeys.OUTPUT_PATH).ifPresent(path -> OutputRules.mustBeNew(path, configuration));
                    return ExitCode.DONE;
                });
            }
        }
    }

    private static ExitCode explained(Job job, Session session, Supplier<ExitCode> work) {
        try {
            return work.get();
        } catch (Exception | Error e) {
            throw Failures.ofJob(job.get(JobKeys.NAME), session.explain(e), e);
        }
    }

    /** Returns the command line, quoted for a shell. */
    private String command() {
        return spec.root().name() + " "
                + SecretOptions.redacted(
                                spec.root().commandLine().getParseResult().originalArgs())
                        .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
    }

    /** Returns the kind of a job; empty if each row is an instance. */
    private static Optional<JobKind> kind(Job job) {
        return JobKinds.of(job.get(JobKeys.PROBLEM));
    }
}
