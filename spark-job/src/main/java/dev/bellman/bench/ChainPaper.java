package dev.bellman.bench;

import dev.bellman.Strategies;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.ChainsSpec;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * The table of a paper on matrix chains: random chains of one length at a time, dimensions from 1 to 100, so that costs have 32 bits as they
 * do there. Costs are checked against Hu and Shing's algorithm. Cells are candidates of the textbook table.
 */
final class ChainPaper {
    private final Bench bench;
    private final SparkSession spark;
    private final List<String> table = new ArrayList<>();

    /** @param strategies of the paper, which are those of a GPU */
    ChainPaper(Bench bench, String... strategies) {
        this.bench = bench;
        spark = bench.open();
        List<String> known = Strategies.names(MatrixChain.Strategy.class);
        // on a CPU the strategies of the papers are the table
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
                label, bench.folder(label), Generator.chains(spark, spec), function(), ChainsSuite.CELLS);
    }

    /**
     * Measures the strategies and adds them to the table that {@link #print} prints.
     *
     * @param paper the paper's milliseconds by a strategy
     */
    List<Measurement> measure(int matrices, BenchmarkData data, Function<String, Optional<Double>> paper) {
        List<Measurement> measured = bench.measure(data, function(), "hu-shing", Baselines.paper(paper));
        measured.forEach(each -> add(matrices, each));
        return measured;
    }

    static OptionalDouble milliseconds(List<Measurement> measured, String strategy) {
        return measured.stream()
                .filter(each -> each.strategy().equals(strategy))
                .mapToDouble(Measurement::milliseconds)
                .findFirst();
    }

    private void add(int matrices, Measurement measured) {
        double milliseconds = measured.milliseconds();
        Optional<Double> theirs = measured.paperMilliseconds();
        table.add(String.format(
                Locale.ROOT,
                "%-10s %-18s %14s %14s %10s",
                matrices,
                measured.strategy(),
                "%,.3f".formatted(milliseconds),
                theirs.map("%,.1f"::formatted).orElse("-"),
                theirs.map(each -> "%,.1f".formatted(each / milliseconds)).orElse("-")));
    }

    void print() {
        bench.out()
                .printf(
                        Locale.ROOT,
                        "%n%-10s %-18s %14s %14s %10s%n%s%n",
                        "matrices",
                        "strategy",
                        "ms",
                        "paper's ms",
                        "ratio",
                        String.join("\n", table));
    }

    private static BellmanFunction<?> function() {
        return Bench.function("matrix_chain_cost");
    }
}
