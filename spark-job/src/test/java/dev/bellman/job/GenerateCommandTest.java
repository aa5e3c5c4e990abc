package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class GenerateCommandTest {
    private final SparkSession spark = LocalSpark.session();
    private final List<BellmanException> failures = new ArrayList<>();

    @TempDir
    private Path folder;

    private int generate(String... arguments) {
        return new CommandLine(new GenerateCommand())
                .setErr(new PrintWriter(Writer.nullWriter()))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    failures.add(BellmanException.in(failure).orElseThrow(() -> failure));
                    return 99;
                })
                .execute(arguments);
    }

    @Test
    void writesPairs() {
        String output = folder.resolve("pairs").toString();
        assertThat(generate(
                        "pairs",
                        "--count=1000",
                        "--length=20-40",
                        "--alphabet=protein",
                        "--divergence=0.1",
                        "--seed=3",
                        "--partitions=3",
                        "--output=" + output))
                .isZero();
        Dataset<Row> rows = spark.read().parquet(output);
        assertThat(rows.schema().simpleString()).isEqualTo("struct<id:bigint,a:string,b:string>");
        assertThat(rows.filter("length(a) BETWEEN 20 AND 40 AND a RLIKE '^[ACDEFGHIKLMNPQRSTVWY]+$'")
                        .count())
                .isEqualTo(1000);
        assertThat(rows.inputFiles()).hasSize(3);
    }

    @Test
    void writesChains() {
        String output = folder.resolve("chains").toString();
        assertThat(generate("chains", "--count=100", "--matrices=2-5", "--dimensions=10-20", "--output=" + output))
                .isZero();
        Dataset<Row> rows = spark.read().parquet(output);
        assertThat(rows.schema().simpleString()).isEqualTo("struct<id:bigint,dims:array<int>>");
        assertThat(rows.filter("size(dims) BETWEEN 3 AND 6 AND forall(dims, d -> d BETWEEN 10 AND 20)")
                        .count())
                .isEqualTo(100);
    }

    @Test
    void doesAsTheModeSaysWithAnOutputThatExists() {
        String output = "--output=" + folder.resolve("again");
        assertThat(generate("pairs", "--count=10", output)).isZero();
        assertThat(generate("pairs", "--count=10", output)).isEqualTo(99);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_EXISTS);
        assertThat(generate("pairs", "--count=20", output, "--mode=overwrite")).isZero();
        assertThat(spark.read().parquet(folder.resolve("again").toString()).count())
                .isEqualTo(20);
    }

    @Test
    void refusesWrongUsage() {
        String output = "--output=" + folder.resolve("never");
        String[][] wrong = {
            {"--mode=replace"},
            {"--length=short"},
            {"--divergence=2"},
            {"--alphabet="},
            {"--count=-1"},
            {"--partitions=-1"}
        };
        for (String[] option : wrong) {
            List<String> arguments = new ArrayList<>(List.of("pairs", output, option[0]));
            if (!option[0].startsWith("--count")) {
                arguments.add("--count=10");
            }
            assertThat(generate(arguments.toArray(String[]::new))).as(option[0]).isEqualTo(99);
        }
        assertThat(failures).extracting(BellmanException::code).hasSize(6).containsOnly(ErrorCode.BELLMAN_USAGE);
        assertThat(folder.resolve("never")).doesNotExist();
        assertThat(generate()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(generate("pairs", "--count=many", output)).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
