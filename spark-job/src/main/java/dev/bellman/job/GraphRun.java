package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.columns.TaskMemory;
import dev.bellman.graph.Graph;
import dev.bellman.graph.GraphFunctions;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.progress.Quantity;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** One run of a job whose input is one graph, and whose results are its shortest paths. */
final class GraphRun {
    private static final String REPORT = "_bellman/report.json";

    /** Tasks per core, as some are slower than others. */
    private static final int TASKS = 4;

    private final Job job;
    private final SparkSession spark;
    private final PrintWriter out;
    private final Phases phases = new Phases();

    GraphRun(Job job, SparkSession parent, PrintWriter out) {
        this.job = job;
        this.spark = parent.newSession();
        this.out = out;
    }

    /** Whether this class runs the job. */
    static boolean isFor(Job job) {
        return job.get(JobKeys.PROBLEM).equals(GraphFunctions.ALL_PAIRS);
    }

    /** The graph, and what to do with it. */
    private record Work(GraphInput.Network network, int[] sources, Strategy strategy) {
        Graph graph() {
            return network.graph();
        }

        long pairs() {
            return (long) sources.length * graph().nodes();
        }
    }

    /** Prints what the job would do; reads the graph and does nothing else. */
    void describe() {
        Work work = work();
        out.println("# job");
        out.print(Descriptions.yaml(job.describe()));
        out.println("# output");
        out.println(size(work));
        out.print(Printable.lines(
                GraphPaths.schema(work.network(), job.get(JobKeys.RESULTS)).treeString()));
        out.flush();
    }

    /** Runs the job. */
    ExitCode run() {
        try (StagedOutput output =
                StagedOutput.open(job.get(JobKeys.OUTPUT_PATH), job.get(JobKeys.OUTPUT_MODE), hadoop(), this::note)) {
            if (output.ignored()) {
                note("the output %s exists, nothing done".formatted(output.display()));
                return ExitCode.DONE;
            }
            Work work = phases.time("input", this::work);
            note(size(work));
            long rows = phases.time("solve", () -> write(work, output));
            output.write(REPORT, Descriptions.json(report(work, rows)));
            output.commit();
            note(String.format(
                    Locale.ROOT,
                    "%,d paths at most in %.2f s, strategy %s on the CPU",
                    work.pairs(),
                    phases.of("solve"),
                    Strategies.name(work.strategy())));
            out.println("  results  %s (parquet)".formatted(output.display()));
            out.println("  report   %s/%s".formatted(output.display(), REPORT));
            out.flush();
            return ExitCode.DONE;
        }
    }

    private Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private void note(String text) {
        out.println(Printable.text("%s: %s".formatted(job.get(JobKeys.NAME), text)));
        out.flush();
    }

    private Work work() {
        if (job.get(JobKeys.ENGINE) == Engine.GPU) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but %s runs on the CPU; leave engine out"
                            .formatted(GraphFunctions.ALL_PAIRS.name()));
        }
        GraphInput.Network network = GraphInput.read(spark, job, this::note);
        int[] sources = sources(network);
        boolean next = GraphPaths.needNext(job.get(JobKeys.RESULTS));
        Strategy asked =
                GraphFunctions.ALL_PAIRS.strategy(job.find(JobKeys.STRATEGY).orElse("auto"));
        Strategy strategy = ShortestPaths.choose(network.graph(), asked, sources.length, next, TaskMemory.bytes());
        if (strategy != Strategy.DIJKSTRA && strategy != Strategy.JOHNSON) {
            TaskMemory.check(
                    GraphFunctions.ALL_PAIRS.name(),
                    "the table of %,d x %,d vertices"
                            .formatted(network.graph().nodes(), network.graph().nodes()),
                    (long) ShortestPaths.tableBytes(network.graph(), next),
                    "strategy: johnson, which has no table, ");
        }
        return new Work(network, sources, strategy);
    }

    /** The source vertices; all vertices if the job names none. */
    private int[] sources(GraphInput.Network network) {
        return job.find(JobKeys.SOURCES)
                .filter(wanted -> !wanted.isEmpty())
                .map(wanted -> network.vertices(spark, wanted))
                .orElseGet(() -> IntStream.range(0, network.graph().nodes()).toArray());
    }

    /** A description of the output in words. */
    private String size(Work work) {
        List<String> results = job.get(JobKeys.RESULTS);
        long each = 2L * Long.BYTES
                + (results.contains(GraphPaths.NEXT) ? Long.BYTES : 0)
                + (results.contains(GraphPaths.HOPS) ? Integer.BYTES : 0);
        return String.format(
                Locale.ROOT,
                "%,d vertices, %,d edges; paths from %,d of them: up to %,d, about %s before compression; strategy %s",
                work.graph().nodes(),
                work.graph().edges(),
                work.sources().length,
                work.pairs(),
                Quantity.bytes(work.pairs() * each),
                Strategies.name(work.strategy()));
    }

    private long write(Work work, StagedOutput output) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        List<String> results = job.get(JobKeys.RESULTS);
        GraphPaths paths = new GraphPaths(work.strategy(), results);
        int partitions = job.find(JobKeys.OUTPUT_PARTITIONS).orElse(TASKS * context.defaultParallelism());
        Dataset<Row> rows = spark.createDataFrame(
                paths.rows(context, work.network(), work.sources(), partitions),
                GraphPaths.schema(work.network(), results));
        String folder = output.folder();
        try {
            return Format.PARQUET
                    .write(rows, job.get(JobKeys.OUTPUT_OPTIONS))
                    .maxRecordsPerFile(job.find(JobKeys.OUTPUT_MAX_RECORDS_PER_FILE))
                    .to(folder)
                    .rowsWritten()
                    .orElse(0L);
        } catch (Exception | FSError e) {
            throw output.writeFailure(e).orElseGet(() -> Failures.explain(e));
        }
    }

    private Map<String, Object> report(Work work, long rows) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        report.put("versions", Versions.all());
        report.put("vertices", work.graph().nodes());
        report.put("edges", work.graph().edges());
        report.put("sources", work.sources().length);
        report.put("engine", Strategies.name(Engine.CPU));
        report.put("strategy", Strategies.name(work.strategy()));
        report.put(
                "estimatedSeconds",
                Map.of(
                        "dense",
                        ShortestPaths.denseSeconds(work.graph()),
                        "sparse",
                        ShortestPaths.sparseSeconds(work.graph(), work.sources().length)));
        report.put("rowsOut", rows);
        report.put("seconds", phases.seconds());
        return report;
    }
}
