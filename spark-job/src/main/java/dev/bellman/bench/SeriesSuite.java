package dev.bellman.bench;

import dev.bellman.bench.measure.Baselines;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.PythonPeer;
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

/**
 * Benchmarks distances and warping paths between pairs of random series. The baseline for {@code dtw} on DOUBLE values
 * is the C code of the Python package {@code dtaidistance} on one core, if it is installed, with the same pairs. The
 * distances may differ only by rounding errors.
 */
@Command(name = "series", description = "Distances between time series.", mixinStandardHelpOptions = true)
final class SeriesSuite implements Runnable {
    /** An SQL expression for a series of numbers from 0 to 1 that depend on the row, the position and a seed. */
    private static final String SERIES =
            "transform(sequence(1, %d), i -> CAST(xxhash64(id, i, %d) / pow(2D, 64) + 0.5D AS %s))";

    /**
     * @param band the number of cells in a row that are computed on either side of the diagonal; empty to compute all
     *     cells
     * @param type the type of the numbers
     */
    private record Work(String function, int length, Optional<Integer> band, String type) {
        Work(String function, int length, Optional<Integer> band) {
            this(function, length, band, "DOUBLE");
        }

        boolean isDouble() {
            return type.equals("DOUBLE");
        }

        String label() {
            return "series-" + length + band.map(cells -> "-band-" + cells).orElse("") + (isDouble() ? "" : "-float");
        }

        /** Returns an upper bound on the number of cells that the GPU can compute per second; 0 if unknown. */
        double ceiling() {
            return GpuCeiling.cells(isDouble() ? function : function + GpuCeiling.IN_FLOAT);
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
            new Work("dtw", 48, Optional.empty(), "FLOAT"),
            new Work("dtw", 300, Optional.empty(), "FLOAT"),
            new Work("dtw", 1_000, Optional.empty(), "FLOAT"),
            new Work("dtw_path", 300, Optional.empty()),
            new Work("dtw_path", 1_000, Optional.empty()),
            new Work("dtw_path", 1_000, Optional.of(50)),
            new Work("frechet_distance", 1_000, Optional.empty()));

    /** The number of cells that dtaidistance fills in a few seconds. */
    private static final long PEER_CELLS = 300_000_000;

    private static final double ROUNDING = 1e-12;

    /**
     * A Python program that computes the distance of each pair after a warm-up, and prints the rate, dtaidistance's
     * version and then the distances.
     */
    private static final String PEER = """
            import array, contextlib, sys, time
            try:
                with contextlib.redirect_stdout(sys.stderr):  # it prints what else could be installed
                    import dtaidistance
                    from dtaidistance import dtw
                    dtw.try_import_c() or sys.exit(7)
            except ImportError:
                sys.exit(7)
            pairs = []
            for line in open(sys.argv[1]):
                band, a, b = line.split()
                window = int(band) + 1 if int(band) >= 0 else None
                pairs.append((*(array.array("d", map(float, each.split(","))) for each in (a, b)), window))
            for a, b, window in pairs[:3]:
                dtw.distance_fast(a, b, window=window)
            start = time.perf_counter()
            distances = [dtw.distance_fast(a, b, window=window) for a, b, window in pairs]
            print(len(pairs) / (time.perf_counter() - start), dtaidistance.__version__)
            print(*distances, sep="\\n")
            """;

    @Mixin
    private Bench bench;

    @Option(
            names = "--python",
            defaultValue = "python3",
            paramLabel = "FILE",
            description = "Python interpreter with the package dtaidistance, for the baseline (default: "
                    + "${DEFAULT-VALUE})")
    private String python;

    @Option(names = "--max-length", paramLabel = "N", description = "maximum length of the series (default: no limit)")
    private int mostLength = Integer.MAX_VALUE;

    @Override
    public void run() {
        SparkSession spark = bench.open();
        for (Work work : WORKS) {
            if (work.length() <= mostLength && !bench.isEnough()) {
                BellmanFunction<?> function = Bench.function(work.function());
                double ceiling = bench.gpu() ? work.ceiling() : 0;
                BenchmarkData data = data(spark, work, function);
                boolean hasPeer = work.function().equals("dtw") && work.isDouble() && !bench.isQuick();
                Map<String, Double> peer = hasPeer ? peer(spark, work, data) : Map.of();
                bench.measure(
                        data, function, "serial", Baselines.oneThread(peer).withCeiling(ceiling));
            }
        }
        bench.close();
    }

    /**
     * Measures the rate of dtaidistance, and checks that its results equal Bellman's; returns an empty map if
     * dtaidistance is not installed.
     */
    private Map<String, Double> peer(SparkSession spark, Work work, BenchmarkData data) {
        String band = work.band().map(cells -> ", " + cells).orElse("");
        List<Row> pairs = data.read(spark)
                .limit((int) Math.max(1, PEER_CELLS / work.cells()))
                .selectExpr(
                        "concat_ws(' ', '%d', array_join(a, ','), array_join(b, ','))"
                                .formatted(work.band().orElse(-1)),
                        "string(dtw(a, b%s))".formatted(band))
                .collectAsList();
        return new PythonPeer(python, "dtaidistance", PEER)
                .rate(
                        bench.out(),
                        pairs.stream().map(row -> row.getString(0)).toList(),
                        pairs.stream().map(row -> row.getString(1)).toList(),
                        SeriesSuite::isSame);
    }

    private static boolean isSame(String ours, String other) {
        double distance = Double.parseDouble(ours);
        return Math.abs(distance - Double.parseDouble(other)) <= ROUNDING * distance;
    }

    private BenchmarkData data(SparkSession spark, Work work, BellmanFunction<?> function) {
        long count = bench.gpu()
                ? bench.count(100_000_000_000L, work.cells(), 1_000_000)
                : bench.count(2_000_000_000L, work.cells(), 100_000);
        Dataset<Row> pairs = spark.range(0, count, 1, 16)
                .selectExpr(
                        SERIES.formatted(work.length(), bench.seed(), work.type()) + " AS a",
                        SERIES.formatted(work.length(), bench.seed() + 1, work.type()) + " AS b");
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
