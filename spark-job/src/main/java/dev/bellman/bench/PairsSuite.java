package dev.bellman.bench;

import static org.apache.spark.sql.functions.lit;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionBenchmark;
import dev.bellman.bench.measure.FunctionCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import dev.bellman.job.run.GpuCeiling;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks the functions for pairs of sequences on random pairs. Both sequences have the same length, unless a
 * separate length is set for the first or the second is an edited copy. There are two baselines: Spark's own
 * {@code levenshtein} on all cores, with fewer pairs; and the same job with the sum of the two lengths instead of the
 * function.
 */
@Command(name = "pairs", description = "Sequence pairs.", mixinStandardHelpOptions = true)
final class PairsSuite implements Runnable {

    /**
     * The number of cells to compute with Spark's levenshtein, which processes about 10^8 cells per second and core.
     */
    private static final long LEVENSHTEIN_CELLS = 2_000_000_000;

    static final String RAPIDS_ENABLED = "spark.rapids.sql.enabled";

    @Mixin
    private Bench bench;

    @Option(
            names = "--functions",
            split = ",",
            defaultValue = "edit_distance,lcs_length,edit_cigar",
            paramLabel = "NAME",
            description = "functions to measure (default: ${DEFAULT-VALUE})")
    private List<String> functions;

    @Option(
            names = "--lengths",
            split = ",",
            defaultValue = "150,1000",
            paramLabel = "N",
            description = "lengths of the sequences (default: ${DEFAULT-VALUE})")
    private List<Integer> lengths;

    @Option(
            names = "--alphabets",
            split = ",",
            defaultValue = "dna,ascii",
            paramLabel = "NAME",
            description = "alphabets of the sequences (default: ${DEFAULT-VALUE})")
    private List<String> alphabets;

    @Option(
            names = "--divergence",
            defaultValue = "independent",
            paramLabel = "RATE",
            description = "share of the characters in b that are edited, or 'independent' for unrelated strings "
                    + "(default: ${DEFAULT-VALUE})")
    private String divergence;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "value of the argument max, for the measured functions and for Spark's levenshtein "
                    + "(default: none)")
    private Integer max;

    @Option(
            names = "--first",
            paramLabel = "N",
            description = "length of the first sequence (default: the length of the second)")
    private Integer first;

    private List<String> arguments;

    @Override
    public void run() {
        List<String> texts = Bench.function(functions.get(0)).signatures().get(0).parameters().stream()
                .map(Parameter::name)
                .limit(2)
                .toList();
        arguments = max == null ? texts : List.of(texts.get(0), texts.get(1), "max");
        functions.forEach(name -> FunctionCall.of(Bench.function(name), "auto", arguments));
        SparkSession spark = bench.open();
        for (String alphabet : alphabets) {
            for (int length : lengths) {
                if (!bench.isEnough()) {
                    measure(spark, alphabet, length);
                }
            }
        }
        bench.close();
    }

    private void measure(SparkSession spark, String alphabet, int length) {
        String label = alphabet + "-" + (first == null ? "" : first + "-") + length;
        double cells = (double) length * (first == null ? length : first);
        long count = bench.gpu()
                ? bench.count(1_000_000_000_000L, cells, 1_000_000)
                : bench.count(20_000_000_000L, cells, 200_000);
        BenchmarkData data = data(spark, label, alphabet, length, count);
        long few = (long) Math.max(1, Math.min(count, LEVENSHTEIN_CELLS / cells));
        Map<String, Double> rates = new TreeMap<>();
        Supplier<Map<String, Double>> measured = () -> {
            if (rates.isEmpty()) {
                rates.putAll(rates(spark, data, data(spark, label + "-few", alphabet, length, few)));
            }
            return rates;
        };
        for (String function : functions) {
            if (!bench.isEnough()) {
                double ceiling = bench.gpu() && max == null ? GpuCeiling.cells(function) : 0;
                bench.measure(data, Bench.function(function), "serial", new Baselines(measured, ceiling));
            }
        }
    }

    private BenchmarkData data(SparkSession spark, String label, String alphabet, int length, long count) {
        PairsSpec spec = new PairsSpec(
                count, Lengths.fixed(length), Alphabet.of(alphabet), Divergence.parse(divergence), bench.seed(), 0);
        Dataset<Row> generated = Generator.pairs(spark, spec);
        Dataset<Row> pairs = generated.select(
                first == null
                        ? generated.col("a").as(arguments.get(0))
                        : generated.col("a").substr(1, first).as(arguments.get(0)),
                generated.col("b").as(arguments.get(1)));
        Dataset<Row> instances = max == null ? pairs : pairs.withColumn("max", lit(max));
        BellmanFunction<?> any = Bench.function(functions.get(0));
        String cells = "CAST(length(%s) AS BIGINT) * length(%s)".formatted(arguments.get(0), arguments.get(1));
        return BenchmarkData.write(label, bench.folder(label), instances, any, cells);
    }

    private Map<String, Double> rates(SparkSession spark, BenchmarkData data, BenchmarkData few) {
        Map<String, Double> rates = new TreeMap<>();
        String folder = bench.folder("result");
        String lengths = "length(%s) + length(%s)".formatted(arguments.get(0), arguments.get(1));
        rates.put(lengths, rate(spark, data, lengths, folder));
        String enabled = spark.conf().get(RAPIDS_ENABLED, "true");
        spark.conf().set(RAPIDS_ENABLED, "false");
        String levenshtein = "levenshtein(%s)".formatted(String.join(", ", arguments));
        rates.put(levenshtein, rate(spark, few, levenshtein, folder));
        spark.conf().set(RAPIDS_ENABLED, enabled);
        return rates;
    }

    private static double rate(SparkSession spark, BenchmarkData data, String expression, String folder) {
        return data.rows() / FunctionBenchmark.endToEndSeconds(spark, data, expression, folder);
    }
}
