package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Thorough;
import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code rna_fold} with the option {@code circular}. {@link RnaGoldenTest} compares it with ViennaRNA. */
class CircularFoldTest {
    private static final List<String> OPTIONS = List.of("", "dangles 0 ", "temperature 25 ", "");

    private static Row fold(String seq, String options, Strategy strategy) {
        return RnaCalls.row("rna_fold", strategy, seq, options + "circular");
    }

    /** The energy of a circle does not depend on the base at which its sequence begins. */
    @Test
    void rotated() {
        SplittableRandom random = new SplittableRandom(31);
        for (int round = 0; round < Thorough.rounds(60, 300); round++) {
            String seq = RnaInstances.bases(random, 120);
            String options = OPTIONS.get(round % OPTIONS.size());
            double energy = fold(seq, options, Strategy.TILED).getDouble(0);
            for (int turn = 0; turn < 4 && !seq.isEmpty(); turn++) {
                int at = random.nextInt(seq.length());
                String rotated = seq.substring(at) + seq.substring(0, at);
                assertThat(fold(rotated, options, Strategy.TILED).getDouble(0))
                        .as(rotated)
                        .isEqualTo(energy);
            }
            assertThat(fold(seq, options, Strategy.ZUKER)).as(seq).isEqualTo(fold(seq, options, Strategy.TILED));
        }
    }

    /**
     * Tests structures in which a hairpin, an internal loop or a multiloop contains the last and the first base, and
     * structures without pairs.
     */
    @ParameterizedTest
    @CsvSource({
        "AAGGGGAAAACCCCAA, ..((((....))))..",
        "AGGGGAAAACCCCAAGGGGAAAACCCCA, .((((....))))..((((....)))).",
        "GGGGAAAACCCCAGGGGAAAACCCCAGGGGAAAACCCC, ((((....)))).((((....)))).((((....))))",
        "AAAAAAAA, ........",
        "'', ''"
    })
    void loops(String seq, String structure) {
        for (Strategy strategy : Strategy.values()) {
            assertThat(fold(seq, "", strategy).getString(1)).isEqualTo(structure);
        }
    }

    @Test
    void constraint() {
        assertThat(RnaCalls.row("rna_fold", Strategy.AUTO, "GGGGAAAACCCCAAAA", "circular constraint xxxxxxxxxxxxxxxx")
                        .getString(1))
                .isEqualTo(".".repeat(16));
        assertThatThrownBy(() -> RnaCalls.row("rna_fold", Strategy.AUTO, "AAAA", "circular enforce constraint |..."))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: no structure of these 4 bases");
        assertThatThrownBy(() -> RnaCalls.row("rna_fold", Strategy.AUTO, "AAAA", "circular constraint ..."))
                .hasMessageContaining("`sequence` has 4 bases, but `constraint` has 3 characters");
    }

    @ParameterizedTest
    @CsvSource({"rna_eval", "rna_cofold"})
    void rejected(String function) {
        String other = function.equals("rna_cofold") ? "CCCC" : "....";
        assertThatThrownBy(() -> RnaCalls.call(function, Strategy.AUTO, "GGGG", other, "circular"))
                .hasMessage("[BELLMAN_INPUT_VALUE] " + function
                        + ": this function does not support circular RNAs; omit circular");
    }
}
