package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares jobs on close strings on a GPU with those on the CPU. {@code submit/gpu-tests} runs this test. */
@Tag("gpu")
class CloseStringsGpuTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = LocalSpark.withRapids();
    }

    /** Writes reads of 4,000 barcodes, with errors, and the barcodes themselves. */
    @BeforeEach
    void write() throws IOException {
        Random random = new Random(16);
        StringBuilder reads = new StringBuilder("id\ts\n");
        StringBuilder barcodes = new StringBuilder("id\ts\n");
        for (int i = 0; i < 4_000; i++) {
            String barcode = random.ints(16, 0, 4)
                    .mapToObj(n -> "ACGT".substring(n, n + 1))
                    .reduce("", String::concat);
            barcodes.append("%d\t%s\n".formatted(i, barcode));
            for (int copy = 0; copy < 3; copy++) {
                StringBuilder read = new StringBuilder(barcode);
                for (int error = random.nextInt(3); error > 0; error--) {
                    read.setCharAt(random.nextInt(16), "ACGT".charAt(random.nextInt(4)));
                }
                reads.append("%d\t%s\n".formatted(3 * i + copy, read));
            }
        }
        Files.writeString(folder.resolve("reads.tsv"), reads);
        Files.writeString(folder.resolve("barcodes.tsv"), barcodes);
    }

    private List<String> rows(String engine, String... more) {
        spark.conf().set("spark.rapids.sql.enabled", engine.equals("gpu"));
        try {
            CommandLineRun.ofJob(
                            folder,
                            "edit_distance",
                            "reads.tsv",
                            Stream.concat(
                                            Stream.of(
                                                    "--input-option=inferSchema=true",
                                                    "--argument=s",
                                                    "--engine=" + engine,
                                                    "--output-mode=overwrite"),
                                            Stream.of(more))
                                    .toArray(String[]::new))
                    .assertDone();
            return LocalSpark.lines(spark.read().parquet(folder.resolve("out").toString()));
        } finally {
            spark.conf().unset("spark.rapids.sql.enabled");
        }
    }

    private void assertSame(String... options) {
        assertThat(rows("gpu", options)).isEqualTo(rows("cpu", options)).hasSizeGreaterThan(10_000);
    }

    @Test
    void clusters() {
        assertSame("--results=cluster", "--pairing=within", "--max-distance=2");
    }

    @Test
    void nearest() {
        assertSame("--pairing=nearest", "--targets=" + folder.resolve("barcodes.tsv"), "--top=1", "--max-distance=2");
    }
}
