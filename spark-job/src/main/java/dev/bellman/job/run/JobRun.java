package dev.bellman.job.run;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.function.Catalogue;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.cluster.KeptData;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.input.JobInputs;
import dev.bellman.job.output.OutputNames;
import dev.bellman.job.output.PartedOutput;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.plan.JoinNotes;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.Descriptions;
import dev.bellman.job.report.Phases;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.report.Timeline;
import dev.bellman.job.report.Versions;
import dev.bellman.job.rows.FailingRow;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.rows.Instances;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.JobKind;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.join.JoinPlan;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Runs a job on many rows. */
public final class JobRun implements JobKind.Run {
    private final RunCycle cycle;
    private final Job job;
    private final SparkSession spark;
    private final Phases phases;
    private final Solver solver;
    /** The table that is written; empty if the output consists of files. */
    private final Optional<LakeTable> table;

    private final RunInput input;

    public JobRun(JobKind.Request request) {
        cycle = new RunCycle(request);
        job = cycle.job();
        spark = cycle.spark();
        input = new RunInput(job, spark);
        phases = cycle.phases();
        Counters counters = new Counters(spark.sparkContext());
        job.find(JobKeys.STRATEGY)
                .ifPresent(strategy -> spark.conf().set(job.get(JobKeys.PROBLEM).strategyKey(), strategy));
        if (job.get(JobKeys.ENGINE) == Engine.CPU) {
            spark.conf().set("spark.rapids.sql.enabled", "false");
        }
        table = job.outputTable(spark);
        BellmanFunctions.register(spark, new FunctionOptions(OnInvalid.FAIL, counters));
        solver = new Solver(cycle, counters, table);
    }

    @Override
    public void describe(boolean withPlan) {
        PrintWriter out = cycle.out();
        JobInputs inputs = new JobInputs(job, spark);
        List<InputReader.Opened> sources = inputs.open();
        if (!input.isInRows(sources)) {
            sources.forEach(source -> source.tellEmpty(this::note));
        }
        InstanceQuery query = input.query(sources);
        if (table.isEmpty()) {
            // fails for the same columns as the run
            RunOutput.writer(job, query);
        }
        String plan = query.planned().queryExecution().explainString(ExplainMode.fromString("formatted"));
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# input");
        out.print(Printable.lines(schema(sources.get(0))));
        sources.stream().skip(1).forEach(targets -> {
            out.println("# targets");
            out.print(Printable.lines(schema(targets)));
        });
        if (withPlan) {
            out.println("# plan");
            out.println(Printable.lines(plan.strip()));
        }
        out.println("# size");
        try {
            out.println("%s of input, %s".formatted(size(inputs), work(query, sources)));
        } catch (Exception e) {
            if (input.isInRows(sources)) {
                // if the input cannot be read, this fails with a clearer message
                sources.forEach(source -> source.tellEmpty(this::note));
            }
            // the estimate solves rows, so it can fail in the same way as the run
            throw FailingRow.row(Failures.explain(e), query);
        }
        out.flush();
    }

    /** Describes how much work the job is. For close pairs, uses the estimate that the join makes before its search. */
    private String work(InstanceQuery query, List<InputReader.Opened> sources) {
        Optional<JoinPlan> join =
                job.get(JobKeys.PAIRING).isByDistance() ? JoinNotes.estimate(spark, query::planned) : Optional.empty();
        if (join.isPresent()) {
            double seconds = join.get().seconds() / spark.sparkContext().defaultParallelism();
            return "%s%s"
                    .formatted(
                            JoinNotes.text(join.get()),
                            join.get().onGpu()
                                    ? ""
                                    : ", about %s to find the pairs on this machine"
                                            .formatted(Quantity.duration(Math.max(1, seconds))));
        }
        Estimate estimate = Estimate.of(query, Estimate.CLOCK);
        if (estimate.rows() == 0 && input.isInRows(sources)) {
            sources.forEach(source -> source.tellEmpty(this::note));
        }
        return estimate.toString();
    }

    /** Describes the size of the input: its tables, and the number of bytes in all files. */
    private static String size(JobInputs inputs) {
        Stream<String> tables = inputs.tables().stream().map(table -> "the table " + table);
        Stream<String> files =
                LongStream.of(inputs.bytes()).filter(bytes -> bytes > 0).mapToObj(Quantity::bytes);
        return Stream.concat(tables, files).collect(Collectors.joining(" and "));
    }

    private static String schema(InputReader.Opened source) {
        return InputColumns.unmarked(source.rows()).schema().treeString();
    }

    /** Checks the job against its input; the input may still change before the job runs. */
    public void check() {
        input.read(new JobInputs(job, spark)).query().planned();
    }

    @Override
    public ExitCode run() {
        try (Timeline timeline = new Timeline(spark.sparkContext());
                JoinNotes joins = new JoinNotes(spark.sparkContext(), this::note);
                KeptData keep = new KeptData()) {
            return cycle.run(folder(), new Steps(timeline, joins, keep));
        }
    }

    private RunCycle.Folder folder() {
        int parts = job.get(JobKeys.OUTPUT_PARTS);
        return new RunCycle.Folder(
                job.get(table.isPresent() ? JobKeys.OUTPUT_REPORTS : JobKeys.OUTPUT_PATH),
                RunOutput.modeOfFolder(job, table),
                parts == 1
                        ? StagedOutput.Parts.NONE
                        : cycle.resumes() ? StagedOutput.Parts.RESUMED : StagedOutput.Parts.NEW);
    }

    /** The steps of a run on many rows. */
    private final class Steps implements RunCycle.Steps {
        private final Timeline timeline;
        private final JoinNotes joins;
        private final KeptData keep;

        Steps(Timeline timeline, JoinNotes joins, KeptData keep) {
            this.timeline = timeline;
            this.joins = joins;
            this.keep = keep;
        }

        @Override
        public Optional<String> leftAsItIs(StagedOutput files) {
            RunOutput output = new RunOutput(job, spark, table, files);
            return output.isLeftAsItIs() ? Optional.of(output.name()) : Optional.empty();
        }

        @Override
        public void begin(StagedOutput files) {
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                EngineCheck.requirePlugin(spark);
            }
        }

        @Override
        public ExitCode solve(StagedOutput files, Provenance provenance) {
            RunOutput output = new RunOutput(job, spark, table, files);
            InstanceQuery.Prepared prepared = prepare(wanted(output, provenance.inputs()));
            Optional<PartedOutput> inParts = inParts(files, provenance);
            Outcome outcome = inParts.isEmpty()
                    ? solver.solve(prepared.query(), output)
                    : solver.solveInParts(prepared.query(), inParts.get(), output, provenance);
            if (job.get(JobKeys.OUTPUT_SKIP_EXISTING)
                    && output.exists()
                    && outcome.rowsOut() + outcome.quarantined() == 0) {
                note("no new rows; the output %s is unchanged%s"
                        .formatted(output.name(), outcome.withNull() == 0 ? "" : waiting(outcome.withNull())));
                files.discard();
                return ExitCode.DONE;
            }
            Report report = report(prepared, outcome, output, provenance);
            Preview preview = table.map(Preview::of)
                    .or(() -> output.written(prepared.query(), outcome.rowsOut())
                            .map(rows ->
                                    Preview.of(rows, prepared.query().results().schema())))
                    .orElseGet(() -> Preview.of(files.folder(), job.get(JobKeys.OUTPUT_FORMAT), cycle.hadoop()));
            String json = report.json();
            publish(output, report.outcome(), json, inParts);
            cycle.reported(json);
            show(prepared, preview, output, report);
            return outcome.quarantined() > 0 ? ExitCode.QUARANTINED : ExitCode.DONE;
        }

        private InstanceQuery wanted(RunOutput output, JobInputs inputs) {
            InstanceQuery wanted = cycle.phase("input", () -> {
                RunInput.Read read = input.read(inputs);
                input.measure();
                read.notes().forEach(JobRun.this::note);
                InstanceQuery all = read.query();
                all.instances().startCounting();
                Instances some = output.wanted(all.instances());
                return some == all.instances() ? all : new InstanceQuery(some);
            });
            output.mustFit(wanted);
            if (job.get(JobKeys.ENGINE) == Engine.GPU && !job.isClustering()) {
                EngineCheck.requireGpuPlan(spark, wanted.functionNames(), () -> job.fitted(wanted.results()));
            }
            return wanted;
        }

        /** Runs the part of the work that needs several queries. */
        private InstanceQuery.Prepared prepare(InstanceQuery wanted) {
            InstanceQuery.Prepared prepared;
            cycle.progress().begin(job.get(JobKeys.NAME), OptionalLong.empty());
            try {
                prepared = cycle.phase("solve", () -> wanted.prepared(keep));
            } finally {
                cycle.progress().end();
            }
            if (job.get(JobKeys.ENGINE) == Engine.GPU && job.isClustering()) {
                timeline.settle();
                joins.requireGpu();
            }
            return prepared;
        }

        private Report report(
                InstanceQuery.Prepared prepared, Outcome outcome, RunOutput output, Provenance provenance) {
            Optional<Verifier.Agreement> verified = cycle.phase("verify", () -> output.verify(prepared.query()));
            timeline.settle();
            Map<String, Object> machine =
                    timeline.machine(cycle.described("solve"), phases.of("solve") - solver.secondsOfKilled());
            Optional<ThroughputLimit> limit = cycle.named(
                    "report",
                    () -> ThroughputLimit.of(job, outcome, phases.of("solve"), machine, spark.sparkContext()));
            return new Report(
                    job,
                    cycle.origin(),
                    outcome,
                    Catalogue.strategy(
                            job.get(JobKeys.PROBLEM), key -> spark.conf().get(key, null)),
                    verified,
                    phases,
                    provenance.fingerprint(),
                    Versions.of(spark, EngineCheck.hasPlugin(spark)),
                    machine,
                    limit,
                    EngineCheck.hasPlugin(spark),
                    cycle.phase("report", () -> details(prepared, outcome, output, timeline, joins)));
        }
    }

    private static String waiting(long withNull) {
        return withNull == 1
                ? "; 1 row with a NULL argument is left for a later run"
                : "; %,d rows with a NULL argument are left for a later run".formatted(withNull);
    }

    private Optional<PartedOutput> inParts(StagedOutput files, Provenance provenance) {
        int parts = job.get(JobKeys.OUTPUT_PARTS);
        return parts == 1
                ? Optional.empty()
                : Optional.of(PartedOutput.open(
                        files,
                        parts,
                        job.get(JobKeys.OUTPUT_SKIP_EXISTING)
                                ? provenance.fingerprint(files.present())
                                : provenance.fingerprint(),
                        this::note));
    }

    private void publish(RunOutput output, Outcome outcome, String report, Optional<PartedOutput> inParts) {
        try {
            cycle.publish(output.files(), report, () -> inParts.ifPresent(PartedOutput::complete));
        } catch (BellmanException e) {
            if (table.isEmpty() || outcome.quarantined() > 0) {
                throw e;
            }
            // the run has succeeded once its rows are written, even if its report is missing
            note("the rows are in the table %s, but the report could not be written: %s"
                    .formatted(output.name(), Failures.withoutCode(e.getMessage())));
        }
    }

    /**
     * Returns further parts of the report, such as the timeline, the distributions of the results, and the reasons for
     * bad rows.
     */
    private Map<String, Object> details(
            InstanceQuery.Prepared prepared, Outcome outcome, RunOutput output, Timeline timeline, JoinNotes joins) {
        InstanceQuery query = prepared.query();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("timeline", timeline.describe(cycle.origin().started().toEpochMilli()));
        if (job.get(JobKeys.PAIRING).isByDistance()) {
            details.put("joins", joins.describe());
        }
        prepared.clusters().ifPresent(clusters -> details.put("clusters", clusters.describe()));
        Distributions distributions = new Distributions(job);
        if (!job.isClustering()) {
            details.putAll(input.sizes(query, this::note));
        }
        StructType schema = query.results().schema();
        details.putAll(output.written(query, outcome.rowsOut())
                .map(rows -> distributions.results(schema, rows))
                .orElseGet(() -> distributions.results(
                        output.files().folder(),
                        schema,
                        outcome.rowsOut(),
                        cycle.hadoop(),
                        files -> output.readBack(query, output.files().folder(), files))));
        if (outcome.quarantined() > 0) {
            details.putAll(Distributions.reasons(output.badRows(output.files().folder())));
        }
        return details;
    }

    private void note(String text) {
        cycle.note(text);
    }

    /**
     * Prints a summary of an output, which has already been published. Therefore, errors must not make the run fail.
     */
    private void show(InstanceQuery.Prepared prepared, Preview preview, RunOutput output, Report report) {
        PrintWriter out = cycle.out();
        String path = output.files().path();
        String rows = prepared.clusters()
                .map(Preview::of)
                .orElseGet(() -> cycle.named(
                        "preview", () -> preview.table(path, files -> output.readBack(prepared.query(), path, files))));
        out.print(Printable.lines(rows));
        out.println("%s: %s".formatted(Printable.text(job.get(JobKeys.NAME)), report.summary()));
        prepared.clusters().ifPresent(clusters -> {
            out.println("  " + Printable.text(clusters.toString()));
            DataType type =
                    prepared.query().results().schema().apply(Clusters.CLUSTER).dataType();
            boolean isText =
                    job.find(JobKeys.INPUT_FORMAT).filter(Format::isText).isPresent();
            if (isText && clusters.hasNumbers() && type.equals(DataTypes.StringType)) {
                out.println("  the ids are numbers but were read as strings, so a cluster with the ids 9 and 10 is "
                        + "identified by 10; use --input-option inferSchema=true to read numbers");
            }
        });
        report.limit().ifPresent(limit -> out.println("  limit    " + limit));
        out.println("  results  %s (%s)"
                .formatted(
                        output.name(),
                        job.find(JobKeys.OUTPUT_FORMAT).map(Format::name).orElse("table")));
        if (report.outcome().quarantined() > 0) {
            out.println("  quarantine %s/%s".formatted(output.files().display(), OutputNames.QUARANTINE));
        }
        out.println("  report   " + Report.page(output.files()));
        out.flush();
    }
}
