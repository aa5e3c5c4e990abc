package dev.bellman.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Table 1 of M. A. Wani and S. M. K. Quadri, "Accelerated dynamic programming on GPU: a study of speed up and programming approach"
 * (2013): a kernel for each diagonal of the table. They do not say how dimensions are drawn.
 */
@Command(
        name = "wani",
        description = "Table 1 of Wani and Quadri (2013): matrix chains, ours beside theirs.",
        mixinStandardHelpOptions = true)
final class WaniSuite implements Runnable {
    /** Milliseconds on a GeForce GTX 570, and of the sequential program on an Intel Core i5-760. */
    private static final Map<Integer, Double> PUBLISHED_GPU =
            Map.of(2500, 7354.3, 3000, 11232.0, 3500, 16867.2, 4000, 22577.7, 4500, 31098.2, 5000, 41045.9);

    private static final Map<Integer, Double> PUBLISHED_CPU =
            Map.of(2500, 25860.0, 3000, 43066.0, 3500, 76067.0, 4000, 102872.0, 4500, 173508.0, 5000, 226978.0);

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "2500,3000,3500,4000,4500,5000",
            paramLabel = "N",
            description = "How many matrices a chain has. Default: ${DEFAULT-VALUE}")
    private List<Integer> sizes;

    @Override
    public void run() {
        ChainPaper paper = new ChainPaper(bench, "diagonal");
        for (int matrices : sizes) {
            Map<Integer, Double> published = bench.gpu() ? PUBLISHED_GPU : PUBLISHED_CPU;
            paper.measure(matrices, paper.data(matrices), strategy -> Optional.ofNullable(published.get(matrices)));
        }
        paper.print();
        bench.close();
    }
}
