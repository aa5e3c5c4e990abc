package dev.bellman.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.bellman.chain.matrix.paper.ChainPipeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The pipeline for matrix chains of S. Matsumae and M. Miyazaki, "Solving dynamic programming problem by pipeline implementation on GPU"
 * (2018), over a sweep of lengths. They analyse its steps and conflicts and leave times for later, so none of theirs is beside ours.
 */
@Command(
        name = "matsumae-chain",
        description = "The pipeline of Matsumae and Miyazaki (2018) for matrix chains: times, steps and conflicts.",
        mixinStandardHelpOptions = true)
final class MatsumaeChainSuite implements Runnable {
    /** The steps are gone through one by one up to so many matrices. */
    private static final int ANALYSED = 512;

    /** Reads are absent where the steps are not gone through. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Figures(int matrices, String strategy, long steps, long paperSteps, Long concurrentReads, Long earlyReads) {}

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "64,128,256,512,1024,2048",
            paramLabel = "N",
            description = "How many matrices a chain has. Default: ${DEFAULT-VALUE}")
    private List<Integer> sizes;

    @Override
    public void run() {
        ChainPaper paper = new ChainPaper(bench, "pipeline", "pipeline-delayed");
        Map<Integer, List<Measurement>> measured = new LinkedHashMap<>();
        for (int matrices : sizes) {
            measured.put(matrices, paper.measure(matrices, paper.data(matrices), strategy -> Optional.empty()));
        }
        paper.print();
        bench.out()
                .printf(
                        "%n%-10s %-18s %14s %12s %14s %18s %12s%n",
                        "matrices", "strategy", "steps", "ns/step", "paper's steps", "concurrent reads", "early reads");
        measured.forEach((matrices, each) -> {
            printSteps(
                    matrices,
                    "pipeline",
                    ChainPipeline.middleOutwards(matrices),
                    ChainPaper.milliseconds(each, "pipeline"));
            printSteps(
                    matrices,
                    "pipeline-delayed",
                    ChainPipeline.delayed(matrices),
                    ChainPaper.milliseconds(each, "pipeline-delayed"));
        });
        bench.close();
    }

    private void printSteps(int matrices, String strategy, ChainPipeline pipeline, OptionalDouble milliseconds) {
        long steps = pipeline.steps();
        long paperSteps = matrices * (matrices - 1L) / 2 + matrices - 2;
        Optional<ChainPipeline.Analysis> analysis =
                matrices <= ANALYSED ? Optional.of(pipeline.analyse()) : Optional.empty();
        bench.add(new Figures(
                matrices,
                strategy,
                steps,
                paperSteps,
                analysis.map(ChainPipeline.Analysis::concurrentReads).orElse(null),
                analysis.map(ChainPipeline.Analysis::earlyReads).orElse(null)));
        bench.out()
                .printf(
                        Locale.ROOT,
                        "%-10d %-18s %,14d %12s %,14d %18s %12s%n",
                        matrices,
                        strategy,
                        steps,
                        milliseconds.isPresent() ? "%,.0f".formatted(milliseconds.getAsDouble() * 1e6 / steps) : "-",
                        paperSteps,
                        analysis.map(each -> "%,d".formatted(each.concurrentReads()))
                                .orElse("-"),
                        analysis.map(each -> "%,d".formatted(each.earlyReads())).orElse("-"));
    }
}
