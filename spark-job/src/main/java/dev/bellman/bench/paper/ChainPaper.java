package dev.bellman.bench.paper;

import dev.bellman.Strategies;
import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.Measurement;
import dev.bellman.bench.measure.Table;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.ChainsSpec;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * Reproduces a paper's table on matrix chains. All chains of a row have the same length; their random dimensions from 1
 * to 100 ensure that costs fit in 32 bits, as in the papers. Costs are compared with those that Hu and Shing's
 * algorithm returns. Cells are the candidates that the textbook table compares.
 */
final class ChainPaper {
    private final Bench bench;
    private final SparkSession spark;
    private final Map<Integer, List<Measurement>> measured = new LinkedHashMap<>();

    /** @param strategies the paper's strategies, which run only on a GPU */
    ChainPaper(Bench bench, String... strategies) {
        this.bench = bench;
        spark = bench.open();
        List<String> known = Strategies.names(MatrixChain.Strategy.class);
        Stream<String> own = bench.gpu() ? Stream.of(strategies) : Stream.empty();
        bench.compare(Stream.concat(own, Stream.of("tiled", "table", "hu-shing"))
                .filter(known::contains)
                .toList());
    }

    BenchmarkData data(int matrices) {
        String label = "chain-" + matrices;
        long count = bench.count(Long.MAX_VALUE, 1, 1);
        Lengths length = Lengths.fixed(matrices);
        ChainsSpec spec = new ChainsSpec(count, length, Lengths.uniform(1, 100), bench.seed(), 1);
        return BenchmarkData.write(
                label, bench.folder(label), Generator.chains(spark, spec), function(), BenchmarkData.CHAIN_CELLS);
    }

    /**
     * Measures the strategies, and stores the results for {@link #print}.
     *
     * @param paper the milliseconds that the paper reports for each strategy
     */
    List<Measurement> measure(int matrices, BenchmarkData data, Function<String, OptionalDouble> paper) {
        List<Measurement> added = bench.measure(data, function(), "hu-shing", Baselines.paper(paper));
        measured.put(matrices, added);
        return added;
    }

    static OptionalDouble milliseconds(List<Measurement> measured, String strategy) {
        return measured.stream()
                .filter(each -> each.strategy().equals(strategy))
                .mapToDouble(Measurement::milliseconds)
                .findFirst();
    }

    /** Prints the measured times next to those in the paper. */
    void print() {
        Table table = bench.table("comparison with the paper's figures")
                .text("matrices", 10)
                .text("strategy", 18)
                .number("ms", 14, 3)
                .number("paper's ms", 14, 1)
                .number("ratio", 10, 1);
        measured.forEach((matrices, all) -> all.forEach(each -> table.row(
                matrices.toString(),
                each.strategy(),
                each.milliseconds(),
                each.paperMilliseconds(),
                each.paperRatio())));
    }

    private static BellmanFunction<?> function() {
        return Bench.function("matrix_chain_cost");
    }
}
