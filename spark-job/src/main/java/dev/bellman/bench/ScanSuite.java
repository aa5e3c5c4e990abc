package dev.bellman.bench;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.BenchmarkData;
import dev.bellman.bench.measure.FunctionBenchmark;
import dev.bellman.bench.measure.Table;
import dev.bellman.generate.Alphabet;
import dev.bellman.generate.Divergence;
import dev.bellman.generate.Generator;
import dev.bellman.generate.Lengths;
import dev.bellman.generate.PairsSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks queries on Parquet files that differ only in their compression, row-group size and page size; with RAPIDS,
 * also compares different readers. Each query reads pairs of nucleotide sequences and writes one number per pair.
 */
@Command(name = "scan", description = "Reading Parquet files with different settings.", mixinStandardHelpOptions = true)
final class ScanSuite implements Runnable {
    private static final String LENGTHS = "length(a) + length(b)";

    private static final String READER = "spark.rapids.sql.format.parquet.reader.type";

    @Mixin
    private Bench bench;

    @Option(
            names = "--codecs",
            split = ",",
            defaultValue = "snappy,zstd,none",
            paramLabel = "NAME",
            description = "compression codecs (default: ${DEFAULT-VALUE})")
    private List<String> codecs;

    @Option(
            names = "--row-groups",
            split = ",",
            defaultValue = "128m",
            paramLabel = "SIZE",
            description = "maximum sizes of a row group, such as 128m (default: ${DEFAULT-VALUE})")
    private List<String> rowGroups;

    @Option(
            names = "--pages",
            split = ",",
            defaultValue = "1m,256k",
            paramLabel = "SIZE",
            description = "maximum sizes of a page, such as 256k (default: ${DEFAULT-VALUE})")
    private List<String> pages;

    @Option(
            names = "--readers",
            split = ",",
            defaultValue = "MULTITHREADED,COALESCING",
            paramLabel = "NAME",
            description = "RAPIDS reader types to measure on a GPU (default: ${DEFAULT-VALUE})")
    private List<String> readers;

    @Option(
            names = "--length",
            defaultValue = "150",
            paramLabel = "N",
            description = "length of the sequences (default: ${DEFAULT-VALUE})")
    private int length;

    /**
     * The times of the queries for {@code length(a) + length(b)} and {@code edit_distance(a, b)} on one set of files
     * with one reader.
     */
    record ScanMeasurement(
            String codec,
            String rowGroup,
            String page,
            String reader,
            long rows,
            double gigabytes,
            double lengthsSeconds,
            double editDistanceSeconds) {}

    @Override
    public void run() {
        SparkSession spark = bench.open();
        Table table = bench.table()
                .text("codec", 8)
                .text("row group", 10)
                .text("page", 8)
                .text("reader", 14)
                .number("rows", 12, 0)
                .number("GB", 7, 2)
                .number(LENGTHS + " s", 24, 3)
                .number("edit_distance s", 16, 3);
        for (String codec : codecs) {
            for (String rowGroup : rowGroups) {
                for (String page : pages) {
                    measure(spark, codec, rowGroup, page, table);
                }
            }
        }
        bench.close();
    }

    private void measure(SparkSession spark, String codec, String rowGroup, String page, Table table) {
        BenchmarkData data = write(spark, codec, rowGroup, page);
        double gigabytes = bytes(Path.of(data.folder())) / 1e9;
        for (String reader : bench.gpu() ? readers : List.of("Spark")) {
            if (bench.isEnough()) {
                return;
            }
            if (bench.gpu()) {
                spark.conf().set(READER, reader);
            }
            String result = bench.folder("result");
            ScanMeasurement measured = new ScanMeasurement(
                    codec,
                    rowGroup,
                    page,
                    reader,
                    data.rows(),
                    gigabytes,
                    FunctionBenchmark.endToEndSeconds(spark, data, LENGTHS, result),
                    FunctionBenchmark.endToEndSeconds(spark, data, "edit_distance(a, b)", result));
            bench.add(measured);
            table.row(
                    codec,
                    rowGroup,
                    page,
                    reader,
                    measured.rows(),
                    gigabytes,
                    measured.lengthsSeconds(),
                    measured.editDistanceSeconds());
        }
    }

    /**
     * Writes the pairs with Spark's own writer even if RAPIDS is configured, because Spark's writer applies all
     * settings.
     */
    private BenchmarkData write(SparkSession spark, String codec, String rowGroup, String page) {
        spark.conf().set("spark.sql.parquet.compression.codec", codec);
        spark.conf().set("parquet.block.size", JavaUtils.byteStringAsBytes(rowGroup));
        spark.conf().set("parquet.page.size", JavaUtils.byteStringAsBytes(page));
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "false");
        long count = bench.count(bench.gpu() ? 6_000_000_000L : 300_000_000L, 2.0 * length, Integer.MAX_VALUE);
        Dataset<Row> pairs = Generator.pairs(
                        spark,
                        new PairsSpec(
                                count,
                                Lengths.fixed(length),
                                Alphabet.of("dna"),
                                Divergence.parse("independent"),
                                bench.seed(),
                                0))
                .select("a", "b");
        String name = "scan-%s-%s-%s".formatted(codec, rowGroup, page);
        BenchmarkData data = BenchmarkData.write(
                name, bench.folder(name), pairs, Bench.function("edit_distance"), "length(a) * length(b)");
        spark.conf().set(PairsSuite.RAPIDS_ENABLED, "true");
        return data;
    }

    private static long bytes(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException e) {
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "cannot read " + folder + ": " + e.getMessage(), e);
        }
    }
}
