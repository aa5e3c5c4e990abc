package dev.bellman.bench;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.align.subsequence.ShortestCommonSupersequence;
import dev.bellman.align.subsequence.ShortestCommonSupersequence.Strategy;
import dev.bellman.columns.ColumnarFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * Tables I to III of Z. Zhao, "Parallel computing the shortest common supersequence problem" (2023), and longer pairs: times, and their
 * speedup and efficiency against our own serial time. As his, a time is that of the length alone; beside it are the time with the
 * copies to and from the GPU, and both for the supersequence, which takes the traceback. What a strategy's limits exclude is left out.
 */
@Command(
        name = "zhao",
        description = "Tables I to III of Zhao (2023): shortest common supersequences, ours beside his.",
        mixinStandardHelpOptions = true)
final class ZhaoSuite implements Runnable {
    private static final String CELLS = "CAST(length(a) AS BIGINT) * length(b)";

    private static final StructType PAIRS =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    /** A first run that takes so long is the measurement; otherwise runs of together a quarter of it are the warm-up of several. */
    private static final double LONG_SECONDS = 2;

    private static final int REPETITIONS = 5;

    /** Milliseconds by length: serial; anti-diagonal by 8, 16 and 32 threads; row-wise likewise; row-wise on a GPU. */
    private static final Map<Integer, double[]> PUBLISHED = Map.of(
            2_000, new double[] {21.0650, 14.9655, 21.5291, 51.0949, 15.1931, 23.6336, 52.2534, 5.6098},
            4_000, new double[] {83.7208, 35.3459, 47.2821, 84.2341, 34.8422, 56.3370, 146.9931, 11.1558},
            6_000, new double[] {186.8341, 63.0685, 70.9093, 161.0058, 55.2004, 89.6952, 241.4106, 16.9883},
            8_000, new double[] {332.9428, 96.4191, 105.6943, 203.9953, 87.3840, 138.0009, 311.7736, 21.9110},
            10_000, new double[] {524.3038, 175.2451, 189.4233, 284.6570, 111.8855, 162.3052, 440.7839, 27.5591},
            20_000, new double[] {2100.6904, 532.5543, 454.5218, 633.1145, 425.1172, 395.2775, 931.3449, 58.0116},
            40_000,
                    new double[] {8398.2480, 2473.1117, 1544.3785, 1346.8406, 1335.6912, 1273.7588, 1959.3540, 113.1901
                    },
            60_000,
                    new double[] {18845.5030, 5678.9880, 2888.7606, 2714.6061, 2872.7902, 2471.7683, 2937.4066, 185.7801
                    });

    private static final List<Integer> PUBLISHED_THREADS = List.of(8, 16, 32);

    private static final int PUBLISHED_ON_GPU = 7;

    private static final int MOST_LETTERS = 100_000_000;

    private static final int MOST_THREADS = 1_024;

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "2000,4000,6000,8000,10000,20000,40000,60000,100000,1000000",
            paramLabel = "N",
            description = "Lengths of both strings. Default: ${DEFAULT-VALUE}")
    private List<Integer> sizes;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description =
                    "Threads of the strategies that are parallel on the CPU. Default: powers of two up to its cores, and these")
    private List<Integer> threads;

    @Option(
            names = "--most-cells",
            defaultValue = "3600000000",
            paramLabel = "N",
            description = "Cells up to which the CPU computes tables cell by cell. Default: ${DEFAULT-VALUE}")
    private long mostCells;

    private record Pair(Text a, Text b) {}

    /**
     * Seconds for a pair; null where a limit excludes it.
     *
     * @param length of the length
     * @param lengthWithCopies the same from host memory to host memory
     * @param text of the supersequence
     * @param textWithCopies the same from host memory to host memory
     */
    private record Times(double length, Double lengthWithCopies, Double text, Double textWithCopies) {}

    @Override
    public void run() {
        Bench.inRange("--sizes", sizes, 1, MOST_LETTERS);
        Bench.inRange("--threads", threads(), 1, MOST_THREADS);
        SparkSession spark = bench.open();
        bench.out()
                .printf(
                        Locale.ROOT,
                        "%-9s %-20s %-7s %12s %12s %9s %9s %10s %10s %12s %12s %12s%n",
                        "length",
                        "strategy",
                        "engine",
                        "ms",
                        "paper's ms",
                        "speedup",
                        "paper's",
                        "efficiency",
                        "paper's",
                        "with copies",
                        "scs ms",
                        "with copies");
        for (int size : sizes) {
            measure(spark, size);
        }
        bench.close();
    }

    private void measure(SparkSession spark, int size) {
        List<Pair> pairs = pairs(size);
        List<Integer> lengths = pairs.stream()
                .map(pair -> ShortestCommonSupersequence.length(pair.a(), pair.b(), Strategy.AUTO, 1))
                .toList();
        bench.compare(Strategies.names(Strategy.class));
        List<Strategy> strategies = bench.strategies().stream()
                .map(name -> Strategies.parse("scs", Strategy.class, name))
                .sorted((a, b) -> Boolean.compare(b == Strategy.SERIAL, a == Strategy.SERIAL))
                .toList();
        Double serial = null;
        for (Strategy strategy : strategies) {
            boolean byCells = strategy != Strategy.AUTO && strategy != Strategy.BIT_PARALLEL;
            // on the CPU the rows are one strategy
            if (strategy == Strategy.ROW_WISE_PERSISTENT || byCells && (long) size * size > mostCells) {
                continue;
            }
            boolean parallel = byCells && strategy != Strategy.SERIAL;
            for (int count : parallel ? threads() : List.of(1)) {
                Times times = onCpu(pairs, lengths, strategy, count);
                serial = strategy == Strategy.SERIAL ? (Double) times.length() : serial;
                report(size, strategy, "cpu-" + count, count, times, serial);
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
                    report(size, strategy, "gpu", 0, onGpu(data, strategy), serial);
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
                null,
                unlessLimited(() -> onCpu(pairs, lengths, strategy, text)),
                null);
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
                    "scs by %s on %s has %,d letters, by auto on the CPU %,d"
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
        ColumnarFunction length = columnar("scs_length", strategy);
        ColumnarFunction text = columnar("scs", strategy);
        try (GpuBatch batch = GpuBatch.read(data)) {
            int rows = batch.rows();
            return new Times(
                    seconds(() -> batch.kernelSeconds(length)) / rows,
                    seconds(() -> batch.hostSeconds(length)) / rows,
                    unlessLimited(() -> seconds(() -> batch.kernelSeconds(text)) / rows),
                    unlessLimited(() -> seconds(() -> batch.hostSeconds(text)) / rows));
        }
    }

    private static ColumnarFunction columnar(String function, Strategy strategy) {
        return (ColumnarFunction)
                FunctionCall.of(Bench.function(function), Strategies.name(strategy), List.of("a", "b"))
                        .udf();
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

    private static Double unlessLimited(DoubleSupplier measure) {
        try {
            return measure.getAsDouble();
        } catch (BellmanException e) {
            if (e.code() != ErrorCode.BELLMAN_LIMIT) {
                throw e;
            }
            return null;
        }
    }

    /** @param threads 0 for a GPU */
    private void report(int size, Strategy strategy, String engine, int threads, Times times, Double serial) {
        Double theirs = published(size, strategy, threads);
        double[] published = PUBLISHED.get(size);
        Double speedup = serial == null ? null : (Double) (serial / times.length());
        Double theirSpeedup = theirs == null ? null : (Double) (published[0] / theirs);
        bench.out()
                .printf(
                        Locale.ROOT,
                        "%-9d %-20s %-7s %12s %12s %9s %9s %10s %10s %12s %12s %12s%n",
                        size,
                        Strategies.name(strategy),
                        engine,
                        text(times.length(), 1e3, "%,.3f"),
                        text(theirs, 1, "%,.3f"),
                        text(speedup, 1, "%,.2f"),
                        text(theirSpeedup, 1, "%,.2f"),
                        threads == 0 ? "-" : text(speedup, 1.0 / threads, "%.3f"),
                        threads == 0 ? "-" : text(theirSpeedup, 1.0 / threads, "%.3f"),
                        text(times.lengthWithCopies(), 1e3, "%,.3f"),
                        text(times.text(), 1e3, "%,.3f"),
                        text(times.textWithCopies(), 1e3, "%,.3f"));
        bench.out().flush();
        add(size, "scs_length", strategy, engine, times.length(), times.lengthWithCopies(), theirs);
        if (times.text() != null) {
            add(size, "scs", strategy, engine, times.text(), times.textWithCopies(), null);
        }
    }

    private static Double published(int size, Strategy strategy, int threads) {
        double[] published = PUBLISHED.get(size);
        int count = PUBLISHED_THREADS.indexOf(threads);
        if (published == null) {
            return null;
        } else if (threads == 0) {
            return published[PUBLISHED_ON_GPU];
        }
        return switch (strategy) {
            case SERIAL -> (Double) published[0];
            case ANTI_DIAGONAL -> count < 0 ? null : (Double) published[1 + count];
            case ROW_WISE -> count < 0 ? null : (Double) published[1 + PUBLISHED_THREADS.size() + count];
            default -> null;
        };
    }

    private static String text(Double value, double factor, String format) {
        return value == null ? "-" : String.format(Locale.ROOT, format, value * factor);
    }

    private void add(
            int size,
            String function,
            Strategy strategy,
            String engine,
            double seconds,
            Double secondsWithCopies,
            Double paperMilliseconds) {
        bench.add(new Measurement(
                "zhao-" + size,
                function,
                Strategies.name(strategy),
                engine,
                1,
                (long) size * size,
                seconds,
                secondsWithCopies,
                null,
                null,
                paperMilliseconds == null ? null : (Double) (paperMilliseconds / 1e3),
                Map.of()));
    }
}
