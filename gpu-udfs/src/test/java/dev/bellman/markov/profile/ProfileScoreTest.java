package dev.bellman.markov.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.markov.profile.ProfileScore.Algorithm;
import dev.bellman.markov.profile.ProfileScore.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests scores by HMMER3 profiles. */
class ProfileScoreTest {
    private static final int LARGE = 200;

    /** A profile of two nodes, in which A and C are likely. */
    private static final String EXAMPLE = """
            HMMER3/f
            LENG 2
            ALPH DNA
            HMM A C G T
             m->m m->i m->d i->m i->i d->m d->d
            1.38629 1.38629 1.38629 1.38629
            0.01005 4.60517 * 0.69315 0.69315 0 *
            1 0.10536 3.40120 3.40120 3.40120
            1.38629 1.38629 1.38629 1.38629
            0.02020 4.60517 4.60517 0.69315 0.69315 0.69315 0.69315
            2 3.40120 0.10536 3.40120 3.40120
            1.38629 1.38629 1.38629 1.38629
            0.01005 4.60517 * 0.69315 0.69315 0 *
            //
            """;

    /** The tolerance for HMMER's scores, which are computed in floats. */
    private static final double OF_FLOATS = 1e-3;

    @Test
    void equalsTheTextbook() {
        for (BellmanFunction<?> function : ProfileFunctions.list()) {
            TextbookAnswers.compare(function, 2008, Thorough.rounds(500, 100_000), LARGE);
        }
    }

    /** Compares the textbook's scaled odds with logarithms, whose range is unlimited. */
    @Test
    void equalsLogarithms() {
        SplittableRandom random = new SplittableRandom(2011);
        int scored = 0;
        double greatest = 0;
        for (int round = 0; round < Thorough.rounds(200, 20_000); round++) {
            InternalRow row = ProfileInstances.draw(random, round % 10 == 0 ? 2_000 : 40);
            if (row.anyNull()) {
                continue;
            }
            double score;
            try {
                score = (Double) ProfileTextbook.score(row);
            } catch (BellmanException e) {
                continue;
            }
            ProfileText text = ProfileText.of("", row.getUTF8String(1).getBytes());
            double expected = new LogProfile(text)
                    .bits(
                            row.getUTF8String(0).toString(),
                            row.getUTF8String(2).toString().equals("forward"));
            if (expected == Double.NEGATIVE_INFINITY) {
                assertThat(score).isEqualTo(expected);
            } else {
                assertThat(score).as("round %d", round).isCloseTo(expected, within(1e-9));
            }
            scored++;
            greatest = Math.max(greatest, score);
        }
        assertThat(scored).isGreaterThan(100);
        // this is outside the range of DOUBLE without separate exponents
        assertThat(greatest).isGreaterThan(1_100);
    }

    /** Compares with HMMER, through the library pyhmmer. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> profiles = Golden.rows("profile.data");
        Map<String, Map<String, String>> rows = Golden.rows("profile.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(90);
        for (Map<String, String> row : rows.values()) {
            UTF8String profile = UTF8String.fromString(
                    profiles.get(row.get("profile")).get("profile").replace('|', '\n'));
            for (Algorithm algorithm : Algorithm.values()) {
                String name = algorithm == Algorithm.FORWARD ? "forward" : "viterbi";
                assertThat(score(strategy, UTF8String.fromString(row.get("seq")), profile, UTF8String.fromString(name)))
                        .as("%s of row %s", name, row.get("id"))
                        .isCloseTo(Double.parseDouble(row.get(name)), within(OF_FLOATS));
            }
        }
    }

    private static Double score(Strategy strategy, Object... arguments) {
        return (Double) TextbookAnswers.call(
                ProfileFunctions.list().get(0), Strategies.name(strategy), FunctionOptions.DEFAULT, arguments);
    }

    private static Double score(String sequence, String profile) {
        return score(
                Strategy.AUTO,
                UTF8String.fromString(sequence),
                UTF8String.fromString(profile),
                UTF8String.fromString("forward"));
    }

    /**
     * A profile may lack its end mark, for example if a reader splits a file at these marks, and may have Windows line
     * ends.
     */
    @Test
    void texts() {
        double score = score("GATTACA", EXAMPLE);
        assertThat(score("GATTACA", EXAMPLE.replace("//", ""))).isEqualTo(score);
        assertThat(score("gauuaca", EXAMPLE.replace("\n", "\r\n\r\n"))).isEqualTo(score);
        assertThat(score("*", EXAMPLE)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    /** If calls alternate between two profiles, each score is the score by the call's own profile. */
    @Test
    void turns() {
        double score = score("GATTACA", EXAMPLE);
        String other = EXAMPLE.replace("0.10536", "0.11536");
        double ofOther = score("GATTACA", other);
        assertThat(ofOther).isNotEqualTo(score);
        for (int i = 0; i < 5; i++) {
            assertThat(score("GATTACA", EXAMPLE)).isEqualTo(score);
            assertThat(score("GATTACA", other)).isEqualTo(ofOther);
        }
    }

    /** The function does not change a sequence, because Spark may reuse its bytes. */
    @Test
    void keepsItsArguments() {
        UTF8String sequence = UTF8String.fromString("GATTACA");
        score(Strategy.AUTO, sequence, UTF8String.fromString(EXAMPLE), UTF8String.fromString("viterbi"));
        assertThat(sequence.getBytes()).isEqualTo("GATTACA".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HMMER3/f|HMMER2.0|line 1 is 'HMMER2.0'; expected a HMMER3 profile, which begins with "
                        + "HMMER3/a to HMMER3/f",
                "LENG 2|LENG two|line 2 is 'LENG two'; expected LENG with the number of nodes, at least 1",
                "LENG 2|LENG 999|expected a profile with 999 nodes, as stated in the LENG line",
                "LENG 2|NAME x|line 4 is 'HMM A C G T'; expected LENG and ALPH lines before this line",
                "ALPH DNA|ALPH dice|line 3 is 'ALPH dice'; expected ALPH amino, ALPH DNA or ALPH RNA",
                "m->m m->i|i->m m->i|expected the line m->m m->i",
                "0.10536|0.1O536|'0.1O536' is neither",
                "0.10536|-0.10536|'-0.10536' is neither",
                "0.10536|104.5|'104.5' is neither",
                "0.10536|*|expected negative logarithms of probabilities that sum to 1; the probabilities of "
                        + "residues sum to 0.100",
                "0.02020|1.02020|expected negative logarithms of probabilities that sum to 1; the probabilities of "
                        + "m->m, m->i and m->d sum to",
                "//|3 x|line 14 is '3 x'; expected // after the last node",
                "//|// HMMER3/f|none"
            })
    void malformed(String part, String other, String message) {
        String text = EXAMPLE.replace(part, other.replace("// ", "//\n"));
        if (message.equals("none")) {
            assertThatThrownBy(() -> score("A", text)).hasMessageContaining("expected the end of the text after //");
        } else {
            assertThatThrownBy(() -> score("A", text)).hasMessageContaining("profile_score: profile: ");
            assertThatThrownBy(() -> score("A", text)).hasMessageContaining(message);
        }
    }

    /**
     * Tests fields that do not affect scores. A profile may lack these fields, but if one is damaged, the profile is
     * rejected, because it was truncated or altered.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NAME|expected NAME with a name",
                "MAXL x|expected MAXL with a length, at least 1",
                "RF|expected RF yes or RF no",
                "CS nox|expected CS yes or CS no",
                "MAP -|expected MAP yes or MAP no",
                "CONS 0  yes|expected CONS yes or CONS no",
                "MM YES|expected MM yes or MM no"
            })
    void damagedHeaders(String line, String message) {
        assertThatThrownBy(() -> score("A", EXAMPLE.replace("ALPH", line + "\nALPH")))
                .hasMessageContaining(message);
    }

    @Test
    void damagedNodes() {
        String noted = EXAMPLE.replace(
                        "0.10536 3.40120 3.40120 3.40120\n", "0.10536 3.40120 3.40120 3.40120 1 a - - -\n")
                .replace("3.40120 0.10536 3.40120 3.40120\n", "3.40120 0.10536 3.40120 3.40120 2 c - - -\n");
        String composed = noted.replace("d->d\n", "d->d\nCOMPO 1.4 1.4 1.4 1.4\n");
        assertThat(score("GATTACA", composed)).isEqualTo(score("GATTACA", EXAMPLE));
        for (String note : new String[] {" 1 a - - -\n", " 2 c - - -\n", " - - -\n"}) {
            assertThatThrownBy(() -> score("A", noted.replace(note, note.replace(" -\n", "\n"))))
                    .hasMessageContaining("annotations; either all nodes have the same number of annotations, or none");
        }
        assertThatThrownBy(() -> score("A", noted.replace(" 2 c - - -\n", "\n")))
                .hasMessageContaining("annotations; either all nodes have the same number of annotations, or none");
        assertThatThrownBy(() -> score("A", composed.replace("COMPO 1.4", "COMPO")))
                .hasMessageContaining("expected COMPO with the mean frequencies, 4 numbers");
    }

    @Test
    void messages() {
        assertThatThrownBy(() -> score("", EXAMPLE))
                .hasMessage("[BELLMAN_INPUT_VALUE] profile_score: sequence is empty; it needs at least one residue. "
                        + "Correct the row, or use try_profile_score, which returns NULL");
        assertThatThrownBy(() -> score("GAT-", EXAMPLE))
                .hasMessageContaining(
                        "letter 4 of sequence (counted from 1) is '-'; for a profile with the alphabet DNA, it must be "
                                + "one of ABCDGHIKMNRSTUVWXY or *");
        assertThatThrownBy(() -> score("Gé", EXAMPLE))
                .hasMessageContaining("letter 2 of sequence (counted from 1) is 'é'");
        assertThatThrownBy(() -> score("A", "")).hasMessageContaining("the profile ends at line 1; expected a HMMER3");
        assertThatThrownBy(() -> score("A", EXAMPLE.substring(0, 200)))
                .hasMessageContaining("profile_score: profile: ");
        assertThatThrownBy(() -> Algorithm.of("profile_score", "Viterbi"))
                .hasMessageContaining("profile_score: algorithm is 'Viterbi'; it must be forward or viterbi");
    }
}
