package dev.bellman.bench;

import dev.bellman.GpuSide;
import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.PythonPeer;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks the folding of random RNAs. The number of cells is the number of table entries: half the square of the
 * length. The baseline is the Python package {@code viennarna} on one core, if it is installed, with the same
 * sequences. ViennaRNA and Bellman must return the same energies and structures.
 */
@Command(name = "rna", description = "RNA structures.", mixinStandardHelpOptions = true)
final class RnaSuite implements Runnable {
    private static final String CELLS = "CAST(length(sequence) AS BIGINT) * length(sequence) DIV 2";

    /** The number of table entries that one core fills in about ten seconds at ViennaRNA's speed. */
    private static final long PEER_CELLS = 20_000_000;

    /** The number of table entries with which one launch keeps a GPU busy for a few tenths of a second. */
    private static final long GPU_CELLS = 2_000_000_000;

    /**
     * The time that a GPU takes for a table entry, expressed in integer operations. Two entries share a word; to
     * evaluate their internal loops of up to 30 unpaired bases, a GPU loads 166 words from shared memory. A
     * multiprocessor performs two operations in the time that one load takes.
     */
    private static final double OPERATIONS_PER_CELL = 166;

    private static final int MAX_LENGTH = 32_767;

    /**
     * A Python program that folds each line after a warm-up, and prints the rate, ViennaRNA's version and then the
     * results.
     */
    private static final String PEER = """
            import sys, time
            try:
                import RNA
            except ImportError:
                sys.exit(7)
            sequences = open(sys.argv[1]).read().split()
            for sequence in sequences[:3]:
                RNA.fold(sequence)
            start = time.perf_counter()
            foldings = [RNA.fold(sequence) for sequence in sequences]
            print(len(sequences) / (time.perf_counter() - start), RNA.__version__)
            for structure, energy in foldings:
                print(structure, round(energy * 100))
            """;

    @Mixin
    private Bench bench;

    @Option(
            names = "--lengths",
            split = ",",
            defaultValue = "116,326",
            paramLabel = "N",
            description = "lengths of the sequences (default: ${DEFAULT-VALUE})")
    private List<Integer> lengths;

    @Option(
            names = "--python",
            defaultValue = "python3",
            paramLabel = "FILE",
            description = "Python interpreter with the package viennarna, for the baseline (default: ${DEFAULT-VALUE})")
    private String python;

    @Override
    public void run() {
        Bench.inRange("--lengths", lengths, 1, MAX_LENGTH);
        BellmanFunction<?> fold = Bench.function("rna_fold");
        SparkSession spark = bench.open();
        for (int length : lengths) {
            if (bench.isEnough()) {
                break;
            }
            double cells = length * (double) length / 2;
            String label = "rna-" + length;
            PairsSpec spec = new PairsSpec(
                    bench.count(bench.gpu() ? GPU_CELLS : PEER_CELLS, cells, bench.gpu() ? 400_000 : 100_000),
                    Lengths.fixed(length),
                    Alphabet.of("rna"),
                    Divergence.parse("independent"),
                    bench.seed(),
                    0);
            Dataset<Row> sequences = Generator.pairs(spark, spec).withColumnRenamed("a", "sequence");
            BenchmarkData data = BenchmarkData.write(label, bench.folder(label), sequences, fold, CELLS);
            // on a GPU, the reference is the strategy that a CPU uses by default
            String reference = bench.gpu() ? "tiled" : "zuker";
            int compared = (int) Math.max(1, PEER_CELLS / cells);
            Map<String, Double> peer = bench.isQuick() ? Map.of() : peer(spark, data, compared);
            bench.measure(data, fold, reference, Baselines.oneThread(peer).withCeiling(bench.gpu() ? ceiling() : 0));
        }
        bench.close();
    }

    private static double ceiling() {
        return GpuSide.get(GpuOfTask.class).operationsPerSecond() / OPERATIONS_PER_CELL;
    }

    /**
     * Measures the rate of ViennaRNA, and checks that its results equal Bellman's; returns an empty map if ViennaRNA is
     * not installed.
     */
    private Map<String, Double> peer(SparkSession spark, BenchmarkData data, int count) {
        List<Row> foldings = data.read(spark)
                .limit(count)
                .selectExpr("sequence", "rna_fold(sequence) AS folding")
                .selectExpr("sequence", "concat(folding.structure, ' ', CAST(round(folding.energy * 100) AS INT))")
                .collectAsList();
        return new PythonPeer(python, "viennarna", PEER)
                .rate(bench.out(), strings(foldings, 0), strings(foldings, 1), String::equals);
    }

    private static List<String> strings(List<Row> rows, int column) {
        return rows.stream().map(row -> row.getString(column)).toList();
    }
}
