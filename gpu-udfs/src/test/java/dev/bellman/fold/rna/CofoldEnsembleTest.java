package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code rna_cofold_ensemble}. {@link RnaGoldenTest} compares it with ViennaRNA. */
class CofoldEnsembleTest {
    private static final int ENSEMBLE = 0;
    private static final int DIMER = 1;
    private static final int OF_A = 2;
    private static final int OF_B = 3;
    private static final int UNCORRECTED = 4;

    private static Row energies(String a, String b, String options) {
        return RnaCalls.row("rna_cofold_ensemble", Strategy.AUTO, a, b, options);
    }

    private static void assertSwapped(String a, String b, String options) {
        Row one = energies(a, b, options);
        Row other = energies(b, a, options);
        int[] swapped = {ENSEMBLE, DIMER, OF_B, OF_A, UNCORRECTED};
        for (int field = 0; field < swapped.length; field++) {
            assertThat(one.isNullAt(field)).isEqualTo(other.isNullAt(swapped[field]));
            if (!one.isNullAt(field)) {
                assertThat(one.getDouble(field))
                        .as(a + "&" + b)
                        .isCloseTo(
                                other.getDouble(swapped[field]), within(1e-9 * Math.max(1, -one.getDouble(ENSEMBLE))));
            }
        }
    }

    /** The strands' order does not matter: a loop that contains an end of a strand is an exterior loop. */
    @Test
    void swapped() {
        SplittableRandom random = new SplittableRandom(21);
        for (int round = 0; round < 40; round++) {
            assertSwapped(
                    RnaInstances.bases(random, 90), RnaInstances.bases(random, 90), round % 2 == 0 ? "" : "dangles 0");
        }
    }

    /**
     * Tests parts that are far more or far less stable than the whole, so that some weights have a level other than 0.
     */
    @Test
    void uneven() {
        String g = "G".repeat(150);
        String c = "C".repeat(150);
        assertSwapped("N".repeat(200) + g, c, "temperature 0");
        assertSwapped(g, c + "N".repeat(200), "temperature 0");
        assertSwapped(g + "AAAA" + c, "GC".repeat(40), "temperature 0");
        double alone = energies("N" + g, c + "N", "temperature 0").getDouble(DIMER);
        assertThat(alone).isLessThan(-500);
        // N pairs with no base, so more Ns change nothing
        assertThat(energies("N".repeat(200) + g, c + "N".repeat(50), "temperature 0")
                        .getDouble(DIMER))
                .isCloseTo(alone, within(1e-8));
    }

    /**
     * The energy of each single strand equals the result of {@code rna_ensemble} for this strand. The free energy of
     * the ensemble of both strands is at most the sum of these two energies.
     */
    @Test
    void bounds() {
        SplittableRandom random = new SplittableRandom(22);
        for (int round = 0; round < 40; round++) {
            String a = RnaInstances.bases(random, 60);
            String b = RnaInstances.bases(random, 60);
            Row energies = energies(a, b, "");
            double ofA = RnaCalls.row("rna_ensemble", Strategy.AUTO, a).getDouble(0);
            double ofB = RnaCalls.row("rna_ensemble", Strategy.AUTO, b).getDouble(0);
            assertThat(energies.getDouble(OF_A)).isCloseTo(ofA, within(1e-9));
            assertThat(energies.getDouble(OF_B)).isCloseTo(ofB, within(1e-9));
            assertThat(energies.getDouble(ENSEMBLE)).isLessThanOrEqualTo(ofA + ofB + 1e-9);
            assertThat(energies.getDouble(UNCORRECTED)).isLessThanOrEqualTo(energies.getDouble(ENSEMBLE) + 1e-9);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "GGGGAAAACCCC, ''", "'', GGGGAAAACCCC", "A, A", "NNNN, NNNN"})
    void apart(String a, String b) {
        Row energies = energies(a, b, "");
        assertThat(energies.isNullAt(DIMER)).isTrue();
        double sum = energies.getDouble(OF_A) + energies.getDouble(OF_B);
        assertThat(energies.getDouble(ENSEMBLE)).isEqualTo(sum);
        assertThat(energies.getDouble(UNCORRECTED)).isEqualTo(sum);
    }

    /**
     * Compares with ViennaRNA 2.8, which divides the weight of a dimer by the number of rotations that leave the
     * concatenated strands unchanged.
     */
    @ParameterizedTest
    @CsvSource({
        "GCGCGCGC, GCGCGCGC, -15.460829, -15.460829",
        "GCGC, GCGCGCGC, -6.328151, -6.328122",
        "gcgca, GCGCA, -8.074865, -8.074863",
        "GGGGG, CCCCC, -9.229427, -9.229427"
    })
    void symmetric(String a, String b, double ensemble, double dimer) {
        Row energies = energies(a, b, "");
        assertThat(energies.getDouble(ENSEMBLE)).isCloseTo(ensemble, within(2e-6));
        assertThat(energies.getDouble(DIMER)).isCloseTo(dimer, within(2e-6));
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> energies("G", "C", "no_lp"))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_cofold_ensemble: no_lp applies only to functions");
        assertThatThrownBy(() -> energies("G", "X", ""))
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] rna_cofold_ensemble: byte 1 of b (counted from 1) is 'X'");
        assertThatThrownBy(() -> energies("A".repeat(20_000), "A".repeat(12_768), ""))
                .hasMessageStartingWith("[BELLMAN_LIMIT] rna_cofold_ensemble: a and b have 32,768 bases in total");
    }
}
