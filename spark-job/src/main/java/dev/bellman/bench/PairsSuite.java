package dev.bellman.bench;

import static org.apache.spark.sql.functions.lit;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionBenchmark;
import dev.bellman.bench.measure.FunctionCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import dev.bellman.job.run.GpuCeiling;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The functions of sequence pairs over random pairs of equal length. Baselines: Spark's own {@code levenshtein} on all
 * cores, on fewer pairs, and the same job with {@code length(a) + length(b)} in place of the function.
 */
@Command(name = "pairs", description = "Sequence pairs.", mixinStandardHelpOptions = true)
final class PairsSuite implements Runnable {
    private static final String CELLS = "CAST(length(a) AS BIGINT) * length(b)";

    /** The work given to Spark's levenshtein, which does some 10^8 cells per second and core. */
    private static final long LEVENSHTEIN_CELLS = 2_000_000_000;

    private static final String RAPIDS_ENABLED = "spark.rapids.sql.enabled";

    @Mixin
    private Bench bench;

    @Option(
            names = "--functions",
            split = ",",
            defaultValue = "edit_distance,lcs_length,edit_cigar",
            paramLabel = "NAME",
            description = "Functions to measure. Default: ${DEFAULT-VALUE}")
    private List<String> functions;

    @Option(
            names = "--lengths",
            split = ",",
            defaultValue = "150,1000",
            paramLabel = "N",
            description = "Lengths of the sequences. Default: ${DEFAULT-VALUE}")
    private List<Integer> lengths;

    @Option(
            names = "--alphabets",
            split = ",",
            defaultValue = "dna,ascii",
            paramLabel = "NAME",
            description = "Alphabets of the sequences. Default: ${DEFAULT-VALUE}")
    private List<String> alphabets;

    @Option(
            names = "--divergence",
            defaultValue = "independent",
            paramLabel = "RATE",
            description = "Share of characters edited in b, or independent sequences. Default: ${DEFAULT-VALUE}")
    private String divergence;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "The argument max of the functions, and of levenshtein. Default: none")
    private Integer max;

    @Override
    public void run() {
        List<String> arguments = max == null ? List.of("a", "b") : List.of("a", "b", "max");
        functions.forEach(name -> FunctionCall.of(Bench.function(name), "auto", arguments));
        SparkSession spark = bench.open();
        for (String alphabet : alphabets) {
            for (int length : lengths) {
                String label = alphabet + "-" + length;
                double cells = (double) length * length;
                long count = bench.gpu()
                        ? bench.count(1_000_000_000_000L, cells, 1_000_000)
                        : bench.count(20_000_000_000L, cells, 200_000);
                BenchmarkData data = data(spark, label, alphabet, length, count);
                long few = (long) Math.max(1, Math.min(count, LEVENSHTEIN_CELLS / cells));
                Map<String, Double> rates = rates(spark, data, data(spark, label + "-few", alphabet, length, few));
                for (String function : functions) {
                    double ceiling = bench.gpu() && max == null ? GpuCeiling.cells(function) : 0;
                    bench.measure(data, Bench.function(function), "serial", new Baselines(rates, ceiling));
                }
            }
        }
        bench.close();
    }

    private BenchmarkData data(SparkSession spark, String label, String alphabet, int length, long count) {
        PairsSpec spec = new PairsSpec(
                count, Lengths.fixed(length), Alphabet.of(alphabet), Divergence.parse(divergence), bench.seed(), 0);
        Dataset<Row> pairs = Generator.pairs(spark, spec);
        Dataset<Row> instances = max == null ? pairs : pairs.withColumn("max", lit(max));
        BellmanFunction<?> any = Bench.function(functions.get(0));
        return BenchmarkData.write(label, bench.folder(label), instances, any, CELLS);
    }

    private Map<String, Double> rates(SparkSession spark, BenchmarkData data, BenchmarkData few) {
        Map<String, Double> rates = new TreeMap<>();
        String folder = bench.folder("result");
        rates.put("length(a) + length(b)", rate(spark, data, "length(a) + length(b)", folder));
        String enabled = spark.conf().get(RAPIDS_ENABLED, "true");
        spark.conf().set(RAPIDS_ENABLED, "false");
        String levenshtein = max == null ? "levenshtein(a, b)" : "levenshtein(a, b, max)";
        rates.put(levenshtein, rate(spark, few, levenshtein, folder));
        spark.conf().set(RAPIDS_ENABLED, enabled);
        return rates;
    }

    private static double rate(SparkSession spark, BenchmarkData data, String expression, String folder) {
        return data.rows() / FunctionBenchmark.endToEndSeconds(spark, data, expression, folder);
    }
}
