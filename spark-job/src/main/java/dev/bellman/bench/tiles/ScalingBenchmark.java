package dev.bellman.bench.tiles;

import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/**
 * Benchmarks strong scaling (the same table on more executors) and weak scaling (a constant number of operations per
 * executor), and compares the results with the bounds in the paper that {@link JavanmardSuite} reproduces.
 */
final class ScalingBenchmark {
    /** The maximum number of rows of the table for strong scaling. One core takes about a minute for this table. */
    private static final int MAX_ROWS = 8_192;

    /** For weak scaling, the number of rows is a multiple of this number, so that no tile needs padding. */
    private static final int TILE = 256;

    /**
     * The measurement of a table with n rows on p executors.
     *
     * @param speedup the number of operations per second, divided by that of the first number of executors
     * @param efficiency the speedup divided by the increase in the number of executors
     * @param ofOperations the maximum number of operations of an executor, divided by n^3 / p
     * @param ofWords the maximum number of words that an executor moved, divided by n^2 / sqrt(p)
     */
    record Scaled(
            String scaling, Scaling.Run run, double speedup, double efficiency, double ofOperations, double ofWords) {
        static Scaled of(String scaling, Scaling.Run run, Scaling.Run first) {
            double n = run.n();
            int p = run.executors();
            // compute the speedup from rates, because the tables may differ in size
            double speedup = Math.pow(n / first.n(), 3) * first.seconds() / run.seconds();
            return new Scaled(
                    scaling,
                    run,
                    speedup,
                    speedup * first.executors() / p,
                    run.operations() / (Math.pow(n, 3) / p),
                    run.words() / (n * n / Math.sqrt(p)));
        }
    }

    private final Bench bench;
    private final Scaling scaling;

    /**
     * Creates the benchmark. Stops the session if it runs on a cluster, because it would occupy cores there.
     *
     * @param repeat the number of times that each table is computed
     */
    ScalingBenchmark(Bench bench, SparkSession spark, int repeat) {
        this.bench = bench;
        SparkConf session = spark.sparkContext().getConf();
        if (!spark.sparkContext().isLocal()) {
            spark.stop();
        }
        scaling = new Scaling(session, Path.of(bench.folder("scaling")), repeat);
    }

    void measure(List<Integer> executors, List<Integer> sizes) {
        int n = sizes.stream()
                .filter(size -> size <= MAX_ROWS)
                .mapToInt(Integer::intValue)
                .max()
                .orElse(MAX_ROWS);
        Map<Integer, List<Scaling.Run>> runs = new LinkedHashMap<>();
        for (int p : executors) {
            int weak = (int) Math.max(1, Math.round(n / 2 * Math.cbrt(p) / TILE)) * TILE;
            runs.put(p, scaling.run(p, List.of(n, weak), bench.seed()));
        }
        print(
                "strong",
                "strong scaling: fixed table size",
                runs.values().stream().map(of -> of.get(0)).toList());
        print(
                "weak",
                "weak scaling: roughly constant n^3 / p",
                runs.values().stream().map(of -> of.get(1)).toList());
    }

    private void print(String kind, String title, List<Scaling.Run> runs) {
        Table table = bench.table(title)
                .number("executors", 9, 0)
                .number("n", 8, 0)
                .number("s", 10, 2)
                .number("speedup", 9, 2)
                .number("efficiency", 12, 2)
                .number("ops / (n^3 / p)", 16, 2)
                .number("words/executor", 14, 0)
                .number("words / (n^2 / sqrt(p))", 24, 2)
                .number("messages/executor", 17, 0);
        for (Scaling.Run run : runs) {
            Scaled scaled = Scaled.of(kind, run, runs.get(0));
            bench.add(scaled);
            table.row(
                    run.executors(),
                    run.n(),
                    run.seconds(),
                    scaled.speedup(),
                    scaled.efficiency(),
                    scaled.ofOperations(),
                    run.words(),
                    scaled.ofWords(),
                    run.messages());
        }
    }
}
