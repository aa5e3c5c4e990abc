package dev.bellman.job;

import static org.apache.spark.sql.functions.col;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.job.cluster.KeptData;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.output.ShardedOutput;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.progress.Progress;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.ReportPage;
import dev.bellman.job.report.Timeline;
import dev.bellman.job.table.CountedRows;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.text.RecordFormat;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.types.StructType;

/** One run of one job, in its own session: a job's strategy, functions and settings do not affect the next one. */
final class JobRun {
    private static final String BAD_ROWS = "_bellman/bad_rows";
    private static final String VERIFIED = "_bellman/verified";
    private static final String REPORT = "_bellman/report.json";
    private static final String PAGE = "_bellman/report.html";
    /** Errors for a folder with nothing to read. */
    private static final List<String> NO_FILES = List.of("UNABLE_TO_INFER_SCHEMA", "PATH_NOT_FOUND");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Job job;
    private final SparkSession spark;
    private final PrintWriter out;
    private final Progress progress;
    private final boolean resume;
    private final Consumer<String> reported;
    private final Counters counters;
    /** The table to write, if the output is not files. */
    private final Optional<LakeTable> table;

    private final Phases phases = new Phases();
    private final Instant started = Instant.now();
    /** Spent on solving by earlier runs that this one continues. */
    private double secondsOfKilled;

    /** @param reported takes the report of a run that is committed */
    JobRun(
            Job job,
            SparkSession parent,
            PrintWriter out,
            Progress progress,
            boolean resume,
            Consumer<String> reported) {
        this.job = job;
        this.spark = parent.newSession();
        this.out = out;
        this.progress = progress;
        this.resume = resume;
        this.reported = reported;
        this.counters = new Counters(parent.sparkContext());
        job.find(JobKeys.STRATEGY)
                .ifPresent(strategy -> spark.conf().set(job.get(JobKeys.PROBLEM).strategyKey(), strategy));
        if (job.get(JobKeys.ENGINE) == Engine.CPU) {
            spark.conf().set("spark.rapids.sql.enabled", "false");
        }
        this.table = job.outputTable(spark);
        BellmanFunctions.register(spark, new FunctionOptions(OnInvalid.FAIL, counters));
    }

    /** Prints what the job would do, without doing it. */
    void describe() {
        Dataset<Row> input = input();
        Optional<Dataset<Row>> targets = targets();
        InstanceQuery query = new InstanceQuery(InstanceInput.read(job, input, targets));
        String plan = query.planned().queryExecution().explainString(ExplainMode.fromString("formatted"));
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# input");
        out.print(Printable.lines(InputColumns.unmarked(input).schema().treeString()));
        targets.ifPresent(rows -> {
            out.println("# targets");
            out.print(Printable.lines(InputColumns.unmarked(rows).schema().treeString()));
        });
        out.println("# plan");
        out.println(Printable.lines(plan.strip()));
        out.println("# size");
        out.println(size(query));
        out.flush();
    }

    /** How much work it is: for close pairs, as the join estimates before it searches. */
    private String size(InstanceQuery query) {
        return JoinNotes.estimate(spark, query::planned)
                .map(join -> "%s of input, %s".formatted(inputSize(), JoinNotes.text(join)))
                .orElseGet(() -> "%s of input, %s".formatted(inputSize(), Estimate.of(query)));
    }

    /** The bytes of all files, or the tables. */
    private String inputSize() {
        long bytes = 0;
        List<String> tables = new ArrayList<>();
        for (Job.Source source : job.sources()) {
            if (source.lakeTable(spark).isPresent()) {
                tables.add("the table " + source);
            } else {
                bytes += InputFiles.of(source, hadoop()).bytes();
            }
        }
        if (bytes > 0) {
            tables.add(Quantity.bytes(bytes));
        }
        return String.join(" and ", tables);
    }

    private Dataset<Row> input() {
        return InputReader.read(spark, job.input(), job.get(JobKeys.BAD_ROWS), this::note);
    }

    private Optional<Dataset<Row>> targets() {
        return job.targets().map(source -> InputReader.read(spark, source, job.get(JobKeys.BAD_ROWS), this::note));
    }

    /** Times a part of the run; Spark's UI lists its jobs under the part's name. */
    private <T> T phase(String name, Supplier<T> work) {
        return named(name, () -> phases.time(name, work));
    }

    /** The name of a part of the run in Spark's UI. */
    private String described(String name) {
        return "%s: %s".formatted(job.get(JobKeys.NAME), name);
    }

    private <T> T named(String name, Supplier<T> work) {
        spark.sparkContext().setJobDescription(described(name));
        try {
            return work.get();
        } finally {
            spark.sparkContext().setJobDescription(null);
        }
    }

    /** The rows of the output, in a form that its format can hold. */
    private Dataset<Row> results(InstanceQuery query) {
        return job.fitted(query.results());
    }

    /** Runs the job and prints a few of its results. */
    ExitCode run() {
        try (Timeline timeline = new Timeline(spark.sparkContext());
                JoinNotes joins = new JoinNotes(spark.sparkContext(), this::note);
                KeptData keep = new KeptData()) {
            return run(timeline, joins, keep);
        }
    }

    private ExitCode run(Timeline timeline, JoinNotes joins, KeptData keep) {
        int shards = job.get(JobKeys.OUTPUT_SHARDS);
        Optional<Provenance> resumed = resume ? Optional.of(Provenance.of(job, spark)) : Optional.empty();
        try (StagedOutput output = StagedOutput.open(
                job.get(table.isPresent() ? JobKeys.OUTPUT_REPORTS : JobKeys.OUTPUT_PATH),
                modeOfFolder(),
                shards == 1 ? StagedOutput.Shards.NONE : resume ? StagedOutput.Shards.RESUMED : StagedOutput.Shards.NEW,
                resumed.map(Provenance::fingerprint),
                hadoop(),
                this::note)) {
            if (output.isMade()) {
                note("there is nothing to resume: the output %s has the rows of this job already"
                        .formatted(output.display()));
                return ExitCode.DONE;
            }
            if (output.ignored() || table.filter(this::isLeftAsItIs).isPresent()) {
                note("the output %s exists, nothing done".formatted(name(output)));
                return ExitCode.DONE;
            }
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                EngineCheck.requirePlugin(spark);
            }
            Provenance provenance = resumed.orElseGet(() -> Provenance.of(job, spark));
            InstanceQuery wanted = phase(
                    "input", () -> new InstanceQuery(wanted(InstanceInput.read(job, input(), targets()), output)));
            if (table.isPresent()) {
                table.get().mustBeTransactional();
                Appending.mustFit(job, table.get(), results(wanted));
            } else if (job.get(JobKeys.OUTPUT_MODE) == SaveMode.APPEND && output.exists()) {
                new Appending(job, output).mustFit(spark, results(wanted));
            }
            if (job.get(JobKeys.ENGINE) == Engine.GPU && !job.isClustering()) {
                EngineCheck.requireGpuPlan(spark, wanted.functionNames(), () -> results(wanted));
            }
            InstanceQuery.Prepared prepared = prepare(wanted, keep);
            InstanceQuery query = prepared.query();
            if (job.get(JobKeys.ENGINE) == Engine.GPU && job.isClustering()) {
                timeline.settle();
                joins.requireGpu();
            }
            Optional<ShardedOutput> sharded = shards == 1
                    ? Optional.empty()
                    : Optional.of(ShardedOutput.open(
                            output,
                            shards,
                            job.get(JobKeys.OUTPUT_NEW_ONLY)
                                    ? provenance.fingerprint(output.present())
                                    : provenance.fingerprint(),
                            this::note));
            Part part = sharded.isEmpty()
                    ? solve(query, output.folder(), job.get(JobKeys.NAME), output)
                    : solveInShards(query, sharded.get(), output, provenance);
            if (job.get(JobKeys.OUTPUT_NEW_ONLY) && exists(output) && part.rowsOut + part.setAside == 0) {
                note("nothing is new: the output %s is as it was".formatted(name(output)));
                output.discard();
                return ExitCode.DONE;
            }
            Optional<Verifier.Agreement> verified = phase("verify", () -> verify(query, output));
            timeline.settle();
            Map<String, Object> machine = timeline.machine(described("solve"), phases.of("solve") - secondsOfKilled);
            Optional<Limit> limit = named("report", () -> limit(part, machine));
            Report report = new Report(
                    job,
                    started,
                    part.solved + part.setAside,
                    part.rowsOut,
                    part.setAside,
                    part.cells,
                    part.chosen,
                    part.engines,
                    spark.conf().get(job.get(JobKeys.PROBLEM).strategyKey(), "auto"),
                    verified,
                    phases,
                    provenance.fingerprint(),
                    machine,
                    limit,
                    EngineCheck.hasPlugin(spark),
                    phase("report", () -> details(prepared, part, output, timeline, joins)));
            Preview preview = table.map(Preview::of)
                    .orElseGet(() -> Preview.of(output.folder(), job.get(JobKeys.OUTPUT_FORMAT), hadoop()));
            publish(output, report, sharded);
            reported.accept(report.json());
            show(prepared, preview, output, report);
            return part.setAside > 0 ? ExitCode.SET_ASIDE : ExitCode.DONE;
        }
    }

    private void publish(StagedOutput output, Report report, Optional<ShardedOutput> sharded) {
        try {
            output.write(StagedOutput.run(TIME.format(started)), report.json());
            output.write(REPORT, report.json());
            output.write(PAGE, ReportPage.of(report.json()));
            sharded.ifPresent(ShardedOutput::complete);
            output.commit();
        } catch (BellmanException e) {
            if (table.isEmpty() || report.rowsSetAside() > 0) {
                throw e;
            }
            // the rows are there, which decides how the run ended
            note("the rows are in the table %s, but the report is not there: %s"
                    .formatted(name(output), Failures.withoutCode(e.getMessage())));
        }
    }

    /** The mode of the folder beside a table, which keeps the reports as long as the table keeps their rows. */
    private SaveMode modeOfFolder() {
        SaveMode mode = job.get(JobKeys.OUTPUT_MODE);
        return table.isEmpty() || mode == SaveMode.OVERWRITE && !table.get().replacesPart() ? mode : SaveMode.APPEND;
    }

    /** Whether there is nothing to do, because a table exists; an error if it must not exist. */
    private boolean isLeftAsItIs(LakeTable written) {
        SaveMode mode = job.get(JobKeys.OUTPUT_MODE);
        if (mode != SaveMode.ERROR && mode != SaveMode.IGNORE || !written.exists()) {
            return false;
        }
        if (mode == SaveMode.ERROR) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_EXISTS,
                    "the output %s exists; choose another, or set output.mode (--mode) to overwrite or append"
                            .formatted(written.display()));
        }
        return true;
    }

    private boolean exists(StagedOutput output) {
        return table.map(LakeTable::exists).orElseGet(output::exists);
    }

    /** The output in messages. */
    private String name(StagedOutput output) {
        return table.map(LakeTable::display).orElseGet(output::display);
    }

    /** What the report's page shows beside the numbers. */
    private Map<String, Object> details(
            InstanceQuery.Prepared prepared, Part part, StagedOutput output, Timeline timeline, JoinNotes joins) {
        InstanceQuery query = prepared.query();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("timeline", timeline.describe(started.toEpochMilli()));
        if (job.get(JobKeys.PAIRING).isByDistance()) {
            details.put("joins", joins.describe());
        }
        prepared.clusters().ifPresent(clusters -> details.put("clusters", clusters.describe()));
        Distributions distributions = new Distributions(job);
        if (!job.isClustering()) {
            details.putAll(distributions.sizes(query));
        }
        details.putAll(distributions.results(
                output.folder(),
                query.results().schema(),
                part.rowsOut,
                hadoop(),
                files -> readBack(query, output.folder(), files)));
        if (part.setAside > 0) {
            details.putAll(
                    Distributions.reasons(spark.read().parquet(PathPattern.literal(output.folder() + "/" + BAD_ROWS))));
        }
        return details;
    }

    /** What the machine would allow, if all functions ran on one engine. */
    private Optional<Limit> limit(Part part, Map<String, Object> machine) {
        if (part.solved + part.setAside == 0) {
            return Optional.empty();
        }
        double cellsPerSecond = part.cells / phases.of("solve");
        if (part.engines.values().stream().allMatch(Engine.CPU::equals)) {
            return Limit.ofCores(
                    (Integer) machine.get("cores"),
                    ((Number) machine.get("coresBusy")).doubleValue(),
                    ((Number) machine.get("cpuOfBusy")).doubleValue(),
                    cellsPerSecond);
        }
        // with a limit on distances, cells are left out
        boolean everyCell =
                job.find(JobKeys.MAX).isEmpty() && !job.get(JobKeys.PARAMETERS).containsKey("max");
        return everyCell && part.engines.values().stream().allMatch(Engine.GPU::equals)
                ? Limit.ofGpus(spark.sparkContext(), part.engines.keySet(), cellsPerSecond)
                : Optional.empty();
    }

    /** Does the part of the work that takes several queries. */
    private InstanceQuery.Prepared prepare(InstanceQuery query, KeptData keep) {
        progress.begin(job.get(JobKeys.NAME), OptionalLong.empty());
        try {
            return phase("solve", () -> query.prepared(keep));
        } finally {
            progress.end();
        }
    }

    /** The instances to solve: all, or those that the output does not have yet. */
    private Instances wanted(Instances all, StagedOutput output) {
        if (!job.get(JobKeys.OUTPUT_NEW_ONLY)) {
            return all;
        }
        List<String> ids = all.keys();
        return Stream.of(
                        table.isPresent()
                                ? table.filter(LakeTable::exists).map(LakeTable::read)
                                : existing(
                                        () -> readBack(new InstanceQuery(all), output.path(), List.of(output.path())),
                                        output),
                        existing(
                                () -> spark.read()
                                        .parquet(PathPattern.literal(output.path() + "/" + BAD_ROWS))
                                        // a malformed record has no id
                                        .where(col("record").isNull()),
                                output))
                .flatMap(Optional::stream)
                .map(rows -> rows.select(ids.stream()
                        .map(id -> InputColumns.find(rows, id)
                                .map(InputColumns::column)
                                .orElseThrow(() -> InputColumns.missing(
                                        "output.newOnly: the output %s has".formatted(name(output)), rows, id)))
                        .toArray(Column[]::new)))
                .reduce(all.identified(), Instances::without, (one, other) -> other);
    }

    /** The existing rows of an output; nothing if it has no files. */
    private static Optional<Dataset<Row>> existing(Supplier<Dataset<Row>> rows, StagedOutput output) {
        if (!output.exists()) {
            return Optional.empty();
        }
        try {
            return Optional.of(rows.get());
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis && NO_FILES.contains(analysis.getCondition())) {
                return Optional.empty();
            }
            throw Failures.explain(e);
        }
    }

    private Part solveInShards(InstanceQuery query, ShardedOutput shards, StagedOutput output, Provenance provenance) {
        int count = job.get(JobKeys.OUTPUT_SHARDS);
        Part all = Part.NONE;
        for (int i = 0; i < count; i++) {
            Optional<Part> before = shards.finished(i).map(Part::of);
            before.ifPresent(part -> {
                phases.add("solve", part.seconds);
                secondsOfKilled += part.seconds;
            });
            if (before.isEmpty()) {
                String name = "%s, shard %d of %d".formatted(job.get(JobKeys.NAME), i + 1, count);
                Part part = solve(new InstanceQuery(query.instances().shard(i, count)), shards.folder(i), name, output);
                // every shard reads the input again
                provenance.inputMustBeUnchanged();
                shards.finish(i, part.summary());
                before = Optional.of(part);
            }
            all = all.and(before.get());
        }
        return all;
    }

    /** The outcome of solving some instances. */
    private record Part(
            long solved,
            long rowsOut,
            long setAside,
            long cells,
            Map<String, Long> chosen,
            double seconds,
            Map<String, Engine> engines) {
        private static final Part NONE = new Part(0, 0, 0, 0, Map.of(), 0, Map.of());

        Part and(Part other) {
            Map<String, Engine> both = new LinkedHashMap<>(engines);
            // a function that ran on both engines did not run on the GPU
            other.engines.forEach(
                    (name, engine) -> both.merge(name, engine, (one, two) -> one == two ? one : Engine.CPU));
            Map<String, Long> chosenByBoth = new TreeMap<>(chosen);
            other.chosen.forEach((strategy, rows) -> chosenByBoth.merge(strategy, rows, Long::sum));
            return new Part(
                    solved + other.solved,
                    rowsOut + other.rowsOut,
                    setAside + other.setAside,
                    cells + other.cells,
                    chosenByBoth,
                    seconds + other.seconds,
                    both);
        }

        Map<String, Object> summary() {
            Map<String, String> names = new LinkedHashMap<>();
            engines.forEach((name, engine) -> names.put(name, engine.name()));
            return Map.of(
                    "solved", solved,
                    "rowsOut", rowsOut,
                    "setAside", setAside,
                    "cells", cells,
                    "chosen", chosen,
                    "seconds", seconds,
                    "engines", names);
        }

        static Part of(Map<String, Object> summary) {
            Map<String, Engine> engines = new LinkedHashMap<>();
            ((Map<?, ?>) summary.get("engines"))
                    .forEach((name, engine) -> engines.put((String) name, Engine.valueOf((String) engine)));
            Map<String, Long> chosen = new TreeMap<>();
            ((Map<?, ?>) summary.get("chosen"))
                    .forEach((strategy, rows) -> chosen.put((String) strategy, ((Number) rows).longValue()));
            return new Part(
                    number(summary, "solved").longValue(),
                    number(summary, "rowsOut").longValue(),
                    number(summary, "setAside").longValue(),
                    number(summary, "cells").longValue(),
                    chosen,
                    number(summary, "seconds").doubleValue(),
                    engines);
        }

        private static Number number(Map<String, Object> summary, String name) {
            return (Number) summary.get(name);
        }
    }

    /** @param what the name of the work, for progress output */
    private Part solve(InstanceQuery query, String folder, String what, StagedOutput output) {
        counters.reset();
        double secondsBefore = phases.of("solve");
        progress.begin(
                what,
                phase("count", () -> progress.isShown() ? query.instances().total() : OptionalLong.empty()));
        try {
            Optional<Long> before = Optional.empty();
            if (table.isPresent()) {
                // a table's commit is the end of the run: bad rows are beside it before
                before = Optional.of(phase("bad rows", () -> setAside(query, Optional.empty(), folder, output)));
                counters.reset();
                if (job.get(JobKeys.OUTPUT_NEW_ONLY)
                        && exists(output)
                        && query.instances().first(1).isEmpty()) {
                    return new Part(0, 0, before.get(), 0, Map.of(), 0, Map.of());
                }
            }
            Written written = phase(
                    "solve",
                    () -> table.isPresent() ? write(query, table.get(), output) : write(query, folder, output));
            FinalPlan plan = written.plan;
            long cells = counters.cells();
            Map<String, Long> chosen = counters.choices();
            EngineCheck engines = new EngineCheck(plan);
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                engines.requireGpu(query.functionNames(), query.results());
            }
            long setAside =
                    before.orElseGet(() -> phase("bad rows", () -> setAside(query, Optional.of(plan), folder, output)));
            long rowsOut = written.rows.orElseGet(() ->
                    readBack(query, output.folder(), List.of(output.folder())).count());
            long solved = Choice.isMade(job)
                    ? plan.filtered(Choice.SOLVED)
                            .map(FinalPlan.Filtered::seen)
                            .orElseGet(() -> query.instances().rows().count())
                    : rowsOut;
            return new Part(
                    solved,
                    rowsOut,
                    setAside,
                    cells,
                    chosen,
                    phases.of("solve") - secondsBefore,
                    byResult(engines.engines(query.functionNames())));
        } finally {
            progress.end();
        }
    }

    /** The engines by the names of the result columns, which do not include {@code try_}. */
    private Map<String, Engine> byResult(Map<String, Engine> engines) {
        Map<String, Engine> byResult = new LinkedHashMap<>();
        Iterator<Engine> inOrder = engines.values().iterator();
        job.results().forEach(function -> byResult.put(function.name(), inOrder.next()));
        return byResult;
    }

    private Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private void note(String text) {
        out.println(Printable.text("%s: %s".formatted(job.get(JobKeys.NAME), text)));
        out.flush();
    }

    /** Rows that were written, and how many, if that is known. */
    private record Written(FinalPlan plan, Optional<Long> rows) {}

    private Written write(InstanceQuery query, LakeTable into, StagedOutput output) {
        try {
            CountedRows rows = CountedRows.of(results(query));
            FinalPlan plan = new FinalPlan(rows.plan());
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                new EngineCheck(plan).requireGpu(query.functionNames(), query.results());
            }
            into.write(
                    rows.rows(),
                    switch (job.get(JobKeys.OUTPUT_MODE)) {
                        case APPEND -> org.apache.spark.sql.SaveMode.Append;
                        case OVERWRITE, OVERWRITE_FORCE -> org.apache.spark.sql.SaveMode.Overwrite;
                        case ERROR -> org.apache.spark.sql.SaveMode.ErrorIfExists;
                        case IGNORE -> org.apache.spark.sql.SaveMode.Ignore;
                    },
                    job.get(JobKeys.OUTPUT_PARTITION_BY));
            return new Written(plan, Optional.of(rows.count()));
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Blame.row(Failures.explain(e), query));
        }
    }

    private Written write(InstanceQuery query, String folder, StagedOutput output) {
        try {
            FinalPlan plan = job.get(JobKeys.OUTPUT_FORMAT)
                    .write(results(query), job.get(JobKeys.OUTPUT_OPTIONS))
                    .maxRecordsPerFile(job.find(JobKeys.OUTPUT_MAX_RECORDS_PER_FILE))
                    .partitionedBy(job.get(JobKeys.OUTPUT_PARTITION_BY))
                    .to(folder);
            return new Written(plan, plan.rowsWritten());
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Blame.row(Failures.explain(e), query));
        }
    }

    /**
     * Writes the bad rows and the malformed records, if any, and counts those that are not in the output.
     *
     * @param plan of the query that gave the other rows, if it has run
     */
    private long setAside(InstanceQuery query, Optional<FinalPlan> plan, String folder, StagedOutput output) {
        long malformed = query.malformed()
                .map(rows -> unknown(rows, output))
                .map(rows -> writeBadRows(
                        rows,
                        // a condition on the input removes rows in the same filter
                        job.find(JobKeys.INPUT_WHERE).isPresent()
                                        || job.get(JobKeys.OUTPUT_NEW_ONLY)
                                        || job.get(JobKeys.OUTPUT_SHARDS) > 1
                                ? Optional.empty()
                                : plan.flatMap(ran -> ran.rowsFiltered(RecordFormat.MALFORMED)),
                        folder,
                        output))
                .orElse(0L);
        if (job.get(JobKeys.BAD_ROWS) != BadRows.QUARANTINE) {
            return 0;
        }
        return query.canSetAside()
                ? malformed
                        + writeBadRows(
                                query.badRows(),
                                plan.flatMap(ran -> ran.rowsFiltered(InstanceQuery.ROW)),
                                folder,
                                output)
                : malformed;
    }

    /** The malformed records that an output does not have yet, if only new ones are wanted. */
    private Dataset<Row> unknown(Dataset<Row> malformed, StagedOutput output) {
        if (!job.get(JobKeys.OUTPUT_NEW_ONLY)) {
            return malformed;
        }
        return existing(() -> spark.read().parquet(PathPattern.literal(output.path() + "/" + BAD_ROWS)), output)
                .map(known -> malformed.join(
                        known.select(
                                col("record").as("known_record"), col("reason").as("known_reason")),
                        col("record")
                                .eqNullSafe(col("known_record"))
                                .and(col("reason").eqNullSafe(col("known_reason"))),
                        "left_anti"))
                .orElse(malformed);
    }

    /** @param filtered how many bad rows the query filtered out, if known */
    private long writeBadRows(Dataset<Row> bad, Optional<Long> filtered, String into, StagedOutput output) {
        boolean any = filtered.map(count -> count > 0).orElseGet(() -> !bad.isEmpty());
        if (!any) {
            return 0;
        }
        String folder = into + "/" + BAD_ROWS;
        try {
            return Format.PARQUET.write(bad, Map.of()).to(folder).rowsWritten().orElseGet(bad::count);
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Failures.explain(e));
        }
    }

    /** Solves a share of the rows again, if the job says so, and compares them, all on the CPU: the GPU is what is in doubt. */
    private Optional<Verifier.Agreement> verify(InstanceQuery query, StagedOutput output) {
        if (job.find(JobKeys.VERIFY).isEmpty()) {
            return Optional.empty();
        }
        String folder = output.folder() + "/" + VERIFIED;
        return Optional.of(EngineCheck.withoutPlugin(spark, () -> new Verifier(job, spark)
                .verify(
                        folder,
                        rows -> job.get(JobKeys.OUTPUT_FORMAT)
                                .write(rows, job.get(JobKeys.OUTPUT_OPTIONS))
                                .partitionedBy(job.get(JobKeys.OUTPUT_PARTITION_BY))
                                .to(folder),
                        () -> readBack(query.judged(Verifier.CHOSEN).schema(), folder, List.of(folder)),
                        () -> readBack(query, output.folder(), List.of(output.folder())))));
    }

    private Dataset<Row> readBack(InstanceQuery query, String folder, List<String> paths) {
        return readBack(query.results().schema(), folder, paths);
    }

    /** @param folder the folder of the files, which may be partitioned by columns */
    private Dataset<Row> readBack(StructType schema, String folder, List<String> paths) {
        DataFrameReader reader = job.get(JobKeys.OUTPUT_FORMAT).reader(spark, job.get(JobKeys.OUTPUT_OPTIONS));
        boolean divided = !job.get(JobKeys.OUTPUT_PARTITION_BY).isEmpty();
        if (divided) {
            // a path, unlike those to load, which are patterns
            reader.option("basePath", folder);
        }
        if (divided || job.get(JobKeys.OUTPUT_FORMAT) == Format.JSON) {
            // otherwise Spark would read all of the JSON to infer the schema, and would parse text in folder names as
            // numbers
            reader.schema(schema);
        }
        Dataset<Row> rows = reader.load(paths.stream().map(PathPattern::literal).toArray(String[]::new));
        return divided
                ? rows.select(Arrays.stream(schema.fieldNames())
                        .map(InputColumns::column)
                        .toArray(Column[]::new))
                : rows;
    }

    /** Reports on an output that is already published: nothing here may fail the run. */
    private void show(InstanceQuery.Prepared prepared, Preview preview, StagedOutput output, Report report) {
        String rows = named(
                "preview",
                () -> preview.table(output.path(), files -> readBack(prepared.query(), output.path(), files)));
        out.print(Printable.lines(rows));
        out.println("%s: %s".formatted(Printable.text(job.get(JobKeys.NAME)), report.summary()));
        prepared.clusters().ifPresent(clusters -> out.println("  " + Printable.text(clusters.toString())));
        report.limit().ifPresent(limit -> out.println("  limit    " + limit));
        out.println("  results  %s (%s)"
                .formatted(
                        name(output),
                        job.find(JobKeys.OUTPUT_FORMAT).map(Format::name).orElse("table")));
        if (report.rowsSetAside() > 0) {
            out.println("  bad rows %s/%s".formatted(output.display(), BAD_ROWS));
        }
        out.println("  report   %s/%s".formatted(output.display(), PAGE));
        out.flush();
    }
}
