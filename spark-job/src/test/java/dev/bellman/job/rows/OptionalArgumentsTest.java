package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Bellman;
import dev.bellman.function.Catalogue;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests jobs in which optional arguments of functions are constants, columns, or missing. */
class OptionalArgumentsTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private CommandLineRun run(String problem, Path input, String... more) {
        return CommandLineRun.ofJob(folder, problem, input, more);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--parameter=power=1 | dtw(a, b, power => 1)",
                "--argument=a --argument=b --argument=w | dtw(a, b, w)",
                "--argument=a --argument=b --argument=w --parameter=power=1 | dtw(a, b, w, power => 1)",
                "--parameter=band=1 | dtw(a, b, 1)"
            })
    void ofSeries(String flags, String call) throws IOException {
        Bellman.register(spark);
        Path input = Files.writeString(folder.resolve("series.jsonl"), """
                {"id": 1, "a": [1.0, 2.0, 9.0, 9.0], "b": [3.0, 5.0, 1.0, 0.0], "w": 1}
                {"id": 2, "a": [1.0, 2.0, 9.0, 9.0], "b": [3.0, 5.0, 1.0, 0.0], "w": 3}
                """);
        run("dtw", input, flags.split(" ")).assertDone();
        assertThat(LocalSpark.written(folder, "id", "dtw"))
                .isEqualTo(LocalSpark.lines(spark.read().json(input.toString()).selectExpr("id", call)));
    }

    @Test
    void symbolsOfAHiddenMarkovModel() throws IOException {
        Path input = Files.writeString(folder.resolve("models.jsonl"), """
                {"id": 1, "start": [0.6, 0.4], "transitions": [[0.7, 0.3], [0.4, 0.6]], \
                "emissions": [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]], "symbols": [0, 1, 2]}
                """);
        List<String> flags = new ArrayList<>();
        for (String argument : List.of("start", "transitions", "emissions", "symbols")) {
            flags.add("--argument=" + argument);
        }
        run("viterbi", input, flags.toArray(String[]::new)).assertDone();
        assertThat(LocalSpark.written(folder, "viterbi.*"))
                .singleElement()
                .asString()
                .contains("ArraySeq(0, 0, 1)");
        flags.add("--results=posterior,forward,viterbi");
        flags.add("--output-mode=overwrite");
        run("viterbi", input, flags.toArray(String[]::new)).assertDone();
        assertThat(LocalSpark.written(folder, "forward", "size(posterior)")).containsExactly("[-3.316488653735201,3]");
        flags.add("--parameter=logarithms=true");
        run("viterbi", input, flags.toArray(String[]::new)).assertDone();
        // the numbers are logarithms of weights, so the result is the sum of the numbers along the path
        assertThat(LocalSpark.written(folder, "viterbi.states", "round(viterbi.log_probability, 9)"))
                .containsExactly("[ArraySeq(0, 0, 1),3.1]");
        assertThat(run("viterbi", input, "--parameter=symbols=0").err())
                .contains("parameters.symbols is '0'; it must be of type ARRAY<INT>; pass it in arguments instead");
    }

    @Test
    void settingAmongTheArguments() throws IOException {
        Path input = Files.writeString(folder.resolve("models.jsonl"), """
                {"id": 1, "start": [1.0], "transitions": [[1.0]], "emissions": [[0.5]], "logarithms": false}
                """);
        String[] flags = Stream.of("start", "transitions", "emissions", "logarithms")
                .map("--argument="::concat)
                .toArray(String[]::new);

        run("viterbi", input, flags)
                .assertCode(ExitCode.INPUT)
                .contains("[BELLMAN_FUNCTION_ARGUMENTS]")
                .contains("viterbi: the argument symbols is of type BOOLEAN; it must be ARRAY<INT>. To set logarithms,"
                        + " use parameters instead of arguments");
    }

    /** The types of the arguments decide whether they are symbols or numbers. */
    @Test
    void values() throws IOException {
        Path input = Files.writeString(folder.resolve("readings.jsonl"), "{\"x\": [0.5, 9.5, 1e6]}\n{\"x\": [10]}\n");
        run(
                        "viterbi",
                        input,
                        "--argument=array(0.5, 0.5)",
                        "--argument=array(array(0.5, 0.5), array(0.5, 0.5))",
                        "--argument=array(array(0, 1), array(10, 1))",
                        "--argument=x",
                        "--results=viterbi,posterior")
                .assertDone();
        assertThat(LocalSpark.written(folder, "viterbi.states", "round(posterior[0][1], 6)"))
                .containsExactlyInAnyOrder("[ArraySeq(0, 1, 1),0.0]", "[ArraySeq(1),1.0]");
    }

    /** Reads a grammar from a file, and a profile for the sequences in a FASTA file. */
    @Test
    void filesOfParameters() throws IOException {
        Path grammar = Files.writeString(folder.resolve("grammar.txt"), "S -> 'a' [0.5] | S S [0.5]\n");
        Path tokens = Files.writeString(folder.resolve("tokens.jsonl"), "{\"tokens\": [\"a\", \"a\"]}\n");
        run("cyk", tokens, "--parameter=grammar=" + grammar).assertDone();
        assertThat(LocalSpark.written(folder, "cyk.tree")).containsExactly("[(S (S a) (S a))]");
        String example =
                Catalogue.named("profile_score").orElseThrow().example().expression();
        Path profile = Files.writeString(
                folder.resolve("family.hmm"),
                example.substring(example.indexOf("HMMER"), example.indexOf("', ';'"))
                        .replace(';', '\n'));
        Path reads = Files.writeString(folder.resolve("reads.fasta"), ">r\nGATTACA\n");
        run("profile_score", reads, "--parameter=profile=" + profile, "--output-mode=overwrite")
                .assertDone();
        assertThat(LocalSpark.lines(LocalSpark.output(folder).select("profile_score")))
                .containsExactly("["
                        + Catalogue.named("profile_score")
                                .orElseThrow()
                                .example()
                                .result() + "]");
    }
}
