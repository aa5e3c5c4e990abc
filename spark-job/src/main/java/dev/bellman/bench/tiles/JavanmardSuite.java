package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Optionals;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.bench.paper.PublishedTable;
import dev.bellman.large.tiles.Messages;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.TileKernel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reproduces Javanmard, Ganapathi, Das, Ahmad, Tschudi and Chowdhury, "Toward efficient architecture-independent
 * algorithms for dynamic programs" (2019), which computes one large table, either by recursion on tiles or in rounds.
 * The paper's figures show the speedup of its r-way recursion on a GPU over its 2-way recursion on a CPU; this suite
 * measures the same ratio for every strategy. It also compares the number of moved tiles with the bound of theorem 1,
 * and the number of messages with the bound of table 1.
 */
@Command(
        name = "javanmard",
        description = "Javanmard et al. (2019): large tables in tiles, next to the published figures and bounds.",
        mixinStandardHelpOptions = true)
public final class JavanmardSuite implements Runnable {
    /** The number of tiles that a schedule moves into and out of a memory that holds a given number of tiles. */
    record Moved(
            String pattern,
            String schedule,
            int side,
            int memory,
            long loads,
            long stores,
            double ofBound,
            Double ofLeast) {}

    /** The number of messages that must be sent one after another on a given number of nodes. */
    record Sent(String pattern, int nodes, long messages, double ofBound) {}

    private static final PublishedTable PUBLISHED = PublishedTable.of("javanmard");

    /** The number of operations that take a single thread a few seconds. */
    private static final double MAX_OF_THREAD = 1e10;

    /** If a run takes longer than this many seconds, it is not repeated. */
    private static final double LONG = 0.2;

    private static final int SIDE = 48;

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "1024,2048,4096,8192,16384,32768",
            paramLabel = "N",
            description = "numbers of rows in the tables; a CPU skips sizes that would take minutes "
                    + "(default: ${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(
            names = "--gpu-memory",
            paramLabel = "BYTES",
            description = "measure only tables in large tiles; the value is the GPU memory for the tiles, such as 4g")
    private String gpuMemory;

    @Option(
            names = "--host-memory",
            defaultValue = "8g",
            paramLabel = "BYTES",
            description = "with --gpu-memory, the pinned host memory for tiles; tiles that do not fit are stored in "
                    + "files (default: ${DEFAULT-VALUE})")
    private String hostMemory;

    @Option(
            names = "--large",
            split = ",",
            defaultValue = "floyd-warshall,elimination",
            paramLabel = "PROBLEM",
            description = "with --gpu-memory, the problems to measure; parenthesis and gap are also available "
                    + "(default: ${DEFAULT-VALUE})")
    private List<String> large;

    @Option(
            names = "--executors",
            split = ",",
            paramLabel = "P",
            description =
                    "measure only shortest paths in tiles, on these numbers of executors; strong scaling uses the "
                            + "largest of --sizes up to 8,192, and weak scaling starts with half of this size; with a "
                            + "local master, executors are single-core processes on this host")
    private List<Integer> executors;

    @Option(
            names = "--repeat",
            defaultValue = "1",
            paramLabel = "N",
            description = "with --executors, the number of runs for each table; the fastest run counts (default: "
                    + "${DEFAULT-VALUE})")
    private int repeat;

    private final List<String> leftOut = new ArrayList<>();

    @Override
    public void run() {
        Bench.inRange("--sizes", sizes, 1, gpuMemory == null ? 1 << 16 : 1 << 18);
        SparkSession spark = bench.open();
        if (gpuMemory != null) {
            inLargeTiles();
            return;
        }
        if (executors != null) {
            Bench.inRange("--executors", executors, 1, 1 << 10);
            Bench.inRange("--repeat", List.of(repeat), 1, 1 << 10);
            new ScalingBenchmark(bench, spark, repeat).measure(executors, sizes);
            bench.close();
            return;
        }
        Table table = bench.table()
                .text("problem", 16)
                .number("n", 8, 0)
                .text("strategy", 10)
                .text("engine", 8)
                .number("ms", 14, 3)
                .number("trillion operations/s", 21, 4)
                .number("vs. 2-way on the CPU", 22, 1)
                .number("paper's", 9, 1);
        for (TableProblem problem : List.of(
                new ShortestPathsTable(),
                new EliminationProblem(),
                FunctionTable.parenthesis(bench),
                FunctionTable.gap(bench))) {
            sizes.forEach(n -> measure(problem, n, table));
        }
        if (!leftOut.isEmpty()) {
            bench.out().println("skipped: " + String.join("; ", leftOut));
        }
        moved();
        sent();
        bench.close();
    }

    private void inLargeTiles() {
        if (!bench.gpu()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE, "--gpu-memory requires a session with the RAPIDS Accelerator");
        }
        LargeTilesBenchmark benchmark =
                new LargeTilesBenchmark(bench, bytes("--gpu-memory", gpuMemory), bytes("--host-memory", hostMemory));
        for (int n : sizes) {
            if (large.contains("floyd-warshall")) {
                benchmark.measure(ShortestPathsTable.inLargeTiles(n, bench.seed()));
            }
            if (large.contains("elimination")) {
                benchmark.measure(EliminationProblem.inLargeTiles(n, bench.seed()));
            }
            if (large.contains("parenthesis")) {
                // n - 1 leaves have n vertices, so the table divides evenly into tiles
                benchmark.measure(LargeParenthesis.inLargeTiles(n - 1, bench.seed()));
            }
            if (large.contains("gap")) {
                benchmark.measure(LargeAlignment.inLargeTiles(n, bench.seed()));
            }
        }
        bench.close();
    }

    private static long bytes(String option, String size) {
        try {
            return JavaUtils.byteStringAsBytes(size);
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_USAGE,
                    "%s is '%s'; it must be a number of bytes, such as 8g".formatted(option, size),
                    e);
        }
    }

    private void measure(TableProblem problem, int n, Table table) {
        int threads = problem.cpuThreads();
        Map<String, Double> onCpu = new LinkedHashMap<>();
        if (problem.operations(n) <= MAX_OF_THREAD * threads) {
            for (String strategy : problem.cpuStrategies()) {
                if (!bench.gpu() || strategy.equals(problem.recursion())) {
                    onCpu.put(strategy, median(3, () -> problem.cpuSeconds(n, strategy, threads, bench.seed())));
                }
            }
        } else {
            leftOut.add("%s, n = %,d, on the CPU: the computation would take too long".formatted(problem.name(), n));
        }
        OptionalDouble reference = onCpu.containsKey(problem.recursion())
                ? OptionalDouble.of(onCpu.get(problem.recursion()))
                : OptionalDouble.empty();
        onCpu.forEach((strategy, seconds) ->
                row(problem, n, strategy, "cpu-" + threads, seconds, reference, OptionalDouble.empty(), table));
        if (bench.gpu() && !problem.fitsGpu(n)) {
            leftOut.add("%s, n = %,d, on the GPU: the GPU does not have enough memory".formatted(problem.name(), n));
        } else if (bench.gpu()) {
            for (String strategy : problem.gpuStrategies()) {
                double seconds = median(5, () -> problem.gpuSeconds(n, strategy, bench.seed()));
                OptionalDouble paper = PUBLISHED.figure(problem.name(), String.valueOf(n));
                row(problem, n, strategy, "gpu", seconds, reference, paper, table);
            }
        }
    }

    /** Returns the time of the first run if it is long; otherwise, returns the median of several further runs. */
    private static double median(int repetitions, DoubleSupplier seconds) {
        double first = seconds.getAsDouble();
        return first > LONG ? first : Stopwatch.median(0, repetitions, seconds);
    }

    private void row(
            TableProblem problem,
            int n,
            String strategy,
            String engine,
            double seconds,
            OptionalDouble reference,
            OptionalDouble paper,
            Table table) {
        OptionalDouble ratio = Optionals.times(reference, 1 / seconds);
        Map<String, Double> ratios = new LinkedHashMap<>();
        ratio.ifPresent(times -> ratios.put("2-way recursion on the CPU", times));
        bench.add(new Measurement("n-" + n, problem.name(), strategy, engine, 1, (long) problem.operations(n), seconds)
                .comparedWith(OptionalDouble.empty(), ratios));
        table.row(
                problem.name(),
                n,
                strategy,
                engine,
                seconds * 1e3,
                problem.operations(n) / seconds / 1e12,
                ratio,
                paper);
    }

    /**
     * Compares the number of moved tiles with theorem 1: for n^3 operations, every schedule moves at least on the order
     * of n^3 / sqrt(M) cells into a memory of M cells, and the recursion attains this order. The lower bound is 2 W /
     * sqrt(M), where W is the number of operations. For matrix products, it is 2 n^3 / sqrt(M), and the same argument
     * applies to fewer operations.
     */
    private void moved() {
        Table table = bench.table(
                        ("tiles moved for a table with n = %d tiles per side and a memory of M tiles, as multiples of "
                                        + "the bound n^3 / sqrt(M) and of the minimum 2 W / sqrt(M) for W tile "
                                        + "products")
                                .formatted(SIDE))
                .text("pattern", 14)
                .text("schedule", 10)
                .number("memory", 8, 0)
                .number("loads", 12, 0)
                .number("stores", 12, 0)
                .number("times bound", 14, 2)
                .number("times minimum", 14, 2);
        Map<String, Schedule> schedules = new LinkedHashMap<>();
        schedules.put("blocked", Schedule.blocked(SIDE));
        schedules.put("2-way", Schedule.twoWay(SIDE).inOrder(Integer.SIZE));
        for (Pattern pattern : Pattern.values()) {
            schedules.forEach((name, schedule) -> {
                for (int memory : new int[] {12, 48, 192}) {
                    Traffic traffic = new Traffic(memory);
                    schedule.run(pattern, SIDE, traffic);
                    double bound = Math.pow(SIDE, 3) / Math.sqrt(memory);
                    double times = (traffic.loads() + traffic.stores()) / bound;
                    double work = pattern.work(TileKernel.A);
                    OptionalDouble least = work == 0 ? OptionalDouble.empty() : OptionalDouble.of(times / (2 * work));
                    bench.add(new Moved(
                            name(pattern),
                            name,
                            SIDE,
                            memory,
                            traffic.loads(),
                            traffic.stores(),
                            times,
                            least.isPresent() ? least.getAsDouble() : null));
                    table.row(name(pattern), name, memory, traffic.loads(), traffic.stores(), times, least);
                }
            });
        }
    }

    /**
     * Compares the number of messages on the critical path with table 1: on p nodes, it is on the order of
     * sqrt(p) log p, and each message has n^2 / p cells.
     */
    private void sent() {
        Table table = bench.table("sequential messages on p nodes, also as multiples of the bound sqrt(p) log p")
                .text("pattern", 14)
                .number("nodes", 8, 0)
                .number("messages", 12, 0)
                .number("times bound", 14, 2);
        for (Pattern pattern : Pattern.values()) {
            for (int side : new int[] {4, 16, 64}) {
                Messages messages = new Messages();
                Schedule.blocked(side).run(pattern, side, messages);
                int nodes = side * side;
                double times = messages.inSequence() / (side * Math.log(nodes) / Math.log(2));
                bench.add(new Sent(name(pattern), nodes, messages.inSequence(), times));
                table.row(name(pattern), nodes, messages.inSequence(), times);
            }
        }
    }

    private static String name(Pattern pattern) {
        return pattern.name().toLowerCase(Locale.ROOT);
    }
}
