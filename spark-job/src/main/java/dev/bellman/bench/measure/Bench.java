package dev.bellman.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Suggestion;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Bellman;
import dev.bellman.function.Catalogue;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The parts that all suites share: options, machine information, and the report. */
public final class Bench {
    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "NAME",
            description = "Strategies to measure. Default: auto; for a published table, the strategies of the engine")
    private List<String> strategies;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Number of instances in each dataset. Default: depends on their size")
    private Long count;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Seed of the data. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--output",
            defaultValue = "out/bench",
            paramLabel = "PATH",
            description = "Local folder for data and results. Default: ${DEFAULT-VALUE}")
    private Path output;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the measurements. Default: <output>/<suite>.json")
    private Path json;

    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Record> analysis = new ArrayList<>();
    private SparkSession spark;
    private boolean own;
    private Table table;

    /** Opens the session. If RAPIDS is configured, the suite measures the GPU, and otherwise the CPU. */
    public SparkSession open() {
        own = SparkSession.getDefaultSession().isEmpty();
        spark = SparkSession.builder().appName("bellman bench").getOrCreate();
        Bellman.register(spark);
        return spark;
    }

    public boolean gpu() {
        return GpuSide.find(GpuBench.class).isPresent()
                && spark.conf().get("spark.plugins", "").contains("com.nvidia.spark.SQLPlugin");
    }

    /** Sets the strategies to measure, unless the command line sets them. */
    public void compare(List<String> names) {
        if (strategies == null) {
            strategies = names;
        }
    }

    public List<String> strategies() {
        return strategies == null ? List.of("auto") : strategies;
    }

    /** Adds a measurement to the report. */
    public void add(Measurement measurement) {
        measurements.add(measurement);
    }

    /** Adds figures other than times to the report. */
    public void add(Record figures) {
        analysis.add(figures);
    }

    public long seed() {
        return seed;
    }

    /**
     * Returns the number of instances: the number set on the command line, or otherwise one for about this many cells
     * in total.
     */
    public long count(long cells, double cellsEach, long most) {
        if (count != null) {
            inRange("--count", List.of(count), 1, Integer.MAX_VALUE);
            return count;
        }
        return (long) Math.max(1, Math.min(most, cells / cellsEach));
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_USAGE} if an option has a value out of range */
    public static void inRange(String option, List<? extends Number> values, long least, long most) {
        for (Number value : values) {
            if (value.longValue() < least || value.longValue() > most) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_USAGE,
                        "%s has %s; it must be from %,d to %,d".formatted(option, value, least, most));
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

    /** Creates a table with a title. */
    public Table table(String title) {
        out().println("\n" + title);
        return table();
    }

    /** Measures a function with every requested strategy, on the available engine. */
    public List<Measurement> measure(
            BenchmarkData data, BellmanFunction<?> function, String textbook, Baselines baselines) {
        FunctionBenchmark benchmark = new FunctionBenchmark(spark, data, textbook, folder("result"));
        List<Measurement> measured = new ArrayList<>();
        if (table == null) {
            table = table().text("dataset", 14)
                    .text("function", 18)
                    .text("strategy", 13)
                    .text("engine", 6)
                    .number("instances", 12, 0)
                    .number("kernel ms", 12, 3)
                    .number("M inst./s", 12, 4)
                    .number("tera cells/s", 12, 5)
                    .number("host ms", 10, 1)
                    .text(" end to end, and ratios", 1);
        }
        for (String strategy : strategies()) {
            Measurement plain = gpu() ? benchmark.onGpu(function, strategy) : benchmark.onCpu(function, strategy);
            Measurement compared = baselines.compare(plain);
            measurements.add(compared);
            measured.add(compared);
            table.row(
                    compared.dataset(),
                    compared.function(),
                    compared.strategy(),
                    compared.engine(),
                    compared.instances(),
                    compared.kernelSeconds() * 1e3,
                    compared.millionInstancesPerSecond(),
                    compared.tcups(),
                    Optionals.times(compared.hostSeconds(), 1e3),
                    endToEnd(compared));
        }
        return measured;
    }

    private static String endToEnd(Measurement measured) {
        StringBuilder text = new StringBuilder(measured.endToEnd()
                .map(query -> String.format(Locale.ROOT, " %,d rows in %.3f s", query.instances(), query.seconds()))
                .orElse(" -"));
        measured.ratios().forEach((name, ratio) -> text.append(String.format(Locale.ROOT, "; %s %.3g", name, ratio)));
        return text.toString();
    }

    /** Writes the measurements and a description of the machine. */
    public void close() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("suite", command.name());
        report.put("spark", spark.version());
        report.put("java", System.getProperty("java.version"));
        report.put("cores", Runtime.getRuntime().availableProcessors());
        report.put("gpu", gpu() ? GpuSide.get(GpuOfTask.class).name() : null);
        report.put("measurements", measurements);
        if (!analysis.isEmpty()) {
            report.put("analysis", analysis);
        }
        Path file = json == null ? output.resolve(command.name() + ".json") : json;
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), report);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE, "cannot write " + file + ": " + e.getMessage(), e);
        }
        out().println("measurements: " + file);
        if (own) {
            spark.stop();
        }
    }
}
