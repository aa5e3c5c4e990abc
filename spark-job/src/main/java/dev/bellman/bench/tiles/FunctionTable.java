package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionCall;
import dev.bellman.bench.measure.GpuBatch;
import dev.bellman.bench.measure.GpuBench;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Benchmarks a function of the catalogue on one instance. On a CPU, a single thread calls the function. All strategies
 * must return the same result.
 */
final class FunctionTable implements TableProblem {
    /** Generates the function's arguments for an instance. */
    private interface Instances {
        Row arguments(int n, Random random);
    }

    private final Bench bench;
    private final String name;
    private final BellmanFunction<?> function;
    private final StructType schema;
    private final Instances instances;
    private final DoubleUnaryOperator operations;
    private final List<String> gpuStrategies;
    private final List<String> cpuStrategies;
    private final Map<Integer, BenchmarkData> written = new HashMap<>();
    private final Map<Integer, Object> answers = new HashMap<>();

    private FunctionTable(
            Bench bench,
            String name,
            String function,
            StructType schema,
            Instances instances,
            DoubleUnaryOperator operations,
            List<String> gpuStrategies,
            List<String> cpuStrategies) {
        this.bench = bench;
        this.name = name;
        this.function = Bench.function(function);
        this.schema = schema;
        this.instances = instances;
        this.operations = operations;
        this.gpuStrategies = gpuStrategies;
        this.cpuStrategies = cpuStrategies;
    }

    /**
     * Returns the problem of aligning two strings of n nucleotides with general gap costs, which are neither affine nor
     * concave.
     */
    static TableProblem gap(Bench bench) {
        return new FunctionTable(
                bench,
                "gap",
                "gap_alignment",
                new StructType()
                        .add("a", DataTypes.StringType)
                        .add("b", DataTypes.StringType)
                        .add("match", DataTypes.LongType)
                        .add("mismatch", DataTypes.LongType)
                        .add("gap_costs", DataTypes.createArrayType(DataTypes.LongType, false)),
                (n, random) -> RowFactory.create(
                        nucleotides(n, random),
                        nucleotides(n, random),
                        2L,
                        -3L,
                        random.longs(n, 5, 100).toArray()),
                n -> Math.pow(n, 3),
                List.of("blocked", "r-way"),
                List.of("blocked", "r-way"));
    }

    /** Returns the problem of finding the minimum cost of multiplying a chain of n matrices. */
    static TableProblem parenthesis(Bench bench) {
        return new FunctionTable(
                bench,
                "parenthesis",
                "matrix_chain_cost",
                new StructType().add("dims", DataTypes.createArrayType(DataTypes.LongType, false)),
                (n, random) ->
                        RowFactory.create((Object) random.longs(n + 1L, 1, 100).toArray()),
                n -> Math.pow(n, 3) / 6,
                List.of("tiled", "r-way"),
                List.of("tiled", "r-way"));
    }

    private static String nucleotides(int n, Random random) {
        return random.ints(n, 0, 4).mapToObj(i -> "ACGT".substring(i, i + 1)).collect(Collectors.joining());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double operations(int n) {
        return operations.applyAsDouble(n);
    }

    @Override
    public List<String> gpuStrategies() {
        return gpuStrategies;
    }

    @Override
    public List<String> cpuStrategies() {
        return cpuStrategies;
    }

    @Override
    public String recursion() {
        return "r-way";
    }

    @Override
    public int cpuThreads() {
        return 1;
    }

    @Override
    public double gpuSeconds(int n, String strategy, long seed) {
        BenchmarkData data = data(n, seed);
        SparkSession spark = SparkSession.active();
        spark.conf().set(function.problem().strategyKey(), strategy);
        String call = "%s(%s)".formatted(function.name(), String.join(", ", data.columns()));
        check(n, strategy, data.read(spark).selectExpr(call).first().get(0));
        SolverCall solver = FunctionCall.of(function, strategy, data.columns()).solver();
        try (GpuBatch batch = GpuSide.get(GpuBench.class).read(data)) {
            return batch.kernelSeconds(solver);
        }
    }

    @Override
    public double cpuSeconds(int n, String strategy, int threads, long seed) {
        BenchmarkData data = data(n, seed);
        FunctionCall call = FunctionCall.of(function, strategy, data.columns());
        Row arguments = data.read(SparkSession.active()).first();
        Object[] answer = new Object[1];
        double seconds = Stopwatch.seconds(() -> answer[0] = call.call(arguments));
        check(n, strategy, answer[0]);
        return seconds;
    }

    private BenchmarkData data(int n, long seed) {
        return written.computeIfAbsent(n, rows -> {
            String label = "%s-%d".formatted(name, n);
            Row arguments = instances.arguments(n, new Random(seed * 31 + n));
            return BenchmarkData.write(
                    label,
                    bench.folder(label),
                    SparkSession.active().createDataFrame(List.of(arguments), schema),
                    function,
                    "CAST(1 AS BIGINT)");
        });
    }

    private void check(int n, String strategy, Object answer) {
        Object first = answers.putIfAbsent(n, answer);
        if (first != null && !first.equals(answer)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "%s with the strategy %s returns %s for n = %d, but a different strategy returns %s"
                            .formatted(name, strategy, answer, n, first));
        }
    }
}
