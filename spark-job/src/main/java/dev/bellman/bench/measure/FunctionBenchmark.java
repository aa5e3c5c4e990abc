package dev.bellman.bench.measure;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.output.OutputRules;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Measures functions on generated instances, and first checks a sample of their results. */
public final class FunctionBenchmark {
    private static final int END_TO_END_REPETITIONS = 3;

    /** The intended duration of a repetition on one CPU thread, in seconds. A repetition covers at least one row. */
    private static final double CPU_SECONDS = 0.2;

    /**
     * The maximum number of cells that the textbook strategy may compute in order to check results. At least one row is
     * checked, regardless of this limit.
     */
    private static final long CHECKED_CELLS = 200_000_000;

    private static final int CHECKED_ROWS = 500;

    private final SparkSession spark;
    private final BenchmarkData data;
    private final String textbook;
    private final String output;
    private final int warmUp;

    /** The minimum duration of the warm-up on a CPU, during which Java optimizes the loops. */
    private final double warmUpSeconds;

    private final int repetitions;

    /** The results of the textbook strategy, keyed by the arguments. */
    private final Map<Row, Object> expectedAnswers = new HashMap<>();

    /**
     * @param textbook the strategy whose results are considered correct
     * @param output the folder to which end-to-end runs write
     * @param warmUpSeconds the minimum duration of the warm-up on a CPU
     * @param quick whether to repeat each measurement only a few times, after a shorter warm-up
     */
    public FunctionBenchmark(
            SparkSession spark,
            BenchmarkData data,
            String textbook,
            String output,
            double warmUpSeconds,
            boolean quick) {
        this.spark = spark;
        this.data = data;
        this.textbook = textbook;
        this.output = output;
        warmUp = quick ? 1 : 3;
        this.warmUpSeconds = quick ? Math.min(0.5, warmUpSeconds) : warmUpSeconds;
        repetitions = quick ? 3 : 11;
    }

    /** Measures calls on one CPU thread. */
    public Measurement onCpu(BellmanFunction<?> function, String strategy) {
        checkAnswers(function, strategy);
        FunctionCall call = FunctionCall.of(function, strategy, data.columns());
        // as in a query, use Spark's internal strings; encoding Java strings as UTF-8 would take a third of the time
        // for short pairs
        List<Object[]> rows = data.read(spark).limit(rowsForCpu(call)).collectAsList().stream()
                .map(call::internal)
                .toList();
        DoubleSupplier once = () -> Stopwatch.seconds(
                () -> rows.forEach(row -> Objects.requireNonNull(call.solver().result(row))));
        for (double warm = 0; warm < warmUpSeconds; ) {
            warm += once.getAsDouble();
        }
        double seconds = Stopwatch.median(0, repetitions, once);
        return measurement(function, strategy, "cpu-1", rows.size(), seconds, OptionalDouble.empty());
    }

    /** Measures kernels on one GPU. */
    public Measurement onGpu(BellmanFunction<?> function, String strategy) {
        checkAnswers(function, strategy);
        SolverCall call = FunctionCall.of(function, strategy, data.columns()).solver();
        try (GpuBatch batch = GpuSide.get(GpuBench.class).read(data)) {
            double kernel = Stopwatch.median(warmUp, repetitions, () -> batch.kernelSeconds(call));
            double host = Stopwatch.median(1, END_TO_END_REPETITIONS, () -> batch.hostSeconds(call));
            return measurement(function, strategy, "gpu", batch.rows(), kernel, OptionalDouble.of(host));
        }
    }

    /** Returns the median time of the query from Parquet to Parquet on all cores, not counting a first run. */
    public static double endToEndSeconds(SparkSession spark, BenchmarkData data, String expression, String output) {
        OutputRules.mustBeReplaceable(output, spark.sparkContext().hadoopConfiguration());
        return Stopwatch.median(
                1,
                END_TO_END_REPETITIONS,
                () -> Stopwatch.seconds(() -> data.read(spark)
                        .selectExpr(expression + " AS result")
                        .write()
                        .mode("overwrite")
                        .parquet(output)));
    }

    /** Measures the query from Parquet to Parquet on all cores, or on the GPU with RAPIDS. */
    public Measurement.EndToEnd endToEnd(BellmanFunction<?> function, String strategy) {
        configure(function, strategy);
        return new Measurement.EndToEnd(data.rows(), endToEndSeconds(spark, data, expression(function), output));
    }

    private Measurement measurement(
            BellmanFunction<?> function,
            String strategy,
            String engine,
            long rows,
            double kernel,
            OptionalDouble host) {
        return new Measurement(data.label(), function.name(), strategy, engine, rows, data.cells(spark, rows), kernel)
                .withTimes(host, Optional.empty());
    }

    private String expression(BellmanFunction<?> function) {
        return function.name() + "(" + String.join(", ", data.columns()) + ")";
    }

    private void configure(BellmanFunction<?> function, String strategy) {
        spark.conf().set(function.problem().strategyKey(), strategy);
    }

    private int rowsForCpu(FunctionCall call) {
        List<Row> sample = data.read(spark).limit(CHECKED_ROWS).collectAsList();
        int called = 0;
        long start = System.nanoTime();
        while (called < sample.size() && System.nanoTime() - start < CPU_SECONDS * 1e9) {
            call.call(sample.get(called++));
        }
        double secondsEach = (System.nanoTime() - start) / 1e9 / called;
        // earlier calls ran before the code was compiled; later calls are several times faster
        return (int) Math.min(data.rows(), Math.max(1, 4 * CPU_SECONDS / secondsEach));
    }

    /** Compares the results of the session's engine with those that the textbook strategy returns on this thread. */
    private void checkAnswers(BellmanFunction<?> function, String strategy) {
        configure(function, strategy);
        long rows = Math.max(1, Math.min(CHECKED_ROWS, CHECKED_CELLS / Math.max(1, data.cells(spark, 1))));
        FunctionCall reference = FunctionCall.of(function, textbook, data.columns());
        List<Row> answers = data.read(spark)
                .limit((int) rows)
                .selectExpr("struct(*) AS arguments", expression(function) + " AS result")
                .collectAsList();
        for (Row answer : answers) {
            Object expected =
                    expectedAnswers.computeIfAbsent(answer.getStruct(0), row -> comparable(reference.call(row)));
            if (!Objects.equals(expected, comparable(answer.get(1)))) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "for %6$s, %1$s returns %3$s with the strategy %2$s, but %5$s with %4$s"
                                .formatted(
                                        function.name(), strategy, answer.get(1), textbook, expected, answer.get(0)));
            }
        }
    }

    /** Converts a result to a form that can be compared, because Spark returns arrays as sequences. */
    private static Object comparable(Object result) {
        if (result instanceof long[] array) {
            return Arrays.stream(array).boxed().toList();
        }
        return result instanceof Seq<?> sequence ? List.copyOf(CollectionConverters.asJava(sequence)) : result;
    }
}
