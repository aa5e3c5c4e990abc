package dev.bellman.bench.paper;

import dev.bellman.Strategies;
import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Table;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.recurrence.SimplifiedDp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
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
 * Reproduces table I of Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation on GPU"
 * (2018), for simplified dynamic programming (S-DP) with min. The paper does not specify how offsets and values are
 * distributed. As offsets, this suite draws a random half of the numbers from 1 to {@code 2k}; the values are random as
 * well. The number of cells is the number of candidates: {@code (n - a_1) * k} for {@code n} elements and {@code k}
 * offsets, of which {@code a_1} is the largest.
 */
@Command(
        name = "matsumae",
        description = "Table I of Matsumae and Miyazaki (2018): S-DP, next to the published figures.",
        mixinStandardHelpOptions = true)
public final class MatsumaeSuite implements Runnable {
    /** The conflicts that occur with 64 offsets, which form runs of {@code run} consecutive numbers. */
    record Conflicts(int run, String strategy, long steps, int readsOfAnElementInAStep) {}

    private static final String CELLS = "CAST(length - size(initial) AS BIGINT) * size(offsets)";

    private static final StructType INSTANCES = new StructType()
            .add("initial", DataTypes.createArrayType(DataTypes.LongType, false))
            .add("offsets", DataTypes.createArrayType(DataTypes.IntegerType, false))
            .add("length", DataTypes.IntegerType)
            .add("operator", DataTypes.StringType);

    private static final PublishedTable PUBLISHED = PublishedTable.of("matsumae");

    /**
     * The number of runs over which the paper averages. The suite measures fewer of the larger instances, because the
     * pipeline takes half a second for each.
     */
    private static final int MAX_INSTANCES = 100;

    private static final long CANDIDATES = 20_000_000_000L;

    /** The minimum exponent of a size, for which {@code k} is at least 1. */
    private static final int MIN_SIZE = 2;

    /** The maximum exponent of a size, for which the table still fits in an array. */
    private static final int MAX_SIZE = 28;

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "14,16,18",
            paramLabel = "E",
            description = "exponents E of the sizes: 2^E <= n <= 2^(E+1) and 2^(E-2) <= k <= 2^(E-1) (default: "
                    + "${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Override
    public void run() {
        Bench.inRange("--sizes", sizes, MIN_SIZE, MAX_SIZE);
        SparkSession spark = bench.open();
        BellmanFunction<?> function = Bench.function("s_dp");
        // omits the strategy sequential on a GPU, and all of the paper's strategies on a CPU: an instance would take
        // minutes
        bench.compare(
                bench.gpu()
                        ? List.of("tournament", "naive-parallel", "pipeline", "pipeline-2x2", "blocked")
                        : List.of("blocked"));
        Map<String, List<Measurement>> measured = new LinkedHashMap<>();
        for (int size : sizes) {
            String label = "2^%d-2^%d".formatted(size, size + 1);
            // the results of blocked serve as the reference, because sequential is too slow; the tests compare the two
            measured.put(
                    label,
                    bench.measure(
                            BenchmarkData.write(label, bench.folder(label), instances(spark, size), function, CELLS),
                            function,
                            "blocked",
                            Baselines.paper(strategy -> published(size, strategy))));
        }
        Table table = bench.table("comparison with the paper's figures")
                .text("n", 14)
                .text("strategy", 15)
                .number("ms", 14, 3)
                .number("paper's ms", 14, 0)
                .number("ratio", 10, 1);
        measured.forEach((label, all) -> all.forEach(each ->
                table.row(label, each.strategy(), each.milliseconds(), each.paperMilliseconds(), each.paperRatio())));
        conflicts();
        bench.close();
    }

    private Dataset<Row> instances(SparkSession spark, int size) {
        Random random = new Random(bench.seed() * 31 + size);
        // (n - a_1) * k, where n, a_1 and k are the means of their ranges
        double candidates = 0.28 * Math.pow(4, size);
        int count = (int) bench.count(CANDIDATES, candidates, MAX_INSTANCES);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = (1 << size) + random.nextInt((1 << size) + 1);
            int k = (1 << size - 2) + random.nextInt((1 << size - 2) + 1);
            int[] offsets = half(random, 2 * k);
            long[] initial = random.longs(Math.min(offsets[0], n)).toArray();
            rows.add(RowFactory.create(initial, offsets, n, "min"));
        }
        return spark.createDataFrame(rows, INSTANCES);
    }

    /** Returns a random half of the numbers from 1 to {@code largest}, in descending order. */
    private static int[] half(Random random, int largest) {
        int[] chosen = new int[largest / 2];
        int missing = chosen.length;
        for (int offset = largest; offset > 0; offset--) {
            if (random.nextInt(offset) < missing) {
                chosen[chosen.length - missing] = offset;
                missing--;
            }
        }
        return chosen;
    }

    /**
     * Returns the paper's time for the same strategy; if the paper does not measure this strategy, returns the time of
     * the paper's fastest strategy.
     */
    private static OptionalDouble published(int size, String strategy) {
        OptionalDouble own = PUBLISHED.figure(size, strategy);
        return own.isPresent() ? own : PUBLISHED.min(size);
    }

    /**
     * Reports how many times, at most, one element is read in one step. This number grows with the length of the runs
     * of consecutive offsets.
     */
    private void conflicts() {
        Table table = bench.table("conflicts with 64 offsets, by the length of the runs of consecutive offsets")
                .text("run", 12)
                .text("strategy", 15)
                .number("steps", 10, 0)
                .number("max reads per element and step", 30, 0);
        for (int run : new int[] {1, 4, 16, 64}) {
            int[] offsets =
                    IntStream.range(0, 64).map(j -> 1024 - 9 * (j / run) - j).toArray();
            for (SimplifiedDp.Strategy strategy : List.of(
                    SimplifiedDp.Strategy.TOURNAMENT,
                    SimplifiedDp.Strategy.NAIVE_PARALLEL,
                    SimplifiedDp.Strategy.PIPELINE,
                    SimplifiedDp.Strategy.PIPELINE_2X2)) {
                SimplifiedDp.Steps steps = SimplifiedDp.steps(offsets, 4096, strategy);
                bench.add(new Conflicts(run, Strategies.name(strategy), steps.steps(), steps.maxReaders()));
                table.row(run + " of 64", Strategies.name(strategy), steps.steps(), steps.maxReaders());
            }
        }
    }
}
