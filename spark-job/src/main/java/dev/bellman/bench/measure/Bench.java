package dev.bellman.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Suggestion;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.columns.Rapids;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Bellman;
import dev.bellman.function.Catalogue;
import dev.bellman.job.cli.EarlyEnd;
import dev.bellman.job.progress.Quantity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The code that all suites share: options, machine information, and the report. */
public final class Bench {
    /** Whether this process opened the session and therefore runs only for the suite. */
    private static boolean ownsProcess;

    /** The number by which a quick suite divides the default number of instances. */
    private static final int QUICK_SHARE = 10;

    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "NAME",
            description = "strategies to measure (default: auto; for suites that reproduce a table from a paper, "
                    + "the paper's strategies that are practical on the engine, and others for comparison)")
    private List<String> strategies;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "number of instances in each dataset (default: depends on the size of the instances)")
    private Long count;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "random seed for the data (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--output",
            defaultValue = "out/bench",
            paramLabel = "PATH",
            description = "local folder for data and results (default: ${DEFAULT-VALUE})")
    private Path output;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "file for the measurements (default: <output>/<suite>.json)")
    private Path json;

    @Option(
            names = "--quick",
            description = "take one measurement within seconds: the first function, on a small dataset, without "
                    + "end-to-end queries and without baselines of other programs")
    private boolean quick;

    @Option(
            names = "--warm-up",
            defaultValue = "2",
            paramLabel = "SECONDS",
            description = "minimum time that calls on a CPU run before they are measured, while Java optimizes them "
                    + "(default: ${DEFAULT-VALUE}; with --quick at most 0.5)")
    private double warmUpSeconds;

    /**
     * The measurements and figures so far; if the process is terminated, another thread may write them to the report.
     */
    private final List<Measurement> measurements = new ArrayList<>();

    private final List<Record> analysis = new ArrayList<>();
    private final List<Query> queries = new ArrayList<>();
    private SparkSession spark;
    private boolean own;
    private Optional<String> gpuName = Optional.empty();
    private Optional<EarlyEnd> earlyEnd = Optional.empty();
    private Table table;

    /**
     * A query that is measured after the kernels.
     *
     * @param index the index of the corresponding kernel measurement
     */
    private record Query(int index, FunctionBenchmark benchmark, BellmanFunction<?> function, Baselines baselines) {}

    /** Opens the session. The suite measures the GPU if RAPIDS is configured, and the CPU otherwise. */
    public SparkSession open() {
        own = ownsSession();
        spark = session();
        Bellman.register(spark);
        if (gpu()) {
            gpuName = Optional.of(GpuSide.get(GpuOfTask.class).name());
        }
        if (ownsProcess) {
            earlyEnd = Optional.of(new EarlyEnd(this::reportEarlyEnd));
        }
        return spark;
    }

    /** Returns the session, which is shared by suites that run one after another. */
    public static SparkSession session() {
        ownsProcess |= ownsSession();
        return SparkSession.builder().appName("bellman bench").getOrCreate();
    }

    private static boolean ownsSession() {
        return SparkSession.getDefaultSession().isEmpty();
    }

    public boolean gpu() {
        return GpuSide.find(GpuBench.class).isPresent()
                && Rapids.hasGpu(spark.sparkContext().getConf());
    }

    /** Sets the strategies to measure, unless the command line specifies them. */
    public void compare(List<String> names) {
        if (strategies == null) {
            strategies = names;
        }
    }

    public List<String> strategies() {
        List<String> all = strategies == null ? List.of("auto") : strategies;
        return quick ? all.subList(0, 1) : all;
    }

    /** Adds a measurement to the report. */
    public void add(Measurement measurement) {
        synchronized (measurements) {
            measurements.add(measurement);
        }
    }

    /** Adds figures that are not a {@link Measurement} to the report. */
    public void add(Record figures) {
        synchronized (measurements) {
            analysis.add(figures);
        }
    }

    /** Whether a quick suite has printed its only line. */
    public boolean isEnough() {
        return quick && !(measurements.isEmpty() && analysis.isEmpty());
    }

    public boolean isQuick() {
        return quick;
    }

    public long seed() {
        return seed;
    }

    /**
     * Returns the number of instances: the number on the command line or, by default, as many as have about
     * {@code cells} cells in total, but not more than {@code most}. By default, a quick suite has a tenth of them.
     */
    public long count(long cells, double cellsEach, long most) {
        if (count != null) {
            inRange("--count", List.of(count), 1, Integer.MAX_VALUE);
            return count;
        }
        return (long) Math.max(1, Math.min(most, cells / cellsEach) / (quick ? QUICK_SHARE : 1));
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_USAGE} if the value of an option is out of range */
    public static void inRange(String option, List<? extends Number> values, long least, long most) {
        for (Number value : values) {
            if (value.longValue() < least || value.longValue() > most) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_USAGE,
                        "the value of %s is %s; it must be from %,d to %,d".formatted(option, value, least, most));
            }
        }
    }

    public String folder(String name) {
        return output.resolve(name).toString();
    }

    public static BellmanFunction<?> function(String name) {
        return Catalogue.functions().stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_USAGE,
                        Suggestion.unknown(
                                "function",
                                name,
                                Catalogue.functions().stream()
                                        .map(BellmanFunction::name)
                                        .toList())));
    }

    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    public Table table() {
        return new Table(out());
    }

    /** Prints a title, and returns a table that is printed below it. */
    public Table table(String title) {
        out().println("\n" + title);
        return table();
    }

    /**
     * Measures a function's kernels or calls with every requested strategy on the available engine, and prints each
     * figure immediately. Unless the suite is quick, {@link #close} measures the queries.
     */
    public List<Measurement> measure(
            BenchmarkData data, BellmanFunction<?> function, String textbook, Baselines baselines) {
        FunctionBenchmark benchmark =
                new FunctionBenchmark(spark, data, textbook, folder("result"), warmUpSeconds, quick);
        List<Measurement> measured = new ArrayList<>();
        if (table == null) {
            table = table().text("dataset", 14)
                    .text("function", 18)
                    .text("strategy", 13)
                    .text("engine", 6)
                    .number("instances", 12, 0)
                    .number(gpu() ? "kernel ms" : "ms", 12, 3)
                    .number("instances/s", 12, 0)
                    .number("cells/s", 10, 0)
                    .number("host ms", 10, 1)
                    .text(" ratios", 1);
        }
        for (String strategy : strategies()) {
            Measurement plain = gpu() ? benchmark.onGpu(function, strategy) : benchmark.onCpu(function, strategy);
            Measurement compared = baselines.compare(plain);
            queries.add(new Query(measurements.size(), benchmark, function, baselines));
            add(compared);
            measured.add(compared);
            table.row(
                    compared.dataset(),
                    compared.function(),
                    compared.strategy(),
                    compared.engine(),
                    compared.instances(),
                    compared.kernelSeconds() * 1e3,
                    Quantity.scaled(compared.instancesPerSecond()),
                    Quantity.scaled(compared.cellsPerSecond()),
                    Optionals.times(compared.hostSeconds(), 1e3),
                    ratios(compared, compared.ratios().keySet()));
        }
        return measured;
    }

    /** Measures the queries of all functions whose kernels or calls have been measured. */
    private void measureQueries() {
        if (queries.isEmpty()) {
            return;
        }
        Table ends = table("the whole query, from Parquet to Parquet")
                .text("dataset", 14)
                .text("function", 18)
                .text("strategy", 13)
                .number("rows", 12, 0)
                .number("seconds", 10, 3)
                .text(" ratios", 1);
        for (Query query : queries) {
            Measurement kernel = measurements.get(query.index);
            Measurement.EndToEnd end = query.benchmark.endToEnd(query.function, kernel.strategy());
            Measurement whole = query.baselines.compare(kernel.withTimes(kernel.hostSeconds(), Optional.of(end)));
            synchronized (measurements) {
                measurements.set(query.index, whole);
            }
            Set<String> others = new TreeSet<>(whole.ratios().keySet());
            others.removeAll(kernel.ratios().keySet());
            ends.row(
                    whole.dataset(),
                    whole.function(),
                    whole.strategy(),
                    end.instances(),
                    end.seconds(),
                    ratios(whole, others));
        }
    }

    private static String ratios(Measurement measured, Set<String> names) {
        return names.isEmpty()
                ? " -"
                : names.stream()
                        .map(name -> String.format(
                                Locale.ROOT, " %s %.3g", name, measured.ratios().get(name)))
                        .collect(Collectors.joining(";"));
    }

    /**
     * Measures the queries unless the suite is quick, writes all measurements, and stops the session if this suite
     * opened it.
     */
    public void close() {
        if (!quick) {
            measureQueries();
        }
        earlyEnd.ifPresent(EarlyEnd::close);
        out().println("measurements: " + write());
        if (own) {
            spark.stop();
        }
    }

    /** Writes the measurements, if there are any. */
    private void reportEarlyEnd() {
        out().println(
                        measurements.isEmpty()
                                ? "%nthe run ended early, before the first measurement of %s".formatted(command.name())
                                : "%nthe run ended early; measurements so far: %s".formatted(write()));
        out().flush();
    }

    /** Writes the measurements and a description of the machine to a file, and returns the file. */
    private Path write() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("suite", command.name());
        report.put("spark", spark.version());
        report.put("java", System.getProperty("java.version"));
        report.put("cores", Runtime.getRuntime().availableProcessors());
        report.put("gpu", gpuName.orElse(null));
        synchronized (measurements) {
            report.put("measurements", List.copyOf(measurements));
            if (!analysis.isEmpty()) {
                report.put("analysis", List.copyOf(analysis));
            }
        }
        Path file = json == null ? output.resolve(command.name() + ".json") : json;
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), report);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE, "cannot write " + file + ": " + e.getMessage(), e);
        }
        return file;
    }
}
