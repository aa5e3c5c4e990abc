package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.align.scoring.SubstitutionMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the scorings of alignments: scoring strings, letters and matrix files. */
class AlignmentScoringTest extends SequenceAlignmentFixture {
    @Test
    void belowTheLeastScore() {
        Scoring scoring = Scoring.of("test", "match 2 mismatch -3 open 5 extend 2");
        Text a = Text.of("ACGT".repeat(300));
        Text b = Text.of("TTTT".repeat(300));
        for (AlignmentMode mode : AlignmentMode.values()) {
            long score = score(a.toString(), b.toString(), mode, "match 2 mismatch -3 open 5 extend 2");
            for (long least : new long[] {score - 1, score, score + 1, 2_300, 2_401, Long.MAX_VALUE}) {
                assertThat(SequenceAlignment.score(
                                        "test", a, b, mode, scoring, least, SequenceAlignment.Strategy.SERIAL)
                                .isPresent())
                        .isEqualTo(score >= least);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; the end of the scoring; match, matrix, or one of blosum45",
                "blosum61 open 11 extend 1; 'blosum61' at character 1; blosum62",
                "blosum62  11 extend 1; '11' at character 11; open, gap or insert",
                "blosum62 open x extend 1; 'x' at character 15; a whole number from 0 to 32767",
                "match 1 mismatch -1 open 2 extend 3; '3' at character 35; at most the cost of the first letter, a "
                        + "whole "
                        + "number from 0 to 2",
                "match 1 mismatch -1 open 2; the end of the scoring; extend",
                "match 1 mismatch -1 open 2 extend 1 open2 3; the end of the scoring; extend2",
                "match 1 mismatch -1 open 2 extend 1 open2 3 extend2 4; '4' at character 53; a whole number from 0 to 3",
                "match 1 mismatch -1 gap 2 open2 3 extend2 1; 'open2' at character 27; the end of the scoring",
                "match 1 mismatch -1 insert gap 2; the end of the scoring; delete",
                "match 1 mismatch -1 gap 2 gap 3; 'gap' at character 27; the end of the scoring",
                "match 99999 mismatch -1 gap 2; '99999' at character 7; from -32767 to 32767",
                "matrix AA 1 2 3 4 gap 1; 'AA' at character 8; each once",
                "matrix AC 1 2 3 gap 1; 'gap' at character 17; the score of the pair C and C, one of 2 * 2 scores"
            })
    void wrongScorings(String scoring, String found, String expected) {
        assertThatThrownBy(() -> Scoring.of("alignment", scoring))
                .isInstanceOf(BellmanException.class)
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] alignment: invalid scoring '" + scoring + "': found " + found)
                .hasMessageContaining(expected);
    }

    @Test
    void letters() {
        assertThat(score("wxz*", "WXZ*", AlignmentMode.GLOBAL, "blosum62 open 11 extend 1"))
                .isEqualTo(11 - 1 + 4 + 1);
        assertThat(score("Nn", "AC", AlignmentMode.GLOBAL, "nuc44 gap 9")).isEqualTo(-4);
        assertThat(score("aA", "AA", AlignmentMode.GLOBAL, "match 1 mismatch -1 gap 9"))
                .isEqualTo(0);
        assertThat(score("aA", "AA", AlignmentMode.GLOBAL, "matrix Aa 5 1 1 5 gap 9"))
                .isEqualTo(6);
        assertThat(align("AJ\u65e5", "AJ\u672c", AlignmentMode.GLOBAL, "blosum62 other -2 gap 9"))
                .isEqualTo(new Alignment(0, 0, 3, 0, 3, "2=1X", 2, 0));
        assertThatThrownBy(() -> score("AC", "AJ", AlignmentMode.GLOBAL, "blosum62 gap 9"))
                .hasMessageContaining(
                        "character 2 of b is 'J', which is not in BLOSUM62; expected one of ARNDCQEGHILKMFPSTWYVBZX*");
    }

    /**
     * Tests a matrix that is not symmetric and whose rows and columns are in different orders, as a file and as a
     * scoring string.
     */
    @Test
    void matrixOfAFile() {
        SubstitutionMatrix matrix = SubstitutionMatrix.parse("my.txt", """
                # comment

                   A  c  *
                c  1  5 -3
                A  4 -1 -2
                *  0  0  9
                """);

        assertThat(matrix.toText()).isEqualTo("matrix Ac* 4 -1 -2 1 5 -3 0 0 9");
        String scoring = matrix.toText() + " open 3 extend 1";
        assertThat(score("Ac*", "cA*", AlignmentMode.GLOBAL, scoring)).isEqualTo(-1 + 1 + 9);
        assertThat(score("C", "A", AlignmentMode.GLOBAL, scoring)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; line 1 is the last line, but no line lists the letters of the matrix",
                "A CG T; line 1 is 'A CG T'; it must list each letter of the matrix once",
                "A A; each letter of the matrix once",
                "A \u00e9; printable ASCII",
                "#x|A C|A 1 2; line 3 is the last line, but no line contains the scores for 'C'",
                "A C|A 1 2|A 1 2; line 3 begins with 'A'; each line must begin with a different letter from the first "
                        + "line (AC)",
                "A C|G 1 2; line 2 begins with 'G'",
                "A C|A 1|C 1 2; line 2 has 1 scores; it must have 2",
                "A C|A 1 2.5; line 2 has the score '2.5'; it must be a whole number from -32767 to 32767",
                "A C|A 1 40000; has the score '40000'"
            })
    void wrongMatrices(String text, String message) {
        assertThatThrownBy(() -> SubstitutionMatrix.parse("my.txt", text.replace('|', '\n')))
                .isInstanceOf(BellmanException.class)
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] the matrix my.txt: line ")
                .hasMessageContaining(message.strip());
    }
}
