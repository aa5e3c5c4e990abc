package dev.bellman.bench.paper;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionCall;
import dev.bellman.bench.measure.GpuBatch;
import dev.bellman.bench.measure.GpuBench;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Optionals;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.chain.matrix.paper.AdaptiveMapping.Phase;
import dev.bellman.chain.matrix.paper.AdaptiveMapping.Reduction;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.SolverCall.Argument;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataTypes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reproduces table II, the speedups and the analysis of Wu, Ke, Lin and Feng, "Optimizing dynamic programming on
 * graphics processing units via adaptive thread-level parallelism" (2011). The paper does not specify how dimensions
 * are distributed.
 */
@Command(
        name = "wu",
        description = "Table II of Wu et al. (2011): matrix chains with adaptive thread mapping, next to the published "
                + "figures.",
        mixinStandardHelpOptions = true)
public final class WuSuite implements Runnable {
    /**
     * The minimum and mean number of threads over all phases of a chain. {@code meanThreadsUnsplit} is the mean if each
     * product has a single thread.
     */
    record Threads(int matrices, String gpu, long leastThreads, double meanThreads, double meanThreadsUnsplit) {}

    /**
     * The number of steps in which 4 threads compute the minima of two products with 8 splits each, and the threads'
     * utilization.
     */
    record Minima(boolean together, int steps, double utilization) {}

    /**
     * The number of transactions per read: for a half-warp and segments of 128 bytes, and for a warp and sectors of 32
     * bytes.
     */
    record Transactions(
            int matrices, String gpu, String strategy, double transactionsOfHalfWarp, double transactionsOfWarp) {}

    private static final PublishedTable PUBLISHED = PublishedTable.of("wu");

    private static final AdaptiveMapping PUBLISHED_GPU = new AdaptiveMapping(30, 512, 1);

    /** The largest number of matrices for which the suite counts transactions by following each thread. */
    private static final int COUNTED = 512;

    private static final List<PaperStrategy> LAYOUTS = List.of(
            PaperStrategy.SOLOMON,
            PaperStrategy.SOLOMON_COALESCED,
            PaperStrategy.ADAPTIVE_TYPE_0,
            PaperStrategy.ADAPTIVE_TYPE_1,
            PaperStrategy.ADAPTIVE);

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "128,256,512,1024,1536,2048,2560,3072,3584,4096",
            paramLabel = "N",
            description = "number of matrices in a chain (default: ${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(
            names = "--starts",
            split = ",",
            defaultValue = "1,32,64,128,256,512,1024,1536,2048,2560,3072,3584,4096",
            paramLabel = "P",
            description = "first phases in which several threads share the computation of a product; each is "
                    + "measured separately, on a GPU (default: ${DEFAULT-VALUE})")
    private List<Integer> starts;

    private static OptionalDouble published(int start, int matrices) {
        return PUBLISHED.figure(start, Integer.toString(matrices));
    }

    @Override
    public void run() {
        Bench.inRange("--starts", starts, 1, Integer.MAX_VALUE);
        ChainPaper paper =
                new ChainPaper(bench, "solomon", "solomon-coalesced", "adaptive-type-0", "adaptive-type-1", "adaptive");
        Map<Integer, BenchmarkData> data = new LinkedHashMap<>();
        Map<Integer, List<Measurement>> measured = new LinkedHashMap<>();
        for (int matrices : sizes) {
            data.put(matrices, paper.data(matrices));
            // the paper shows the times of Solomon and Thulasiraman's strategy only in a diagram
            measured.put(
                    matrices,
                    paper.measure(
                            matrices,
                            data.get(matrices),
                            strategy ->
                                    strategy.startsWith("solomon") ? OptionalDouble.empty() : published(1, matrices)));
        }
        paper.print();
        speedups(measured);
        if (bench.gpu()) {
            data.forEach(this::startingPhases);
        }
        threads();
        reductions();
        transactions();
        bench.close();
    }

    private void speedups(Map<Integer, List<Measurement>> measured) {
        Table table = bench.table("speedup of adaptive (paper: 1.12 to 5.16 and 1.18 to 13.40)")
                .text("matrices", 10)
                .number("solomon-coalesced", 20, 2)
                .number("solomon", 20, 2);
        measured.forEach((matrices, each) ->
                table.row(matrices.toString(), speedup(each, "solomon-coalesced"), speedup(each, "solomon")));
    }

    private static OptionalDouble speedup(List<Measurement> measured, String over) {
        return Optionals.quotient(
                ChainPaper.milliseconds(measured, over), ChainPaper.milliseconds(measured, "adaptive"));
    }

    private static SolverCall call(Strategy strategy) {
        return FunctionCall.of(Bench.function("matrix_chain_cost"), Strategies.name(strategy), List.of("dims"))
                .solver();
    }

    /** Reproduces the column of table II for chains of this length, in milliseconds. */
    private void startingPhases(int matrices, BenchmarkData data) {
        Table table = bench.table(matrices + " matrices")
                .text("first split phase", 18)
                .number("ms", 12, 3)
                .number("paper's ms", 12, 0);
        try (GpuBatch batch = GpuSide.get(GpuBench.class).read(data)) {
            long[] expected = batch.longs(call(Strategy.HU_SHING));
            for (int start : starts) {
                if (start > matrices) {
                    continue;
                }
                SolverCall adaptive = call(Strategy.ADAPTIVE)
                        .with(new Argument(AdaptiveMapping.FIRST_SHARED_PHASE, DataTypes.IntegerType, start));
                if (!Arrays.equals(batch.longs(adaptive), expected)) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_INTERNAL,
                            "matrix_chain_cost with the strategy adaptive from phase %d differs from hu-shing for %s"
                                    .formatted(start, data.label()));
                }
                double seconds = Stopwatch.median(1, 3, () -> batch.kernelSeconds(adaptive)) / batch.rows();
                bench.add(startingPhase(matrices, start, seconds, data.label()));
                table.row(Integer.toString(start), 1e3 * seconds, published(start, matrices));
            }
        }
    }

    /** Creates a measurement of a chain; candidates count as cells. */
    private static Measurement startingPhase(int matrices, int start, double seconds, String dataset) {
        return new Measurement(
                        dataset,
                        "matrix_chain_cost",
                        "adaptive from phase " + start,
                        "gpu",
                        1,
                        (long) matrices * ((long) matrices * matrices - 1) / 6,
                        seconds)
                .comparedWith(Optionals.times(published(start, matrices), 1e-3), Map.of());
    }

    private Map<String, AdaptiveMapping> mappings() {
        Map<String, AdaptiveMapping> mappings = new LinkedHashMap<>();
        mappings.put("Tesla C1060", PUBLISHED_GPU);
        if (bench.gpu()) {
            GpuOfTask gpu = GpuSide.get(GpuOfTask.class);
            mappings.put(gpu.name(), new AdaptiveMapping(gpu.multiprocessors(), 1024, 1));
        }
        return mappings;
    }

    /** Reproduces figures 3 and 4, and then reports the minimum and mean number of threads for every size. */
    private void threads() {
        Table phases = bench.table("threads for a chain of 8 matrices")
                .text("phase", 8)
                .number("blocks", 8, 0)
                .number("subthreads", 12, 0)
                .number("threads", 12, 0);
        for (int phase = 1; phase <= 8; phase++) {
            Phase launch = PUBLISHED_GPU.phase(8, phase);
            phases.row(Integer.toString(phase), launch.blocks(), launch.subthreads(), launch.threads());
        }
        Table table = bench.table("threads per phase")
                .text("matrices", 10)
                .text("GPU", 22)
                .number("minimum", 12, 0)
                .number("mean", 12, 0)
                .number("mean unsplit", 16, 0);
        for (int matrices : sizes) {
            mappings().forEach((gpu, mapping) -> {
                LongSummaryStatistics counts = IntStream.rangeClosed(1, matrices)
                        .mapToLong(phase -> mapping.phase(matrices, phase).threads())
                        .summaryStatistics();
                Threads threads =
                        new Threads(matrices, gpu, counts.getMin(), counts.getAverage(), (matrices + 1) / 2.0);
                bench.add(threads);
                table.row(
                        Integer.toString(matrices),
                        gpu,
                        threads.leastThreads(),
                        threads.meanThreads(),
                        threads.meanThreadsUnsplit());
            });
        }
    }

    /** Reproduces figure 5 of the paper. */
    private void reductions() {
        Table table = bench.table("minima of two products with 8 splits, computed by 4 threads")
                .text("reductions", 16)
                .number("steps", 6, 0)
                .number("utilization", 12, 4);
        for (boolean together : new boolean[] {false, true}) {
            Reduction reduction = AdaptiveMapping.reduction(2, 8, 4, together);
            bench.add(new Minima(together, reduction.steps(), reduction.utilization()));
            table.row(together ? "together" : "one by one", reduction.steps(), reduction.utilization());
        }
    }

    private void transactions() {
        Table table = bench.table(
                        "memory transactions per read: for a half-warp in 128-byte segments, and for a warp in "
                                + "32-byte sectors")
                .text("matrices", 10)
                .text("GPU", 22)
                .text("strategy", 18)
                .number("half-warp", 12, 2)
                .number("warp", 12, 2);
        sizes.stream().filter(matrices -> matrices <= COUNTED).forEach(matrices -> mappings()
                .forEach((gpu, mapping) -> LAYOUTS.forEach(strategy -> {
                    Transactions counted = new Transactions(
                            matrices,
                            gpu,
                            Strategies.name(strategy),
                            ChainTransactions.count(matrices, strategy, mapping, 16, 32)
                                    .perRequest(),
                            ChainTransactions.count(matrices, strategy, mapping, 32, 8)
                                    .perRequest());
                    bench.add(counted);
                    table.row(
                            Integer.toString(matrices),
                            gpu,
                            counted.strategy(),
                            counted.transactionsOfHalfWarp(),
                            counted.transactionsOfWarp());
                })));
    }
}
