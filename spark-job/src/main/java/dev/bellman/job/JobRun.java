package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.Strategies;
import dev.bellman.function.BellmanFunctions;
import dev.bellman.job.text.RecordFormat;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.apache.spark.util.LongAccumulator;

/** One run of one job, in a session of its own: strategy, functions and settings of one job do not reach the next. */
final class JobRun {
    private static final Set<ErrorCode> ROW_ERRORS =
            Set.of(ErrorCode.BELLMAN_INPUT_VALUE, ErrorCode.BELLMAN_OVERFLOW, ErrorCode.BELLMAN_LIMIT);
    private static final String BAD_ROWS = "_bellman/bad_rows";
    private static final String REPORT = "_bellman/report.json";
    private static final int SHOWN_ROWS = 5;
    private static final int SHOWN_CHARACTERS = 32;

    private final Job job;
    private final SparkSession spark;
    private final PrintWriter out;
    private final LongAccumulator cells;
    private final Phases phases = new Phases();

    JobRun(Job job, SparkSession parent, PrintWriter out) {
        this.job = job;
        this.spark = parent.newSession();
        this.out = out;
        this.cells = parent.sparkContext().longAccumulator("cells");
        job.find(JobKeys.STRATEGY)
                .ifPresent(strategy -> spark.conf().set(job.get(JobKeys.PROBLEM).strategyKey(), strategy));
        if (job.get(JobKeys.ENGINE) == Engine.CPU) {
            spark.conf().set("spark.rapids.sql.enabled", "false");
        }
        BellmanFunctions.register(spark, new FunctionOptions(OnInvalid.FAIL, cells::add));
    }

    /** Prints what the job would do, and does none of it. */
    void describe() {
        Dataset<Row> input = input();
        Optional<Dataset<Row>> targets = targets();
        String plan = results(InstanceQuery.of(job, input, targets))
                .queryExecution()
                .explainString(ExplainMode.fromString("formatted"));
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# input");
        out.print(InputColumns.unmarked(input).schema().treeString());
        targets.ifPresent(rows -> {
            out.println("# targets");
            out.print(InputColumns.unmarked(rows).schema().treeString());
        });
        out.println("# plan");
        out.println(plan.strip());
        out.println();
        out.flush();
    }

    private Dataset<Row> input() {
        return InputReader.read(spark, job.input(), job.get(JobKeys.BAD_ROWS));
    }

    private Optional<Dataset<Row>> targets() {
        return job.targets().map(source -> InputReader.read(spark, source, job.get(JobKeys.BAD_ROWS)));
    }

    /** The rows of the output, as its format can hold them. */
    private Dataset<Row> results(InstanceQuery query) {
        return job.get(JobKeys.OUTPUT_FORMAT).fitted(query.results());
    }

    /** Runs the job, and prints a few of its results. */
    ExitCode run() {
        try (StagedOutput output = StagedOutput.open(
                job.get(JobKeys.OUTPUT_PATH),
                job.get(JobKeys.OUTPUT_MODE),
                spark.sparkContext().hadoopConfiguration())) {
            if (output.ignored()) {
                out.println(
                        "%s: the output %s exists, nothing done".formatted(job.get(JobKeys.NAME), output.display()));
                out.flush();
                return ExitCode.DONE;
            }
            if (job.get(JobKeys.ENGINE) == Engine.GPU && !hasGpuPlugin()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_GPU_REQUIRED,
                        "engine is gpu, but the session runs without the RAPIDS Accelerator:"
                                + " run with --engine gpu, or set spark.plugins=com.nvidia.spark.SQLPlugin as conf/gpu.conf does");
            }
            InstanceQuery query = phases.time("input", () -> InstanceQuery.of(job, input(), targets()));
            FinalPlan plan = phases.time("solve", () -> solve(query, output));
            long computed = cells.value();
            EngineCheck engines = new EngineCheck(plan);
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                engines.requireGpu(query.functionNames(), query.results());
            }
            long setAside = phases.time("bad rows", () -> setAside(query, plan, output));
            long rowsOut = plan.rowsWritten()
                    .orElseGet(() -> readBack(query, output.folder()).count());
            Report report = new Report(
                    job,
                    rowsOut + setAside,
                    rowsOut,
                    setAside,
                    computed,
                    byResult(engines.engines(query.functionNames())),
                    spark.conf().get(job.get(JobKeys.PROBLEM).strategyKey(), "auto"),
                    phases);
            output.write(REPORT, report.json());
            output.commit();
            show(query, output, report);
            return setAside > 0 ? ExitCode.SET_ASIDE : ExitCode.DONE;
        }
    }

    /** The engines by the names of the result columns, which {@code try_} is no part of. */
    private Map<String, Engine> byResult(Map<String, Engine> engines) {
        Map<String, Engine> byResult = new LinkedHashMap<>();
        Iterator<Engine> inOrder = engines.values().iterator();
        job.results().forEach(function -> byResult.put(function.name(), inOrder.next()));
        return byResult;
    }

    private boolean hasGpuPlugin() {
        return spark.sparkContext().getConf().get("spark.plugins", "").contains("com.nvidia.spark.SQLPlugin");
    }

    private FinalPlan solve(InstanceQuery query, StagedOutput output) {
        WrittenPlan written = new WrittenPlan();
        spark.listenerManager().register(written);
        try {
            write(results(query), output.folder());
            // the plan is told to listeners in the background
            spark.sparkContext().listenerBus().waitUntilEmpty();
            return written.plan();
        } catch (Exception e) {
            throw blame(Failures.explain(e), query);
        } finally {
            spark.listenerManager().unregister(written);
        }
    }

    private void write(Dataset<Row> rows, String folder) {
        DataFrameWriter<Row> writer = job.get(JobKeys.OUTPUT_FORMAT)
                .writer(rows, job.get(JobKeys.OUTPUT_OPTIONS))
                .mode("append");
        job.find(JobKeys.OUTPUT_MAX_RECORDS_PER_FILE)
                .ifPresent(count -> writer.option("maxRecordsPerFile", count.longValue()));
        writer.save(folder);
    }

    /** Names the first bad row where a row was at fault. */
    private BellmanException blame(BellmanException failure, InstanceQuery query) {
        if (!ROW_ERRORS.contains(failure.code()) || !query.rejects()) {
            return failure;
        }
        List<Row> bad = query.badRows().takeAsList(1);
        if (bad.isEmpty()) {
            return failure;
        }
        Row row = bad.get(0);
        String reason = row.getString(row.length() - 1);
        String which;
        if (query.keptColumns() == 0) {
            which = "a row";
        } else {
            StringJoiner columns = new StringJoiner(", ", "the row with ", "");
            for (int i = 0; i < query.keptColumns(); i++) {
                columns.add(row.schema().fieldNames()[i] + " " + row.get(i));
            }
            which = columns.toString();
        }
        return new BellmanException(
                failure.code(),
                "%s is bad: %s; badRows: quarantine would set such rows aside"
                        .formatted(which, Failures.withoutCode(reason == null ? failure.getMessage() : reason)),
                failure);
    }

    /** Writes the bad rows and the malformed records, if there are any, and counts those that are not in the output. */
    private long setAside(InstanceQuery query, FinalPlan plan, StagedOutput output) {
        long malformed = query.malformed()
                .map(rows -> writeBadRows(rows, plan.rowsFiltered(RecordFormat.MALFORMED), output))
                .orElse(0L);
        if (job.get(JobKeys.BAD_ROWS) != BadRows.QUARANTINE) {
            return 0;
        }
        return query.rejects()
                ? malformed + writeBadRows(query.badRows(), plan.rowsFiltered(InstanceQuery.ROW), output)
                : malformed;
    }

    /** @param filtered how many rows the query left out for being such, where that is known */
    private long writeBadRows(Dataset<Row> bad, Optional<Long> filtered, StagedOutput output) {
        boolean any = filtered.map(count -> count > 0).orElseGet(() -> !bad.isEmpty());
        if (!any) {
            return 0;
        }
        WrittenPlan written = new WrittenPlan();
        spark.listenerManager().register(written);
        try {
            bad.write().mode("append").parquet(output.folder() + "/" + BAD_ROWS);
            spark.sparkContext().listenerBus().waitUntilEmpty();
            return written.plan().rowsWritten().orElseGet(bad::count);
        } catch (Exception e) {
            throw Failures.explain(e);
        } finally {
            spark.listenerManager().unregister(written);
        }
    }

    private Dataset<Row> readBack(InstanceQuery query, String path) {
        DataFrameReader reader = job.get(JobKeys.OUTPUT_FORMAT).reader(spark, job.get(JobKeys.OUTPUT_OPTIONS));
        if (job.get(JobKeys.OUTPUT_FORMAT) == Format.JSON) {
            // Spark would read the whole of it to learn that
            reader.schema(query.results().schema());
        }
        return reader.load(path);
    }

    private void show(InstanceQuery query, StagedOutput output, Report report) {
        if (report.rowsOut() > 0) {
            Dataset<Row> rows = readBack(query, output.display()).limit(SHOWN_ROWS);
            out.print(
                    ((org.apache.spark.sql.classic.Dataset<Row>) rows).showString(SHOWN_ROWS, SHOWN_CHARACTERS, false));
        }
        out.println("%s: %s".formatted(job.get(JobKeys.NAME), report.summary()));
        out.println("  results  %s (%s)".formatted(output.display(), Strategies.name(job.get(JobKeys.OUTPUT_FORMAT))));
        if (report.rowsSetAside() > 0) {
            out.println("  bad rows %s/%s".formatted(output.display(), BAD_ROWS));
        }
        out.println("  report   %s/%s".formatted(output.display(), REPORT));
        out.flush();
    }

    /** Hears from Spark with which plan a write ran. */
    private static final class WrittenPlan implements QueryExecutionListener {
        private QueryExecution execution;

        @Override
        public synchronized void onSuccess(String name, QueryExecution finished, long nanoseconds) {
            execution = finished;
        }

        @Override
        public void onFailure(String name, QueryExecution failed, Exception failure) {}

        synchronized FinalPlan plan() {
            return new FinalPlan(execution.executedPlan());
        }
    }
}
