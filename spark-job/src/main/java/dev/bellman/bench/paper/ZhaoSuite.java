package dev.bellman.bench.paper;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.align.subsequence.ShortestCommonSupersequence;
import dev.bellman.align.subsequence.ShortestCommonSupersequence.Strategy;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionCall;
import dev.bellman.bench.measure.GpuBatch;
import dev.bellman.bench.measure.GpuBench;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Optionals;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.columns.SolverCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reproduces tables I to III of Zhao, "Parallel computing the shortest common supersequence problem" (2023), and adds
 * longer pairs. Reports each strategy's time with its speedup over Bellman's serial time and, on a CPU, its efficiency.
 * As in the paper, the time is that of computing only the length. The suite also reports this time including copies to
 * and from the GPU, and both times for the supersequence itself, which requires a traceback. Skips supersequences that
 * exceed a strategy's limits and, on a CPU, computations that would fill more than {@code --max-cells} cells one by
 * one.
 */
@Command(
        name = "zhao",
        description = "Tables I to III of Zhao (2023): shortest common supersequences, next to the published figures.",
        mixinStandardHelpOptions = true)
public final class ZhaoSuite implements Runnable {
    private static final String CELLS = "CAST(length(a) AS BIGINT) * length(b)";

    private static final StructType PAIRS =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    /**
     * If the first run takes longer than this many seconds, it is the measurement. Otherwise, warm-up runs take a
     * quarter of this time, and several measured runs follow.
     */
    private static final double LONG_SECONDS = 2;

    private static final int REPETITIONS = 5;

    private static final PublishedTable PUBLISHED = PublishedTable.of("zhao");

    private static final int MAX_LETTERS = 100_000_000;

    private static final int MAX_THREADS = 1_024;

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "2000,4000,6000,8000,10000,20000,40000,60000,100000,1000000",
            paramLabel = "N",
            description = "lengths of both strings (default: ${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description = "thread counts for parallel strategies on the CPU (default: powers of two up to the "
                    + "number of cores, and the number of cores)")
    private List<Integer> threads;

    @Option(
            names = "--max-cells",
            defaultValue = "3600000000",
            paramLabel = "N",
            description = "maximum size, in cells, of a table that the CPU computes cell by cell (default: "
                    + "${DEFAULT-VALUE})")
    private long mostCells;

    private record Pair(Text a, Text b) {}

    /**
     * The seconds per pair; empty if the size exceeds a limit and, for times with copies, on a CPU.
     *
     * @param length the time to compute the length
     * @param lengthWithCopies the time to compute the length, including copies from host memory and back
     * @param text the time to compute the supersequence
     * @param textWithCopies the time to compute the supersequence, including copies from host memory and back
     */
    private record Times(
            double length, OptionalDouble lengthWithCopies, OptionalDouble text, OptionalDouble textWithCopies) {}

    @Override
    public void run() {
        Bench.inRange("--sizes", sizes, 1, MAX_LETTERS);
        Bench.inRange("--threads", threads(), 1, MAX_THREADS);
        SparkSession spark = bench.open();
        Table table = bench.table()
                .text("length", 9)
                .text("strategy", 20)
                .text("engine", 7)
                .number("ms", 12, 3)
                .number("paper's ms", 12, 3)
                .number("speedup", 9, 2)
                .number("paper's", 9, 2)
                .number("efficiency", 10, 3)
                .number("paper's", 10, 3)
                .number("with copies", 12, 3)
                .number("scs ms", 12, 3)
                .number("with copies", 12, 3);
        for (int size : sizes) {
            measure(spark, table, size);
        }
        bench.close();
    }

    private void measure(SparkSession spark, Table table, int size) {
        List<Pair> pairs = pairs(size);
        List<Integer> lengths = pairs.stream()
                .map(pair -> ShortestCommonSupersequence.length(pair.a(), pair.b(), Strategy.AUTO, 1))
                .toList();
        bench.compare(Strategies.names(Strategy.class));
        List<Strategy> strategies = bench.strategies().stream()
                .map(name -> Strategies.parse("scs", Strategy.class, name))
                .sorted((a, b) -> Boolean.compare(b == Strategy.SERIAL, a == Strategy.SERIAL))
                .toList();
        OptionalDouble serial = OptionalDouble.empty();
        for (Strategy strategy : strategies) {
            boolean byCells = strategy != Strategy.AUTO && strategy != Strategy.BIT_PARALLEL;
            // on the CPU, ROW_WISE_PERSISTENT runs the same code as ROW_WISE
            if (strategy == Strategy.ROW_WISE_PERSISTENT || byCells && (long) size * size > mostCells) {
                continue;
            }
            boolean parallel = byCells && strategy != Strategy.SERIAL;
            for (int count : parallel ? threads() : List.of(1)) {
                Times times = onCpu(pairs, lengths, strategy, count);
                serial = strategy == Strategy.SERIAL ? OptionalDouble.of(times.length()) : serial;
                report(table, size, strategy, "cpu-" + count, count, times, serial);
            }
        }
        if (bench.gpu()) {
            String label = "zhao-" + size;
            List<Row> rows = pairs.stream()
                    .map(pair -> RowFactory.create(pair.a().toString(), pair.b().toString()))
                    .toList();
            Dataset<Row> instances = spark.createDataFrame(rows, PAIRS).coalesce(1);
            BenchmarkData data =
                    BenchmarkData.write(label, bench.folder(label), instances, Bench.function("scs"), CELLS);
            for (Strategy strategy : strategies) {
                if (strategy != Strategy.SERIAL) {
                    check(spark, data, lengths, strategy);
                    report(table, size, strategy, "gpu", 0, onGpu(data, strategy), serial);
                }
            }
        }
    }

    private List<Integer> threads() {
        if (threads != null) {
            return threads;
        }
        int cores = Runtime.getRuntime().availableProcessors();
        return IntStream.concat(IntStream.iterate(1, count -> count < cores, count -> 2 * count), IntStream.of(cores))
                .boxed()
                .toList();
    }

    private List<Pair> pairs(int size) {
        Random random = new Random(bench.seed() * 31 + size);
        List<Pair> pairs = new ArrayList<>();
        for (long i = bench.count(1, 1, 1); i > 0; i--) {
            pairs.add(new Pair(letters(random, size), letters(random, size)));
        }
        return pairs;
    }

    private static Text letters(Random random, int length) {
        char[] letters = new char[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (char) ('a' + random.nextInt(26));
        }
        return Text.of(new String(letters));
    }

    private static Times onCpu(List<Pair> pairs, List<Integer> lengths, Strategy strategy, int threads) {
        ToIntFunction<Pair> length = pair -> ShortestCommonSupersequence.length(pair.a(), pair.b(), strategy, threads);
        ToIntFunction<Pair> text =
                pair -> ShortestCommonSupersequence.supersequence(pair.a(), pair.b(), strategy, threads)
                        .length();
        return new Times(
                onCpu(pairs, lengths, strategy, length),
                OptionalDouble.empty(),
                unlessLimited(() -> onCpu(pairs, lengths, strategy, text)),
                OptionalDouble.empty());
    }

    private static double onCpu(List<Pair> pairs, List<Integer> lengths, Strategy strategy, ToIntFunction<Pair> solve) {
        return seconds(() -> Stopwatch.seconds(() -> {
                    for (int i = 0; i < lengths.size(); i++) {
                        compare(strategy, "the CPU", solve.applyAsInt(pairs.get(i)), lengths.get(i));
                    }
                }))
                / pairs.size();
    }

    private static void compare(Strategy strategy, String where, int actual, int expected) {
        if (actual != expected) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("the supersequence with the strategy %s on %s has %,d letters, but with auto on the CPU it "
                                    + "has %,d")
                            .formatted(Strategies.name(strategy), where, actual, expected));
        }
    }

    private static void check(SparkSession spark, BenchmarkData data, List<Integer> lengths, Strategy strategy) {
        spark.conf().set(Bench.function("scs").problem().strategyKey(), Strategies.name(strategy));
        List<Row> rows = data.read(spark).selectExpr("scs_length(a, b)").collectAsList();
        for (int i = 0; i < lengths.size(); i++) {
            compare(strategy, "the GPU", rows.get(i).getInt(0), lengths.get(i));
        }
    }

    private static Times onGpu(BenchmarkData data, Strategy strategy) {
        SolverCall length = call("scs_length", strategy);
        SolverCall text = call("scs", strategy);
        try (GpuBatch batch = GpuSide.get(GpuBench.class).read(data)) {
            int rows = batch.rows();
            return new Times(
                    seconds(() -> batch.kernelSeconds(length)) / rows,
                    OptionalDouble.of(seconds(() -> batch.hostSeconds(length)) / rows),
                    unlessLimited(() -> seconds(() -> batch.kernelSeconds(text)) / rows),
                    unlessLimited(() -> seconds(() -> batch.hostSeconds(text)) / rows));
        }
    }

    private static SolverCall call(String function, Strategy strategy) {
        return FunctionCall.of(Bench.function(function), Strategies.name(strategy), List.of("a", "b"))
                .solver();
    }

    private static double seconds(DoubleSupplier once) {
        double first = once.getAsDouble();
        if (first > LONG_SECONDS) {
            return first;
        }
        for (double warm = first; warm < LONG_SECONDS / 4; ) {
            warm += Math.max(LONG_SECONDS / 1000, once.getAsDouble());
        }
        return Stopwatch.median(0, REPETITIONS, once);
    }

    private static OptionalDouble unlessLimited(DoubleSupplier measure) {
        try {
            return OptionalDouble.of(measure.getAsDouble());
        } catch (BellmanException e) {
            if (e.code() != ErrorCode.BELLMAN_LIMIT) {
                throw e;
            }
            return OptionalDouble.empty();
        }
    }

    /** @param threads the number of threads; 0 for a GPU */
    private void report(
            Table table, int size, Strategy strategy, String engine, int threads, Times times, OptionalDouble serial) {
        OptionalDouble theirs = published(size, strategy, threads);
        OptionalDouble speedup = Optionals.times(serial, 1 / times.length());
        OptionalDouble theirSpeedup = Optionals.quotient(PUBLISHED.figure(size, "serial"), theirs);
        table.row(
                Integer.toString(size),
                Strategies.name(strategy),
                engine,
                times.length() * 1e3,
                theirs,
                speedup,
                theirSpeedup,
                efficiency(speedup, threads),
                efficiency(theirSpeedup, threads),
                Optionals.times(times.lengthWithCopies(), 1e3),
                Optionals.times(times.text(), 1e3),
                Optionals.times(times.textWithCopies(), 1e3));
        Measurement length = measurement(size, "scs_length", strategy, engine, times.length());
        bench.add(length.withTimes(times.lengthWithCopies(), Optional.empty())
                .comparedWith(Optionals.times(theirs, 1e-3), Map.of()));
        times.text()
                .ifPresent(text -> bench.add(measurement(size, "scs", strategy, engine, text)
                        .withTimes(times.textWithCopies(), Optional.empty())));
    }

    private static OptionalDouble efficiency(OptionalDouble speedup, int threads) {
        return threads == 0 ? OptionalDouble.empty() : Optionals.times(speedup, 1.0 / threads);
    }

    private static OptionalDouble published(int size, Strategy strategy, int threads) {
        if (threads == 0) {
            return PUBLISHED.figure(size, "gpu");
        }
        return switch (strategy) {
            case SERIAL -> PUBLISHED.figure(size, "serial");
            case ANTI_DIAGONAL, ROW_WISE -> PUBLISHED.figure(size, Strategies.name(strategy) + " " + threads);
            default -> OptionalDouble.empty();
        };
    }

    private static Measurement measurement(
            int size, String function, Strategy strategy, String engine, double seconds) {
        return new Measurement(
                "zhao-" + size, function, Strategies.name(strategy), engine, 1, (long) size * size, seconds);
    }
}
