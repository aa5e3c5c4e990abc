package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages for graphs and matrices that jobs refuse. Each message contains the position of the error. */
class BadGraphsTest extends GraphRunFixture {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p sp 2 1\\na 1 3 5 | BELLMAN_INPUT_FORMAT | line 2: the vertex is 3; it must be from 1 to 2",
                "p sp 2 2\\na 1 2 5 | BELLMAN_INPUT_FORMAT | the file ends after 1 of 2 arcs",
                "p sp 2 1\\na 1 2 5\\na 1 2 4 | BELLMAN_INPUT_FORMAT | line 3: the file has more arcs than its p line "
                        + "declares (1)",
                "p sp 2 1\\na 1 2 x | BELLMAN_INPUT_FORMAT | line 2: found 'x'",
                "hello | BELLMAN_INPUT_FORMAT | line 1: found 'hello'",
                "p sp 2 2\\na 1 2 5\\na 2 1 -6 | BELLMAN_INPUT_VALUE | vertex '2' is on a cycle of negative "
                        + "weight, so shortest paths do not exist. Correct the input",
                "p sp 2 1\\na 2 2 -1 | BELLMAN_INPUT_VALUE | vertex '2' is on a cycle of negative weight",
                "p sp 3 2\\na 1 2 9223372036854775807\\na 2 3 1 | BELLMAN_OVERFLOW | from vertex '1' to vertex '3' "
                        + "does not fit in a BIGINT; use smaller",
                "p sp 1000000000 1\\na 1 2 5 | BELLMAN_LIMIT | line 1: 1,000,000,000 vertices and 1 edges take more "
                        + "than",
                "p sp 2 1000000000\\na 1 2 5 | BELLMAN_LIMIT | line 1: 2 vertices and 1,000,000,000 edges take more "
                        + "than",
                "p sp 2 -1 | BELLMAN_INPUT_FORMAT | line 1: the count is -1",
                "p sp 2 0\\np sp 2 0 | BELLMAN_INPUT_FORMAT | line 2: found 'p sp 2 0'",
                "a 1 2 5 | BELLMAN_INPUT_FORMAT | expected a comment or 'p sp",
                "p sp 2 1\\na 1 2 | BELLMAN_INPUT_FORMAT | line 2: found 'a 1 2'"
            })
    void badFiles(String text, String code, String message) throws IOException {
        bad("bad.gr", text, code, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "integer skew-symmetric\\n2 2 1\\n2 1 5 | FORMAT is coordinate, TYPE is integer, real or pattern, and "
                        + "SYMMETRY is general or symmetric",
                "pattern general\\n2 2 1\\n2 1 1 | line 3: found '2 1 1'; expected ROW COLUMN",
                "integer general\\n2 2 1\\n2 1 | line 3: found '2 1'; expected ROW COLUMN VALUE",
                "complex general\\n2 2 1\\n2 1 1 1 | expected '%%MatrixMarket",
                "integer general\\n2 3 1\\n2 1 5 | line 2: found '2 3 1'; expected NODES NODES ENTRIES",
                "integer general\\n2 2 1\\n2 1 5.0 | line 3: found '5.0'; expected a whole number",
                "integer general\\n2 2 1\\n0 1 5 | line 3: the vertex is 0; it must be from 1 to 2",
                "real general\\n2 2 1\\n2 1 NaN | line 3: found 'NaN' where a number",
                "real general\\n2 2 1\\n2 1 1e300 | line 3: found '1e300' where a number of at most 1.0E288",
                "real general\\n2 2 1\\n2 1 2f | line 3: found '2f' where a number",
                "real general\\n2 2 2\\n2 1 2 | the file ends after 1 of 2 entries"
            })
    void badMatrices(String text, String message) throws IOException {
        bad("bad.mtx", "%%MatrixMarket matrix coordinate " + text, "BELLMAN_INPUT_FORMAT", message);
    }

    private void bad(String name, String text, String code, String message) throws IOException {
        Files.writeString(folder.resolve(name), text.replace("\\n", "\n") + "\n");
        run(name).assertCode(ExitCode.INPUT).contains(code, message);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--results=distance,cost | results",
                "--keep=weight | keep does not apply to all_pairs_shortest_paths, only to rows",
                "--argument=source | an edge takes arguments such as (source, target, weight), but the job has [source]",
                "--output-format=json | output.format for all_pairs_shortest_paths must be parquet",
                "--output-mode=append | but the results of all_pairs_shortest_paths cannot be added to those of an earlier run",
                "--strategy=fast | strategy",
                "--engine=gpu | [BELLMAN_GPU_REQUIRED]",
                "--argument=source --argument=target --argument=price | no column 'price'",
                "--argument=source --argument=target --argument=source | it must be a number",
                "--argument=source --argument=weight --argument=weight | both of the same DECIMAL, DATE or",
                "--argument=source --argument=target --argument=nullif(weight,3) | is NULL",
                "--restricted --argument=source --argument=target --argument=java_method('a','b') | restricted"
            })
    void wrong(String flags, String message) throws IOException {
        CommandLineRun run = rows(flags.split(" "));

        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Messages contain vertex names as they are in the input. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "if(weight = 1, -5, weight) | vertex 'd' is on a cycle",
                "if(source IN ('b', 'c'), 9223372036854775807, weight) | from vertex 'a' to vertex 'd'",
                "if(source = 'b', CAST('NaN' AS DOUBLE), weight) | the weight of the edge [b,d,NaN] must be a number",
                "if(source = 'b', 1e289, weight) | the weight of the edge [b,d,1.0E289] must be a number of at most "
                        + "1.0E288"
            })
    void badWeights(String weight, String message) throws IOException {
        rows("--argument=source", "--argument=if(source = 'd' AND weight = -1, 'c', target)", "--argument=" + weight)
                .assertCode(ExitCode.INPUT)
                .contains(message)
                .doesNotContain("try_");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void graphsAreForThisProblem() throws IOException {
        Files.writeString(folder.resolve("g.gr"), "p sp 1 0\n");
        CommandLineRun run = CommandLineRun.of(
                "run", "--problem=lcs", "--input=" + folder.resolve("g.gr"), "--output=" + folder.resolve("out"));

        assertThat(run.err()).contains("input.format is gr, which applies only to all_pairs_shortest_paths");
    }
}
