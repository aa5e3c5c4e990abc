package dev.bellman.bench;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.PythonPeer;
import dev.bellman.entry.BellmanFunction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks distances and similarities between pairs of names. In half of the pairs, both names belong to the same
 * person. The baseline is a loop over the same pairs on one core in the C++ code of the Python package
 * {@code rapidfuzz}, if it is installed. rapidfuzz and Bellman must return the same values.
 */
@Command(name = "names", description = "Distances and similarities between names.", mixinStandardHelpOptions = true)
final class NamesSuite implements Runnable {
    /** The names of rapidfuzz's functions, keyed by Bellman's function names. */
    private static final Map<String, String> FUNCTIONS = new LinkedHashMap<>();

    static {
        FUNCTIONS.put("edit_distance", "distance.Levenshtein.distance");
        FUNCTIONS.put("osa_distance", "distance.OSA.distance");
        FUNCTIONS.put("damerau_levenshtein", "distance.DamerauLevenshtein.distance");
        FUNCTIONS.put("lcs_length", "distance.LCSseq.similarity");
        FUNCTIONS.put("jaro_similarity", "distance.Jaro.similarity");
        FUNCTIONS.put("jaro_winkler_similarity", "distance.JaroWinkler.similarity");
        FUNCTIONS.put("ratio", "fuzz.ratio");
        FUNCTIONS.put("partial_ratio", "fuzz.partial_ratio");
        FUNCTIONS.put("token_sort_ratio", "fuzz.token_sort_ratio");
        FUNCTIONS.put("token_set_ratio", "fuzz.token_set_ratio");
        FUNCTIONS.put("partial_token_sort_ratio", "fuzz.partial_token_sort_ratio");
        FUNCTIONS.put("weighted_ratio", "fuzz.WRatio");
    }

    private static final int COUNT = 500_000;

    /**
     * A Python program that computes a value for each pair after a warm-up, and prints the rate, rapidfuzz's version
     * and then the values.
     */
    private static final String PEER = """
            import sys, time
            try:
                import numpy, rapidfuzz
                from rapidfuzz import distance, fuzz, process
            except ImportError:
                sys.exit(7)
            lines = open(sys.argv[1], encoding="utf-8").read().split("\\n")[:-1]
            scorer = eval(lines[0].split("\\t")[0])
            a, b = ([line.split("\\t")[side] for line in lines] for side in (1, 2))
            process.cpdist(a[:1000], b[:1000], scorer=scorer, dtype=numpy.float64)
            start = time.perf_counter()
            values = process.cpdist(a, b, scorer=scorer, dtype=numpy.float64, workers=1)
            print(len(a) / (time.perf_counter() - start), rapidfuzz.__version__)
            print(*map(repr, values.tolist()), sep="\\n")
            """;

    @Mixin
    private Bench bench;

    @Option(
            names = "--python",
            defaultValue = "python3",
            paramLabel = "FILE",
            description = "Python interpreter with the package rapidfuzz, for the baseline (default: ${DEFAULT-VALUE})")
    private String python;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (String name : FUNCTIONS.keySet()) {
            if (bench.isEnough()) {
                break;
            }
            BellmanFunction<?> function = Bench.function(name);
            BenchmarkData data = data(spark, function);
            Map<String, Double> peer = bench.isQuick() ? Map.of() : peer(spark, name, data);
            bench.measure(data, function, "serial", Baselines.oneThread(peer));
        }
        bench.close();
    }

    /**
     * Measures the rate of rapidfuzz, whose values must equal Bellman's; returns an empty map if rapidfuzz is not
     * installed.
     */
    private Map<String, Double> peer(SparkSession spark, String name, BenchmarkData data) {
        List<Row> pairs = data.read(spark)
                .selectExpr(
                        "concat_ws('\\t', '%s', a, b)".formatted(FUNCTIONS.get(name)),
                        "string(double(%s(a, b)))".formatted(name))
                .limit(COUNT)
                .collectAsList();
        return new PythonPeer(python, "rapidfuzz", PEER)
                .rate(
                        bench.out(),
                        pairs.stream().map(row -> row.getString(0)).toList(),
                        pairs.stream().map(row -> row.getString(1)).toList(),
                        (ours, other) -> Double.parseDouble(ours) == Double.parseDouble(other));
    }

    private BenchmarkData data(SparkSession spark, BellmanFunction<?> function) {
        long seed = bench.seed();
        // four consecutive numbers belong to one person, so the names of every second pair belong to the same person
        Dataset<Row> pairs = spark.range(0, bench.count(COUNT, 1, COUNT), 1, 16)
                .map(
                        (MapFunction<Long, String>)
                                i -> name(seed, i) + '\t' + name(seed, i % 2 == 0 ? i + 1 : i + 1_000),
                        Encoders.STRING())
                .selectExpr("split_part(value, '\\t', 1) AS a", "split_part(value, '\\t', 2) AS b");
        return BenchmarkData.write(
                "names",
                bench.folder("names-" + function.name()),
                pairs,
                function,
                "CAST(length(a) AS BIGINT) * length(b)");
    }

    private static String name(long seed, long number) {
        return JoinSuite.Kind.NAMES.string(seed, number);
    }
}
