package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GenerateCommandTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    private Path folder;

    private CommandLineRun generate(String... arguments) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("generate"), Stream.of(arguments)).toArray(String[]::new));
    }

    @Test
    void writesPairs() {
        String output = folder.resolve("pairs").toString();
        CommandLineRun run = generate(
                "pairs",
                "--count=1000",
                "--length=20-40",
                "--alphabet=protein",
                "--divergence=0.1",
                "--seed=3",
                "--output-partitions=3",
                "--output=" + output);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("1,000 rows in ").endsWith(": " + output + " (parquet)\n");
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
        generate("chains", "--count=100", "--matrices=2-5", "--dimensions=10-20", "--output=" + output)
                .assertDone();
        Dataset<Row> rows = spark.read().parquet(output);
        assertThat(rows.schema().simpleString()).isEqualTo("struct<id:bigint,dims:array<int>>");
        assertThat(rows.filter("size(dims) BETWEEN 3 AND 6 AND forall(dims, d -> d BETWEEN 10 AND 20)")
                        .count())
                .isEqualTo(100);
    }

    @Test
    void doesAsTheModeSaysWithAnOutputThatExists() {
        String output = "--output=" + folder.resolve("again");
        generate("pairs", "--count=10", output).assertDone();
        generate("pairs", "--count=10", output)
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_OUTPUT_EXISTS] ")
                .hasLineCount(1);
        assertThat(generate("pairs", "--count=30", output, "--output-mode=ignore")
                        .out())
                .contains("nothing was written");
        generate("pairs", "--count=20", output, "--output-mode=overwrite").assertDone();
        assertThat(spark.read().parquet(folder.resolve("again").toString()).count())
                .isEqualTo(20);
    }

    @Test
    void refusesWrongUsage() {
        String output = "--output=" + folder.resolve("never");
        String[][] wrong = {
            {"--output-mode=replace"},
            {"--length=short"},
            {"--divergence=2"},
            {"--alphabet="},
            {"--count=-1"},
            {"--output-partitions=-1"}
        };
        for (String[] option : wrong) {
            List<String> arguments = new ArrayList<>(List.of("pairs", output, option[0]));
            if (!option[0].startsWith("--count")) {
                arguments.add("--count=10");
            }
            CommandLineRun run = generate(arguments.toArray(String[]::new));
            assertThat(run.code()).as(option[0]).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).startsWith("error: [BELLMAN_USAGE] ");
        }
        assertThat(folder.resolve("never")).doesNotExist();
        assertThat(generate().code()).isEqualTo(ExitCode.USAGE);
        assertThat(generate("pairs", "--count=many", output).code()).isEqualTo(ExitCode.USAGE);
    }
}
