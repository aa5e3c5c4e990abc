package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.Thorough;
import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ensembles of circular RNAs. {@link RnaDefinitionTest} compares those of short RNAs with the definition. */
class CircularEnsembleTest {
    /** The thermal energy at 37 degrees, in kcal/mol. */
    private static final double KT = 1.98717e-3 * 310.15;

    private static final List<String> OPTIONS = List.of("", "dangles 0 ", "temperature 25 ", "temperature 61.5 ");

    private static Row ensemble(String seq, String options) {
        return RnaCalls.row("rna_ensemble", Strategy.AUTO, seq, options + "circular");
    }

    /**
     * Returns the probability of each pair, keyed by the positions that its bases had before the sequence was rotated.
     */
    private static Map<List<Integer>, Double> pairs(String seq, String options, int turn) {
        Object[] found =
                (Object[]) RnaCalls.call("rna_pair_probabilities", Strategy.AUTO, seq, 1e-9, options + "circular");
        Map<List<Integer>, Double> pairs = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (Object each : found) {
            Row pair = (Row) each;
            int i = (pair.getInt(0) - 1 + turn) % seq.length();
            int j = (pair.getInt(1) - 1 + turn) % seq.length();
            pairs.put(List.of(Math.min(i, j), Math.max(i, j)), pair.getDouble(2));
        }
        return pairs;
    }

    /** The ensemble of a circle does not depend on the base at which its sequence begins. */
    @Test
    void rotated() {
        SplittableRandom random = new SplittableRandom(41);
        for (int round = 0; round < Thorough.rounds(40, 300); round++) {
            String seq = RnaInstances.bases(random, 120);
            String options = OPTIONS.get(round % OPTIONS.size());
            Row expected = ensemble(seq, options);
            Map<List<Integer>, Double> expectedPairs = pairs(seq, options, 0);
            for (int turn = 0; turn < 3 && !seq.isEmpty(); turn++) {
                int at = random.nextInt(seq.length());
                String rotated = seq.substring(at) + seq.substring(0, at);
                Row ensemble = ensemble(rotated, options);
                for (int field = 0; field < 3; field++) {
                    assertThat(ensemble.getDouble(field))
                            .as(rotated)
                            .isCloseTo(expected.getDouble(field), within(1e-8));
                }
                Map<List<Integer>, Double> pairs = pairs(rotated, options, at);
                expectedPairs.forEach((pair, p) ->
                        assertThat(pairs.getOrDefault(pair, 0.0)).as(seq + pair).isCloseTo(p, within(2e-9)));
            }
        }
    }

    /** Tests parts that are far more or far less stable than the whole, so that energies differ by hundreds of kT. */
    @Test
    void uneven() {
        String helix = "G".repeat(100) + "AAAA" + "C".repeat(100);
        String seq = "N".repeat(270) + helix;
        Row expected = ensemble(seq, "temperature 0 ");
        Map<List<Integer>, Double> expectedPairs = pairs(seq, "temperature 0 ", 0);
        assertThat(expectedPairs).isNotEmpty();
        for (int at : List.of(1, 269, 270, 330, 372, 400)) {
            String rotated = seq.substring(at) + seq.substring(0, at);
            assertThat(ensemble(rotated, "temperature 0 ").getDouble(0)).isCloseTo(expected.getDouble(0), within(1e-8));
            Map<List<Integer>, Double> pairs = pairs(rotated, "temperature 0 ", at);
            expectedPairs.forEach((pair, p) -> assertThat(pairs.getOrDefault(pair, 0.0))
                    .as(at + " " + pair)
                    .isCloseTo(p, within(2e-9)));
        }
    }

    /**
     * A constraint on a base multiplies the sum of all weights by the probability that the base is unpaired, or by the
     * probability that it is paired.
     */
    @Test
    void constraints() {
        SplittableRandom random = new SplittableRandom(42);
        for (int round = 0; round < 30; round++) {
            String seq = RnaInstances.bases(random, 120) + "GGGGAAAACCCC";
            double all = ensemble(seq, "").getDouble(0);
            int base = random.nextInt(seq.length());
            double paired = pairs(seq, "", 0).entrySet().stream()
                    .filter(pair -> pair.getKey().contains(base))
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
            String before = "constraint " + ".".repeat(base);
            String after = ".".repeat(seq.length() - base - 1) + " ";
            double unpaired = ensemble(seq, before + "x" + after).getDouble(0);
            assertThat(Math.exp((all - unpaired) / KT)).as(seq).isCloseTo(1 - paired, within(1e-6));
            if (paired > 1e-6) {
                double forced = ensemble(seq, "enforce " + before + "|" + after).getDouble(0);
                assertThat(Math.exp((all - forced) / KT)).as(seq).isCloseTo(paired, within(1e-6));
            }
        }
    }

    /** A circle without pairs has an energy, which the ensemble's energy equals if no bases can pair. */
    @ParameterizedTest
    @CsvSource({"'', 0", "A, 2.7", "AAAAAAAA, 4.62", "NNNNNNNN, 4.62"})
    void unpaired(String seq, double energy) {
        Row ensemble = ensemble(seq, "");
        assertThat(ensemble.getDouble(0)).isCloseTo(energy, within(1e-12));
        assertThat(ensemble.getDouble(1)).isCloseTo(1, within(1e-12));
        assertThat(ensemble.getDouble(2)).isZero();
    }

    /** Tests a sequence whose weights would exceed the range of DOUBLE. */
    @Test
    void stable() {
        String seq = "GGGGGGGGAAAACCCCCCCC".repeat(30);
        double linear = RnaCalls.row("rna_ensemble", Strategy.AUTO, seq, "temperature 0")
                .getDouble(0);
        Row circular = ensemble(seq, "temperature 0 ");
        assertThat(circular.getDouble(0)).isLessThan(-900).isCloseTo(linear, within(20.0));
        assertThat(circular.getDouble(1)).isBetween(0.0, 1.0);
    }

    @Test
    void accurate() {
        String seq = "AGGGGAAAACCCCAAGGGGAAAACCCCA";
        assertThat(RnaCalls.call("mea_structure", Strategy.AUTO, seq, 1.0, "circular"))
                .hasToString(".((((....))))..((((....)))).");
        assertThatThrownBy(() -> ensemble("AAAA", "enforce constraint |... "))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_ensemble: no structure of these 4 bases");
    }
}
