package dev.bellman.bench;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.ChainsSpec;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.job.run.GpuCeiling;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks the matrix chain functions on random chains. The number of cells is the number of candidates that the
 * textbook table compares: {@code (n^3 - n) / 6} for {@code n} matrices.
 */
@Command(name = "chains", description = "Matrix chains.", mixinStandardHelpOptions = true)
final class ChainsSuite implements Runnable {
    @Mixin
    private Bench bench;

    @Option(
            names = "--functions",
            split = ",",
            defaultValue = "matrix_chain_cost,matrix_chain_order",
            paramLabel = "NAME",
            description = "functions to measure (default: ${DEFAULT-VALUE})")
    private List<String> functions;

    @Option(
            names = "--matrices",
            split = ",",
            defaultValue = "50-500",
            paramLabel = "MIN-MAX",
            description = "number of matrices in a chain (default: ${DEFAULT-VALUE})")
    private List<String> matrices;

    @Option(
            names = "--dimensions",
            defaultValue = "1-100",
            paramLabel = "MIN-MAX",
            description = "dimensions of the matrices (default: ${DEFAULT-VALUE})")
    private String dimensions;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (String range : matrices) {
            String label = "chains-" + range;
            long count = bench.gpu() ? bench.count(Long.MAX_VALUE, 1, 100_000) : bench.count(Long.MAX_VALUE, 1, 500);
            ChainsSpec spec = new ChainsSpec(count, Lengths.parse(range), Lengths.parse(dimensions), bench.seed(), 0);
            BellmanFunction<?> any = Bench.function(functions.get(0));
            BenchmarkData data = BenchmarkData.write(
                    label, bench.folder(label), Generator.chains(spark, spec), any, BenchmarkData.CHAIN_CELLS);
            for (String function : functions) {
                if (bench.isEnough()) {
                    break;
                }
                // the reference is the table, because other strategies may return different optimal orders
                double ceiling = bench.gpu() ? GpuCeiling.cells(function) : 0;
                bench.measure(data, Bench.function(function), "table", new Baselines(Map::of, ceiling));
            }
        }
        bench.close();
    }
}
