package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RnaFoldTest {
    private static final List<String> OPTIONS =
            List.of("", "dangles 0", "no_lp", "temperature 25", "no_lp dangles 0 temperature 61.5");

    private static Row fold(String seq, String options, Strategy strategy) {
        return RnaCalls.row("rna_fold", strategy, seq, options);
    }

    @Test
    void definition() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < Thorough.rounds(200, 600); round++) {
            String seq = RnaInstances.bases(random, round < 60 ? round % 20 : 44);
            String options = OPTIONS.get(round % OPTIONS.size());
            InternalRow expected = (InternalRow)
                    RnaTextbook.fold(Values.row(UTF8String.fromString(seq), UTF8String.fromString(options)));
            for (Strategy strategy : Strategy.values()) {
                Row folded = fold(seq, options, strategy);
                assertThat(folded.getDouble(0)).as(seq).isEqualTo(expected.getDouble(0));
                assertThat(folded.getString(1))
                        .as(seq)
                        .isEqualTo(expected.getUTF8String(1).toString());
            }
        }
    }

    /** Tests long internal loops, and multiloops with many branches. */
    @Test
    void larger() {
        SplittableRandom random = new SplittableRandom(6);
        for (int round = 0; round < Thorough.rounds(12, 40); round++) {
            String seq = RnaInstances.bases(random, 260);
            String options = OPTIONS.get(round % OPTIONS.size());
            assertThat(fold(seq, options, Strategy.TILED)).as(seq).isEqualTo(fold(seq, options, Strategy.ZUKER));
        }
    }

    /** The energy of a structure is the sum of the energies of its loops. */
    @Test
    void evaluated() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < Thorough.rounds(60, 200); round++) {
            String seq = RnaInstances.bases(random, 200);
            String options = OPTIONS.get(round % OPTIONS.size());
            Row folded = fold(seq, options, Strategy.AUTO);
            Row loops = RnaCalls.row("rna_eval", Strategy.AUTO, seq, folded.getString(1), options);
            assertThat(loops.getDouble(0)).isEqualTo(folded.getDouble(0));
        }
    }

    /**
     * Compares the energies and structures of every {@code step}-th RNA with ViennaRNA's, beginning with {@code first}.
     */
    private static void compareWithGolden(int first, int step) {
        Map<String, Map<String, String>> answers = Golden.rows("rna.gold");
        List<Map<String, String>> rows = Golden.allRows("rna.data");
        for (int at = first; at < rows.size(); at += step) {
            Map<String, String> answer = answers.get(rows.get(at).get("id"));
            String seq = rows.get(at).get("seq");
            Row folded = fold(seq, "", Strategy.AUTO);
            assertThat(folded.getDouble(0)).as(seq).isEqualTo(Integer.parseInt(answer.get("mfe_d2_dcal")) / 100.0);
            assertThat(folded.getString(1)).isEqualTo(answer.get("mfe_d2_structure"));
            Row alone = fold(seq, "dangles 0", Strategy.AUTO);
            assertThat(alone.getDouble(0)).as(seq).isEqualTo(Integer.parseInt(answer.get("mfe_d0_dcal")) / 100.0);
            assertThat(alone.getString(1)).isEqualTo(answer.get("mfe_d0_structure"));
            assertThat(fold(seq, "no_lp", Strategy.AUTO).getDouble(0))
                    .as(seq)
                    .isEqualTo(Integer.parseInt(answer.get("mfe_d2_noLP_dcal")) / 100.0);
            assertThat(fold(seq, "temperature 25", Strategy.AUTO).getDouble(0))
                    .as(seq)
                    .isEqualTo(Integer.parseInt(answer.get("mfe_d2_T25_dcal")) / 100.0);
        }
    }

    @Test
    void golden() {
        compareWithGolden(0, 64);
    }

    /** Compares a different eighth of all RNAs each day. */
    @ParameterizedTest
    @MethodSource("partsOfEight")
    @Tag("thorough")
    void goldenPart(int part) {
        compareWithGolden(part, 8);
    }

    static Stream<Integer> partsOfEight() {
        return Thorough.part(IntStream.range(0, 8).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dangles 4", "temperature -3", "temperature", "lp", "temperature 1000"})
    void wrongOptions(String options) {
        assertThatThrownBy(() -> fold("GGGAAACCC", options, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: ")
                .hasMessageContaining("; valid options are 'dangles 0', 'dangles 1', 'dangles 3', 'no_lp'");
    }

    /** Compares with the result of {@code hc_add_from_db} in ViennaRNA 2.8. */
    @ParameterizedTest
    @CsvSource({
        "x........................., -9.4, .(((.....)))..((((....))))",
        "....<....................., -12.7, ((((....))))..((((....))))",
        ">........................., -9.4, .(((.....)))..((((....))))",
        "||||||||.................., -12.7, ((((....))))..((((....))))"
    })
    void constraint(String constraint, double energy, String structure) {
        for (Strategy strategy : Strategy.values()) {
            Row folded = fold("GGGGAAAACCCCAAGGGGAAAACCCC", "constraint " + constraint, strategy);
            assertThat(folded.getDouble(0)).isEqualTo(energy);
            assertThat(folded.getString(1)).isEqualTo(structure);
        }
    }

    @Test
    void enforced() {
        assertThat(fold("GGGAAACCC", "constraint (.......)", Strategy.AUTO).getDouble(0))
                .isEqualTo(-1.2);
        assertThat(fold("GAAAC", "constraint (...)", Strategy.AUTO).getString(1))
                .isEqualTo(".....");
        assertThat(fold("GAAAC", "constraint (...) enforce", Strategy.AUTO).getString(1))
                .isEqualTo("(...)");
        assertThatThrownBy(() -> fold("GAAAC", "enforce constraint .|...", Strategy.AUTO))
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] rna_fold: no structure of these 5 bases pairs every base "
                                + "that the constraint requires to pair");
    }

    @ParameterizedTest
    @CsvSource({
        "constraint (....., the '(' at character 1 has no partner",
        "constraint .....), the ')' at character 6 has no partner",
        "constraint ..y..., character 3 is 'y'"
    })
    void wrongConstraints(String options, String message) {
        assertThatThrownBy(() -> fold("GAAAAA", options, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: `constraint` must have a character for "
                        + "each base, and its brackets must be paired; " + message);
    }

    @ParameterizedTest
    @CsvSource({
        "constraint ..., '`sequence` has 6 bases, but `constraint` has 3 characters'",
        "constraint ((..)), '`constraint` pairs base 1 (G) with base 6 (A)'",
        "constraint, '`sequence` has 6 bases, but `constraint` has 0 characters'"
    })
    void constraintsOfOtherSequences(String options, String message) {
        assertThatThrownBy(() -> fold("GAAAAA", options, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: " + message)
                .hasMessageEndingWith(". Correct the row, or use try_rna_fold, which returns NULL");
    }

    @Test
    void enforcedWithoutConstraint() {
        assertThatThrownBy(() -> fold("GAAAC", "enforce", Strategy.AUTO))
                .hasMessageContaining("'enforce' needs a constraint");
    }

    /** Windows support neither constraints nor circular RNAs. */
    @ParameterizedTest
    @CsvSource({
        "rna_fold, '', 'rna_fold_windows, or try_rna_fold'",
        "rna_fold, dangles 0, 'rna_fold_windows, or try_rna_fold'",
        "rna_fold, circular, try_rna_fold",
        "rna_fold, constraint ., try_rna_fold",
        "rna_fold_energy, '', 'rna_fold_windows, or try_rna_fold_energy'",
        "rna_ensemble, '', try_rna_ensemble",
        "rna_ensemble, circular, try_rna_ensemble"
    })
    void tooLong(String function, String options, String remedy) {
        assertThatThrownBy(() -> RnaCalls.call(function, Strategy.AUTO, "A".repeat(32_768), options))
                .hasMessage("[BELLMAN_LIMIT] " + function + ": the sequence has 32,768 bases; the limit is 32,767. Use "
                        + remedy + ", which returns NULL");
    }
}
