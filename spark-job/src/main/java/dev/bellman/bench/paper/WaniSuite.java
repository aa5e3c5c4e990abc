package dev.bellman.bench.paper;

import dev.bellman.bench.measure.Bench;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reproduces table 1 of Wani and Quadri, "Accelerated dynamic programming on GPU: a study of speed up and programming
 * approach" (2013), which launches a kernel for each diagonal of the table. The paper does not specify how dimensions
 * are distributed.
 */
@Command(
        name = "wani",
        description = "Table 1 of Wani and Quadri (2013): matrix chains, next to the published figures.",
        mixinStandardHelpOptions = true)
public final class WaniSuite implements Runnable {
    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "2500,3000,3500,4000,4500,5000",
            paramLabel = "N",
            description = "number of matrices in a chain (default: ${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Override
    public void run() {
        PublishedTable published = PublishedTable.of("wani");
        ChainPaper paper = new ChainPaper(bench, "diagonal");
        for (int matrices : sizes) {
            paper.measure(
                    matrices,
                    paper.data(matrices),
                    strategy -> published.figure(matrices, bench.gpu() ? "gpu" : "cpu"));
        }
        paper.print();
        bench.close();
    }
}
