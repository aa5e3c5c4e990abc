package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the keys and flags that set the scoring of alignments. */
class BestHitsScoringTest extends BestHitsFixture {
    /** Instead of a scoring string, keys can set scores, or choose a matrix by its name or its file. */
    @Test
    void scoringByKeys() throws IOException {
        Path matrix = Files.writeString(folder.resolve("my.txt"), """
                # mine
                   A  C  G  T
                A  5 -4 -1 -4
                C -4  5 -4 -1
                G -1 -4  5 -4
                T -4 -1 -4  5
                """);
        Files.writeString(folder.resolve("pairs.tsv"), "id\ta\tb\n1\tGATTACA\tGACTAC\n");
        Map<String, Object> expected = Map.of(
                "  match: 2\n  mismatch: -3\n  open: 5\n  extend: 2\n",
                7,
                "  match: 2\n  mismatch: -3\n  open: 2\n",
                7,
                "  matrix: " + matrix + "\n  open: 10\n  extend: 1\n",
                24,
                "  matrix: NUC44\n  unknown: -1\n  open: 10\n  extend: 1\n",
                21);
        expected.forEach((scoring, score) -> {
            job("scoring:\n" + scoring + "parameters: {mode: local}\n").assertDone();
            assertThat(LocalSpark.output(folder).first().getLong(1))
                    .as(scoring)
                    .isEqualTo(((Integer) score).longValue());
        });
    }

    /** A gap opposite the last letter of a, GATTACA, is either cheap or expensive. */
    @ParameterizedTest
    @CsvSource({"1, 9, 6", "9, 1, -2"})
    void otherGapsInTheTarget(int open, int gapInAOpen, long score) throws IOException {
        Files.writeString(folder.resolve("pairs.tsv"), "id\ta\tb\n1\tGATTACA\tGACTAC\n");

        job("""
                scoring: {match: 2, mismatch: -3, open: %d, extend: 1, gapInAOpen: %d, gapInAExtend: 1}
                parameters: {mode: global}
                """.formatted(open, gapInAOpen)).assertDone();
        assertThat(LocalSpark.output(folder).first().getLong(1)).isEqualTo(score);
    }

    @Test
    void scoringByFlags() {
        CommandLineRun run = run(
                "--dry-run", "--scoring-match=2", "--scoring-mismatch=-3", "--scoring-open=5", "--scoring-extend=2");
        assertThat(run.err()).contains("both parameters.scoring and scoring are set; remove one of them");

        run = run(
                "--dry-run",
                "--scoring-matrix=BLOSUM62",
                "--scoring-open=12",
                "--scoring-extend=1",
                "--parameter=scoring=BLOSUM62 open 12 extend 1");
        run.assertDone();
        assertThat(run.out()).contains("scoring: BLOSUM62 open 12 extend 1");
        assertThat(run("--dry-run", "--scoring-matrix=BLOSUM62", "--scoring-open=12", "--scoring-unknown=-1")
                        .err())
                .contains("remove one of them");
    }

    private CommandLineRun job(String scoring) {
        try {
            Files.writeString(
                    folder.resolve("job.yaml"),
                    "problem: alignment\ninput: {path: %1$s/pairs.tsv}\noutput: {path: %1$s/out, mode: overwrite}\n%2$s"
                            .formatted(folder, scoring));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return CommandLineRun.of("run", folder.resolve("job.yaml").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scoring: {matrix: blosum62} | scoring.open is missing",
                "scoring: {open: 5} | 4:17: scoring requires either matrix, or both match and mismatch",
                "scoring: {match: 1, matrix: blosum62, mismatch: -1, open: 5} | scoring requires either matrix, or "
                        + "both match and mismatch",
                "scoring: {match: 1, mismatch: -1, unknown: 2, open: 5} | scoring.unknown is the score of letters "
                        + "that are missing from the matrix, but scoring.matrix is not set",
                "scoring: {match: 1, mismatch: -1, open: 5, extend: 6} | at most the cost of",
                "scoring: {match: 1, mismatch: -1, open: 5, gapInAOpen: 6} | scoring.gapInAOpen and "
                        + "scoring.gapInAExtend must be set together",
                "scoring: {match: 1, mismatch: -1, open: 5, gapInAOpen: 6, gapInAExtend: 7} | at most the cost of",
                "scoring: {match: 1.5, mismatch: -1, open: 5} | scoring.match must be a whole number",
                "scoring: {matrix: blosum63, open: 5} | the matrix file blosum63 does not exist; scoring.matrix must "
                        + "be a path, or one of blosum45",
                "scoring: {matrix: pom.xml, open: 5} | 4:19: the matrix pom.xml: line 1 is '<?xml",
                "scoring: {matrix: blosum62, open: 5} ; parameters: {scoring: blosum62 gap 6, mode: local} | remove "
                        + "one of them",
            })
    void wrongScoringByKeys(String scoring, String message) {
        job(scoring.replace(" ; ", "\n") + "\n")
                .assertCode(ExitCode.INPUT)
                .contains(message.strip())
                .doesNotContain("needs scoring:");
    }
}
