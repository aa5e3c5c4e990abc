package dev.bellman.bench;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Suggestion;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.GpuBatch;
import dev.bellman.bench.measure.GpuBench;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.columns.SolverCall;
import dev.bellman.job.output.OutputRules;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks whole queries, from Parquet to Parquet. With a GPU, the suite compares each query with its kernels and
 * with the CPU engine, which runs the same query for the first rows on all cores. The suite also checks that both
 * engines return the same results for these rows.
 */
@Command(
        name = "functions",
        description = "Whole queries of many functions, compared with their kernels and with the CPU engine.",
        mixinStandardHelpOptions = true)
final class FunctionsSuite implements Runnable {
    /** The number of repetitions after a warm-up. */
    private static final int REPETITIONS = 3;

    private static final String RESULT = "result";
    private static final String CPU_RESULT = "result-cpu";

    @Mixin
    private Bench bench;

    @Option(
            names = "--functions",
            split = ",",
            paramLabel = "NAME",
            description = "functions to measure (default: all functions of the suite)")
    private List<String> functions;

    /**
     * The time of a whole query on the session's engine.
     *
     * @param comparison comparisons of a query on a GPU; null for a query on CPUs
     */
    record WholeQuery(
            String function, String dataset, String engine, long rows, double seconds, Comparison comparison) {}

    /**
     * Comparisons of a query on a GPU.
     *
     * @param kernelSeconds the time of the kernels for all rows of the query
     * @param cpuRows the number of rows that the CPU engine processes
     * @param timesKernels the time of the query divided by the time of its kernels
     * @param timesCpu the query's rows per second divided by those of the CPU engine
     */
    record Comparison(double kernelSeconds, long cpuRows, double cpuSeconds, double timesKernels, double timesCpu) {}

    @Override
    public void run() {
        List<FunctionCase> cases = cases();
        SparkSession spark = bench.open();
        Table table = bench.table()
                .text("function", 23)
                .text("dataset", 18)
                .number("rows", 9, 0)
                .number("seconds", 8, 3);
        if (bench.gpu()) {
            table.number("kernel s", 9, 4)
                    .number("x kernel", 9, 2)
                    .number("CPU rows", 9, 0)
                    .number("CPU s", 7, 3)
                    .number("x CPU", 8, 1);
        }
        for (FunctionCase each : cases) {
            if (!bench.isEnough()) {
                WholeQuery query = bench.gpu() ? onGpu(spark, each) : onCpu(spark, each);
                bench.add(query);
                table.row(row(query));
            }
        }
        bench.close();
    }

    private List<FunctionCase> cases() {
        List<String> known =
                FunctionCase.ALL.stream().map(FunctionCase::function).distinct().toList();
        for (String name : functions == null ? known : functions) {
            if (!known.contains(name)) {
                throw new BellmanException(ErrorCode.BELLMAN_USAGE, Suggestion.unknown("function", name, known));
            }
        }
        return FunctionCase.ALL.stream()
                .filter(each -> functions == null || functions.contains(each.function()))
                .toList();
    }

    private static Object[] row(WholeQuery query) {
        Comparison to = query.comparison();
        return to == null
                ? new Object[] {query.function(), query.dataset(), query.rows(), query.seconds()}
                : new Object[] {
                    query.function(),
                    query.dataset(),
                    query.rows(),
                    query.seconds(),
                    to.kernelSeconds(),
                    to.timesKernels(),
                    to.cpuRows(),
                    to.cpuSeconds(),
                    to.timesCpu()
                };
    }

    private WholeQuery onCpu(SparkSession spark, FunctionCase its) {
        BenchmarkData data = write(spark, its, bench.count(its.cpuRows(), 1, its.cpuRows()));
        double seconds = seconds(spark, data, its, bench.folder(RESULT), REPETITIONS);
        return new WholeQuery(its.function(), its.label(), "cpu", data.rows(), seconds, null);
    }

    private WholeQuery onGpu(SparkSession spark, FunctionCase its) {
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "false");
        BenchmarkData data = write(spark, its, bench.count(its.rows(), 1, its.rows()));
        BenchmarkData few = write(spark, its, Math.min(data.rows(), its.cpuRows()));
        double cpuSeconds = seconds(spark, few, its, bench.folder(CPU_RESULT), 1);
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "true");
        double seconds = seconds(spark, data, its, bench.folder(RESULT), REPETITIONS);
        double kernels = kernelSeconds(spark, its, data);
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "false");
        check(spark, its, few.rows());
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "true");
        double timesCpu = data.rows() / seconds / (few.rows() / cpuSeconds);
        return new WholeQuery(
                its.function(),
                its.label(),
                "gpu",
                data.rows(),
                seconds,
                new Comparison(kernels, few.rows(), cpuSeconds, seconds / kernels, timesCpu));
    }

    /** Writes the first rows of a dataset. */
    private BenchmarkData write(SparkSession spark, FunctionCase its, long rows) {
        String folder = bench.folder(its.function() + "-" + its.label() + "-" + rows);
        OutputRules.mustBeReplaceable(folder, spark.sparkContext().hadoopConfiguration());
        its.data(spark, rows, bench.seed()).write().mode("overwrite").parquet(folder);
        return new BenchmarkData(its.label(), folder, its.names(), "0", rows);
    }

    private static double seconds(
            SparkSession spark, BenchmarkData data, FunctionCase its, String folder, int repetitions) {
        OutputRules.mustBeReplaceable(folder, spark.sparkContext().hadoopConfiguration());
        return Stopwatch.median(
                1,
                repetitions,
                () -> Stopwatch.seconds(() -> data.read(spark)
                        .selectExpr("id", its.call() + " AS result")
                        .write()
                        .mode("overwrite")
                        .parquet(folder)));
    }

    /** Returns the time for all rows of the query, extrapolated from a single batch, which may have fewer rows. */
    private static double kernelSeconds(SparkSession spark, FunctionCase its, BenchmarkData data) {
        SolverCall call = its.solver(data.read(spark));
        try (GpuBatch batch = GpuSide.get(GpuBench.class).read(data)) {
            double seconds = Stopwatch.median(1, REPETITIONS, () -> batch.kernelSeconds(call));
            return seconds * data.rows() / batch.rows();
        }
    }

    /** Checks that both engines return the same results for the first rows. */
    private void check(SparkSession spark, FunctionCase its, long rows) {
        Row gpu = digest(spark, RESULT, rows);
        Row cpu = digest(spark, CPU_RESULT, rows);
        if (!gpu.equals(cpu)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "%s (%s): the first %,d results of the GPU differ from those of the CPU; compare %s with %s"
                            .formatted(
                                    its.function(), its.label(), rows, bench.folder(RESULT), bench.folder(CPU_RESULT)));
        }
    }

    private Row digest(SparkSession spark, String folder, long rows) {
        return spark.read()
                .parquet(bench.folder(folder))
                .where("id < " + rows)
                .selectExpr("count(*)", "sum(CAST(xxhash64(id, result) AS DECIMAL(38)))")
                .first();
    }
}
