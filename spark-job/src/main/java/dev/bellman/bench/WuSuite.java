package dev.bellman.bench;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.chain.matrix.MatrixChainCostUdf;
import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.chain.matrix.paper.AdaptiveMapping.Phase;
import dev.bellman.chain.matrix.paper.AdaptiveMapping.Reduction;
import dev.bellman.chain.matrix.paper.ChainTransactions;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import dev.bellman.cuda.Device;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Table II, the speedups and the analysis of C.-C. Wu, J.-Y. Ke, H. Lin and W.-C. Feng, "Optimizing dynamic programming on graphics
 * processing units via adaptive thread-level parallelism" (2011). They do not say how dimensions are drawn.
 */
@Command(
        name = "wu",
        description = "Table II of Wu and others (2011): matrix chains by adaptive thread mapping, ours beside theirs.",
        mixinStandardHelpOptions = true)
final class WuSuite implements Runnable {
    /** Over all phases of a chain; unsplit, a product has one. */
    record Threads(int matrices, String gpu, long leastThreads, double meanThreads, double meanThreadsUnsplit) {}

    /** Of two products with 8 splits by 4 threads. */
    record Minima(boolean together, int steps, double utilization) {}

    /** Of a read: by a half-warp in segments of 128 bytes, by a warp in sectors of 32. */
    record Transactions(
            int matrices, String gpu, String strategy, double transactionsOfHalfWarp, double transactionsOfWarp) {}

    private static final List<Integer> PUBLISHED_SIZES =
            List.of(128, 256, 512, 1024, 1536, 2048, 2560, 3072, 3584, 4096);

    /** Seconds on a Tesla C1060 by the phase from which on threads are split; from the smallest size that is not below it. */
    private static final Map<Integer, double[]> PUBLISHED = published();

    private static final AdaptiveMapping PUBLISHED_GPU = new AdaptiveMapping(30, 512, 1);

    /** Transactions are counted thread by thread up to so many matrices. */
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
            description = "How many matrices a chain has. Default: ${DEFAULT-VALUE}")
    private List<Integer> sizes;

    @Option(
            names = "--starts",
            split = ",",
            defaultValue = "1,32,64,128,256,512,1024,1536,2048,2560,3072,3584,4096",
            paramLabel = "P",
            description = "Phases from which on threads are split, on a GPU. Default: ${DEFAULT-VALUE}")
    private List<Integer> starts;

    private static Map<Integer, double[]> published() {
        Map<Integer, double[]> seconds = new LinkedHashMap<>();
        seconds.put(1, new double[] {.06, .07, .08, .14, .26, .47, .77, 1.21, 1.80, 2.57});
        seconds.put(32, new double[] {.06, .07, .08, .14, .26, .47, .78, 1.22, 1.80, 2.57});
        seconds.put(64, new double[] {.06, .07, .08, .14, .26, .47, .77, 1.21, 1.80, 2.57});
        seconds.put(128, new double[] {.07, .07, .09, .15, .27, .47, .78, 1.21, 1.80, 2.57});
        seconds.put(256, new double[] {.09, .11, .17, .29, .49, .79, 1.23, 1.82, 2.58});
        seconds.put(512, new double[] {.19, .26, .37, .56, .86, 1.29, 1.87, 2.63});
        seconds.put(1024, new double[] {.59, .72, .88, 1.15, 1.55, 2.10, 2.83});
        seconds.put(1536, new double[] {1.27, 1.46, 1.68, 2.03, 2.54, 3.21});
        seconds.put(2048, new double[] {2.25, 2.50, 2.78, 3.21, 3.81});
        seconds.put(2560, new double[] {3.51, 3.83, 4.16, 4.69});
        seconds.put(3072, new double[] {5.07, 5.46, 5.85});
        seconds.put(3584, new double[] {6.92, 7.37});
        seconds.put(4096, new double[] {9.06});
        return seconds;
    }

    private static Optional<Double> published(int start, int matrices) {
        double[] seconds = PUBLISHED.get(start);
        int size = PUBLISHED_SIZES.indexOf(matrices);
        if (seconds == null || size < PUBLISHED_SIZES.size() - seconds.length) {
            return Optional.empty();
        }
        return Optional.of(1e3 * seconds[size - PUBLISHED_SIZES.size() + seconds.length]);
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
            // theirs by Solomon and Thulasiraman are in a figure alone
            measured.put(
                    matrices,
                    paper.measure(
                            matrices,
                            data.get(matrices),
                            strategy -> strategy.startsWith("solomon") ? Optional.empty() : published(1, matrices)));
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
        bench.out()
                .printf(
                        "%nspeedup of adaptive, 1.12 to 5.16 and 1.18 to 13.40 in the paper%n%-10s %20s %20s%n",
                        "matrices", "solomon-coalesced", "solomon");
        measured.forEach((matrices, each) -> bench.out()
                .printf("%-10d %20s %20s%n", matrices, speedup(each, "solomon-coalesced"), speedup(each, "solomon")));
    }

    private static String speedup(List<Measurement> measured, String over) {
        OptionalDouble adaptive = ChainPaper.milliseconds(measured, "adaptive");
        OptionalDouble other = ChainPaper.milliseconds(measured, over);
        return adaptive.isPresent() && other.isPresent()
                ? String.format(Locale.ROOT, "%.2f", other.getAsDouble() / adaptive.getAsDouble())
                : "-";
    }

    /** Table II, milliseconds. */
    private void startingPhases(int matrices, BenchmarkData data) {
        bench.out().printf("%n%d matrices%n%-16s %12s %12s%n", matrices, "splitting from", "ms", "paper's ms");
        try (GpuBatch batch = GpuBatch.read(data)) {
            long[] expected = batch.longs(new MatrixChainCostUdf(Strategy.HU_SHING, FunctionOptions.DEFAULT));
            for (int start : starts) {
                if (start > matrices) {
                    continue;
                }
                MatrixChainCostUdf adaptive = new MatrixChainCostUdf(Strategy.ADAPTIVE, start, FunctionOptions.DEFAULT);
                if (!Arrays.equals(batch.longs(adaptive), expected)) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_INTERNAL,
                            "matrix_chain_cost by adaptive from phase %d differs from hu-shing for %s"
                                    .formatted(start, data.label()));
                }
                double seconds = Stopwatch.median(1, 3, () -> batch.kernelSeconds(adaptive)) / batch.rows();
                bench.add(startingPhase(matrices, start, seconds, data.label()));
                bench.out()
                        .printf(
                                Locale.ROOT,
                                "%-16d %,12.3f %12s%n",
                                start,
                                1e3 * seconds,
                                published(start, matrices)
                                        .map("%,.0f"::formatted)
                                        .orElse("-"));
            }
        }
    }

    /** A chain, whose cells are candidates. */
    private static Measurement startingPhase(int matrices, int start, double seconds, String dataset) {
        return new Measurement(
                dataset,
                "matrix_chain_cost",
                "adaptive from phase " + start,
                "gpu",
                1,
                (long) matrices * ((long) matrices * matrices - 1) / 6,
                seconds,
                null,
                null,
                null,
                published(start, matrices).map(each -> each / 1e3).orElse(null),
                Map.of());
    }

    private Map<String, AdaptiveMapping> mappings() {
        Map<String, AdaptiveMapping> mappings = new LinkedHashMap<>();
        mappings.put("Tesla C1060", PUBLISHED_GPU);
        if (bench.gpu()) {
            Device device = Device.current();
            mappings.put(device.name(), new AdaptiveMapping(device.multiprocessors(), 1024, 1));
        }
        return mappings;
    }

    /** Figs. 3 and 4, then the same for every size. */
    private void threads() {
        bench.out().printf("%n%-8s %-8s %-12s %-12s%n", "phase", "blocks", "subthreads", "threads of 8 matrices");
        for (int phase = 1; phase <= 8; phase++) {
            Phase launch = PUBLISHED_GPU.phase(8, phase);
            bench.out()
                    .printf("%-8d %-8d %-12d %-12d%n", phase, launch.blocks(), launch.subthreads(), launch.threads());
        }
        bench.out()
                .printf(
                        "%nthreads of a phase%n%-10s %-22s %12s %12s %16s%n",
                        "matrices", "GPU", "least", "mean", "mean unsplit");
        for (int matrices : sizes) {
            mappings().forEach((gpu, mapping) -> {
                LongSummaryStatistics phases = IntStream.rangeClosed(1, matrices)
                        .mapToLong(phase -> mapping.phase(matrices, phase).threads())
                        .summaryStatistics();
                Threads threads =
                        new Threads(matrices, gpu, phases.getMin(), phases.getAverage(), (matrices + 1) / 2.0);
                bench.add(threads);
                bench.out()
                        .printf(
                                Locale.ROOT,
                                "%-10d %-22s %,12d %,12.0f %,16.0f%n",
                                matrices,
                                gpu,
                                threads.leastThreads(),
                                threads.meanThreads(),
                                threads.meanThreadsUnsplit());
            });
        }
    }

    /** Fig. 5. */
    private void reductions() {
        bench.out().printf("%nminima of two products with 8 splits by 4 threads: steps, utilization%n");
        for (boolean together : new boolean[] {false, true}) {
            Reduction reduction = AdaptiveMapping.reduction(2, 8, 4, together);
            bench.add(new Minima(together, reduction.steps(), reduction.utilization()));
            bench.out()
                    .printf(
                            Locale.ROOT,
                            "%-16s %d %.4f%n",
                            together ? "together" : "one by one",
                            reduction.steps(),
                            reduction.utilization());
        }
    }

    private void transactions() {
        bench.out()
                .printf(
                        "%nmemory transactions of a read, by a half-warp in segments of 128 bytes and by a warp in sectors of 32%n"
                                + "%-10s %-22s %-18s %12s %12s%n",
                        "matrices", "GPU", "strategy", "half-warp", "warp");
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
                    bench.out()
                            .printf(
                                    Locale.ROOT,
                                    "%-10d %-22s %-18s %12.2f %12.2f%n",
                                    matrices,
                                    gpu,
                                    counted.strategy(),
                                    counted.transactionsOfHalfWarp(),
                                    counted.transactionsOfWarp());
                })));
    }
}
