package dev.bellman.bench.paper;

import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Optionals;
import dev.bellman.bench.measure.Table;
import dev.bellman.chain.matrix.paper.ChainPipeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks, for a range of lengths, the matrix chain pipeline from Matsumae and Miyazaki, "Solving dynamic
 * programming problem by pipeline implementation on GPU" (2018). The paper analyses steps and conflicts but reports no
 * times.
 */
@Command(
        name = "matsumae-chain",
        description = "The pipeline of Matsumae and Miyazaki (2018) for matrix chains: times, steps and conflicts.",
        mixinStandardHelpOptions = true)
public final class MatsumaeChainSuite implements Runnable {
    /** The largest number of matrices for which the suite simulates the pipeline step by step. */
    private static final int ANALYSED = 512;

    /** A row of the table for a chain whose steps are not simulated. */
    record Steps(int matrices, String strategy, long steps, long paperSteps) {}

    /** A row of the table for a chain whose steps are simulated. */
    record Reads(int matrices, String strategy, long steps, long paperSteps, long concurrentReads, long earlyReads) {}

    @Mixin
    private Bench bench;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "64,128,256,512,1024,2048",
            paramLabel = "N",
            description = "number of matrices in a chain (default: ${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Override
    public void run() {
        ChainPaper paper = new ChainPaper(bench, "pipeline", "pipeline-delayed");
        Map<Integer, List<Measurement>> measured = new LinkedHashMap<>();
        for (int matrices : sizes) {
            measured.put(matrices, paper.measure(matrices, paper.data(matrices), strategy -> OptionalDouble.empty()));
        }
        paper.print();
        Table table = bench.table("steps and conflicts")
                .text("matrices", 10)
                .text("strategy", 18)
                .number("steps", 14, 0)
                .number("ns/step", 12, 0)
                .number("paper's steps", 14, 0)
                .number("concurrent reads", 18, 0)
                .number("early reads", 12, 0);
        measured.forEach((matrices, each) -> {
            addSteps(
                    table,
                    matrices,
                    "pipeline",
                    ChainPipeline.middleOutwards(matrices),
                    ChainPaper.milliseconds(each, "pipeline"));
            addSteps(
                    table,
                    matrices,
                    "pipeline-delayed",
                    ChainPipeline.delayed(matrices),
                    ChainPaper.milliseconds(each, "pipeline-delayed"));
        });
        bench.close();
    }

    private void addSteps(
            Table table, int matrices, String strategy, ChainPipeline pipeline, OptionalDouble milliseconds) {
        long steps = pipeline.steps();
        long paperSteps = matrices * (matrices - 1L) / 2 + matrices - 2;
        OptionalDouble nanosecondsOfAStep = Optionals.times(milliseconds, 1e6 / steps);
        if (matrices <= ANALYSED) {
            ChainPipeline.Analysis reads = pipeline.analyse();
            bench.add(new Reads(matrices, strategy, steps, paperSteps, reads.concurrentReads(), reads.earlyReads()));
            table.row(
                    Integer.toString(matrices),
                    strategy,
                    steps,
                    nanosecondsOfAStep,
                    paperSteps,
                    reads.concurrentReads(),
                    reads.earlyReads());
        } else {
            bench.add(new Steps(matrices, strategy, steps, paperSteps));
            table.row(Integer.toString(matrices), strategy, steps, nanosecondsOfAStep, paperSteps, "-", "-");
        }
    }
}
