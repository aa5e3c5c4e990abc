package dev.bellman.bench;

import static org.apache.spark.sql.functions.lit;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks scores and alignments for four kinds of input: independent random nucleotides, copies that differ by 5%,
 * proteins, and one protein against many.
 */
@Command(
        name = "align",
        description = "Scores and alignments with substitution matrices and affine gaps.",
        mixinStandardHelpOptions = true)
final class AlignSuite implements Runnable {
    private static final String CELLS = "CAST(length(a) AS BIGINT) * length(b)";
    private static final String DNA = "match 2 mismatch -3 open 5 extend 2";
    private static final String PROTEIN = "blosum62 open 11 extend 1";

    /**
     * @param length the length of {@code b} (before edits), and of {@code a} unless {@code query} is set
     * @param query the length of {@code a} if all pairs share one sequence {@code a}
     */
    private record Work(
            String function,
            String alphabet,
            int length,
            Optional<Integer> query,
            String divergence,
            String mode,
            String scoring) {
        String label() {
            return "%s-%s%d-%s%s"
                    .formatted(
                            alphabet,
                            query.map(letters -> letters + "x").orElse(""),
                            length,
                            mode,
                            divergence.equals("independent") ? "" : "-" + divergence);
        }
    }

    private static Work scores(String alphabet, int length, String mode, String scoring) {
        return new Work("alignment_score", alphabet, length, Optional.empty(), "independent", mode, scoring);
    }

    private static final List<Work> WORKS = List.of(
            scores("dna", 150, "local", DNA),
            scores("dna", 500, "local", DNA),
            scores("dna", 1_000, "local", DNA),
            scores("dna", 150, "global", DNA),
            scores("dna", 500, "global", DNA),
            scores("dna", 1_000, "global", DNA),
            scores("protein", 350, "local", PROTEIN),
            new Work("alignment_score", "protein", 512, Optional.of(400), "independent", "local", PROTEIN),
            new Work("alignment", "dna", 150, Optional.empty(), "0.05", "global", DNA),
            new Work("alignment", "dna", 10_000, Optional.empty(), "0.05", "global", DNA));

    @Mixin
    private Bench bench;

    @Option(
            names = "--max-length",
            paramLabel = "N",
            description = "maximum length of the sequences (default: no limit)")
    private int mostLength = Integer.MAX_VALUE;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (Work work : WORKS) {
            if (work.length() <= mostLength && !bench.isEnough()) {
                BellmanFunction<?> function = Bench.function(work.function());
                bench.measure(data(spark, work, function), function, "serial", new Baselines(Map::of, 0));
            }
        }
        bench.close();
    }

    private BenchmarkData data(SparkSession spark, Work work, BellmanFunction<?> function) {
        double cells = (double) work.length() * work.query().orElse(work.length());
        long count = bench.gpu()
                ? bench.count(200_000_000_000L, cells, 1_000_000)
                : bench.count(5_000_000_000L, cells, 100_000);
        PairsSpec spec = new PairsSpec(
                count,
                Lengths.fixed(work.length()),
                Alphabet.of(work.alphabet()),
                Divergence.parse(work.divergence()),
                bench.seed(),
                0);
        Dataset<Row> pairs = Generator.pairs(spark, spec)
                .withColumn("mode", lit(work.mode()))
                .withColumn("scoring", lit(work.scoring()));
        if (work.query().isPresent()) {
            String query =
                    pairs.first().<String>getAs("a").substring(0, work.query().get());
            pairs = pairs.withColumn("a", lit(query));
        }
        return BenchmarkData.write(work.label(), bench.folder(work.label()), pairs, function, CELLS);
    }
}
