package dev.bellman.bench;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.job.run.GpuCeiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Distances of pairs of series of random numbers. */
@Command(name = "series", description = "Distances of time series.", mixinStandardHelpOptions = true)
final class SeriesSuite implements Runnable {
    /** Numbers from 0 to 1 that depend on the row, the place and the series. */
    private static final String SERIES = "transform(sequence(1, %d), i -> xxhash64(id, i, %d) / pow(2D, 64) + 0.5D)";

    /** @param band the cells beside the diagonal, or all */
    private record Work(String function, int length, Optional<Integer> band) {
        String label() {
            return "series-" + length + band.map(cells -> "-band-" + cells).orElse("");
        }

        double cells() {
            return length
                    * (double)
                            band.map(cells -> Math.min(length, 2 * cells + 1)).orElse(length);
        }
    }

    private static final List<Work> WORKS = List.of(
            new Work("dtw", 48, Optional.empty()),
            new Work("dtw", 300, Optional.empty()),
            new Work("dtw", 1_000, Optional.empty()),
            new Work("dtw", 1_000, Optional.of(50)),
            new Work("dtw", 10_000, Optional.empty()),
            new Work("frechet_distance", 1_000, Optional.empty()));

    @Mixin
    private Bench bench;

    @Option(names = "--most-length", paramLabel = "N", description = "Only series of up to that length. Default: all")
    private int mostLength = Integer.MAX_VALUE;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (Work work : WORKS) {
            if (work.length() <= mostLength) {
                BellmanFunction<?> function = Bench.function(work.function());
                double ceiling = bench.gpu() ? GpuCeiling.cells(work.function()) : 0;
                bench.measure(data(spark, work, function), function, "serial", new Baselines(Map.of(), ceiling));
            }
        }
        bench.close();
    }

    private BenchmarkData data(SparkSession spark, Work work, BellmanFunction<?> function) {
        long count = bench.gpu()
                ? bench.count(100_000_000_000L, work.cells(), 1_000_000)
                : bench.count(2_000_000_000L, work.cells(), 100_000);
        Dataset<Row> pairs = spark.range(0, count, 1, 16)
                .selectExpr(
                        SERIES.formatted(work.length(), bench.seed()) + " AS a",
                        SERIES.formatted(work.length(), bench.seed() + 1) + " AS b");
        if (work.band().isPresent()) {
            pairs = pairs.selectExpr("a", "b", work.band().get() + " AS band");
        }
        String cells = work.band()
                .map(band -> "CAST(%1$d AS BIGINT) * %1$d - CAST(%2$d AS BIGINT) * (%2$d + 1)"
                        .formatted(work.length(), Math.max(0, work.length() - 1 - band)))
                .orElse("CAST(size(a) AS BIGINT) * size(b)");
        return BenchmarkData.write(work.label(), bench.folder(work.label()), pairs, function, cells);
    }
}
