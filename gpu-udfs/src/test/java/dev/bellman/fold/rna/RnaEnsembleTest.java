package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.fold.Bases;
import dev.bellman.fold.RnaInstances;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RnaEnsembleTest {
    /** The thermal energy at 37 degrees, in kcal/mol. */
    private static final double KT = 1.98717e-3 * 310.15;

    private static RnaEnsemble ensemble(String seq, String options) {
        byte[] bases = Bases.of("rna_ensemble", "sequence", seq.getBytes(StandardCharsets.US_ASCII));
        FoldOptions how = FoldOptions.of("rna_ensemble", options);
        return RnaEnsemble.of(
                "rna_ensemble",
                bases,
                how,
                RnaFold.of("rna_ensemble", bases, how, RnaFold.Strategy.AUTO).energy());
    }

    /** Compares with ViennaRNA 2.8, which computes in single precision. */
    @ParameterizedTest
    @CsvSource({
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, '', -31.426510, 19.349763141",
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, 'dangles 0', -29.430519, "
                + "9.510744182",
        "GGGCUAUUAGCUCAGUUGGUUAGAGCGCACCCCUGAUAAGGGUGAGGUCGCUGAUUCGAAUUCAGCAUAGCCCA, 'temperature 25', -38.574558, "
                + "15.423812931"
    })
    void trna(String seq, String options, double energy, double diversity) {
        RnaEnsemble ensemble = ensemble(seq, options);
        assertThat(ensemble.energy() / 100).isCloseTo(energy, within(1e-5));
        assertThat(PairProbabilities.of(ensemble).diversity()).isCloseTo(diversity, within(1e-6));
    }

    /** Without the factors for bases, the weight of all structures would exceed the range of DOUBLE. */
    @Test
    void stable() {
        String seq = "GGGGGGGGAAAACCCCCCCC".repeat(30);
        assertThat(ensemble(seq, "").energy()).isLessThan(-50_000);
    }

    /** Tests parts that are far more or far less stable than the whole, so that energies differ by hundreds of kT. */
    @Test
    void uneven() {
        String helix = "G".repeat(135) + "AAAA" + "C".repeat(135);
        RnaEnsemble alone = ensemble("N" + helix, "temperature 0");
        RnaEnsemble beside = ensemble("N".repeat(270) + helix, "temperature 0");
        // N pairs with no base, so more Ns change nothing
        assertThat(beside.energy()).isCloseTo(alone.energy(), within(1e-6));
        PairProbabilities expected = PairProbabilities.of(alone);
        PairProbabilities pairs = PairProbabilities.of(beside);
        for (int i = 0; i < helix.length(); i++) {
            for (int j = i + 1; j < helix.length(); j++) {
                assertThat(pairs.pair(270 + i, 270 + j)).isCloseTo(expected.pair(1 + i, 1 + j), within(1e-9));
            }
        }
    }

    /** Compares with the same sums on logarithms, whose range is unlimited. */
    @Test
    void logarithms() {
        SplittableRandom random = new SplittableRandom(13);
        List<String> sequences = List.of(
                RnaInstances.bases(random, 60),
                "G".repeat(90) + "AAAA" + "C".repeat(90),
                "N".repeat(90) + "GC".repeat(36) + "GAAA" + "GC".repeat(36),
                "GGGGGGGGAAAACCCCCCCC".repeat(9));
        for (String seq : sequences) {
            byte[] bases = Bases.of("rna_ensemble", "sequence", seq.getBytes(StandardCharsets.US_ASCII));
            FoldOptions how = FoldOptions.of("rna_ensemble", "");
            double expected = new LogEnsemble(bases, how.weights()).energy();
            assertThat(ensemble(seq, "").energy()).as(seq).isCloseTo(expected, within(1e-9 * Math.max(1, -expected)));
            // a minimum energy of 0 leads to different factors for bases, but to the same result
            assertThat(RnaEnsemble.of("rna_ensemble", bases, how, 0).energy())
                    .as(seq)
                    .isCloseTo(expected, within(1e-9 * Math.max(1, -expected)));
        }
    }

    /**
     * Tests parameter files with energies as strong as allowed: weights far from 1 lead to correct results or a
     * rejection.
     */
    @ParameterizedTest
    @CsvSource({
        "'# stack S', 49, ''",
        "'# stack S', 49, 'temperature 0'",
        "'# interior S\n# mismatch_interior S', 31 175, ''",
        "'# hairpin S\n# mismatch_hairpin S', 31 175, ''",
        "'# stack S\n# int11 S\n# int21 S\n# int22 S', 49 1225 6125 9216, ''",
        "'# dangle5 S\n# dangle3 S\n# mismatch_exterior S', 35 35 175, ''",
        "'# bulge S\n# stack S', 31 49, 'temperature 0'",
        "'# ML_params S', 6, ''",
        "'# ML_params S\n# mismatch_multi S', 6 175, 'temperature 0'",
        "'# ML_params S\n# mismatch_multi S\n# Misc S', 6 175 4, 'temperature 0'"
    })
    void strongEnergies(String sections, String counts, String options, @TempDir Path folder) throws IOException {
        String text = sections.translateEscapes();
        for (String count : counts.split(" ")) {
            text = text.replaceFirst("S\\b(?!_)(?=\n|$)", "\n" + "-9999 ".repeat(Integer.parseInt(count)));
        }
        Path file = folder.resolve("strong.par");
        Files.writeString(file, "## RNAfold parameter file v2.0\n" + text);
        String how = options + " parameters " + file;
        SplittableRandom random = new SplittableRandom(14);
        for (String seq :
                List.of("GGGAAACCCGGGGAAAACCCC", RnaInstances.bases(random, 40), RnaInstances.bases(random, 90))) {
            byte[] bases = Bases.of("rna_ensemble", "sequence", seq.getBytes(StandardCharsets.US_ASCII));
            FoldOptions parsed = FoldOptions.of("rna_ensemble", how);
            if (parsed.weights().areInRange()) {
                double expected = new LogEnsemble(bases, parsed.weights()).energy();
                assertThat(ensemble(seq, how).energy()).as(seq).isCloseTo(expected, within(1e-9 * -expected));
            } else {
                assertThatThrownBy(() -> ensemble(seq, how))
                        .hasMessageStartingWith(
                                "[BELLMAN_LIMIT] rna_ensemble: with these parameters, a part of a loop");
            }
        }
    }

    /** The rounded probabilities of a base's pairs may add up to more than 1. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-17, 1})
    void certainPairs(double gamma, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("certain.par");
        Files.writeString(file, "## RNAfold parameter file v2.0\n# stack\n" + "-3000 ".repeat(49));
        SplittableRandom random = new SplittableRandom(15);
        for (int round = 0; round < 50; round++) {
            StringBuilder seq = new StringBuilder("GAAA");
            for (int pairs = 4 + random.nextInt(30); pairs > 0; pairs--) {
                boolean isFirst = random.nextBoolean();
                seq.insert(0, isFirst ? 'G' : 'C').append(isFirst ? 'C' : 'G');
            }
            PairProbabilities pairs = PairProbabilities.of(ensemble(seq.toString(), "parameters " + file));
            assertThat(pairs.mostAccurate(gamma)).as(seq.toString()).hasSize(seq.length());
        }
    }

    /** The probabilities of a base's pairs add up to at most 1, except for rounding errors. */
    @Test
    void probabilities() {
        SplittableRandom random = new SplittableRandom(12);
        for (int round = 0; round < 30; round++) {
            String seq = RnaInstances.bases(random, 150);
            PairProbabilities pairs = PairProbabilities.of(ensemble(seq, ""));
            double[] paired = new double[seq.length()];
            for (int i = 0; i < seq.length(); i++) {
                for (int j = i + 1; j < seq.length(); j++) {
                    paired[i] += pairs.pair(i, j);
                    paired[j] += pairs.pair(i, j);
                }
            }
            assertThat(Arrays.stream(paired).max().orElse(0)).as(seq).isLessThan(1 + 1e-9);
        }
    }

    /**
     * A constraint on a base multiplies the sum of all weights by the probability that the base is unpaired, or by the
     * probability that it is paired.
     */
    @Test
    void constraints() {
        SplittableRandom random = new SplittableRandom(16);
        for (int round = 0; round < 30; round++) {
            String seq = RnaInstances.bases(random, 120) + "GGGGAAAACCCC";
            double whole = energyWith(seq, "");
            PairProbabilities pairs = PairProbabilities.of(ensemble(seq, ""));
            int base = random.nextInt(seq.length());
            double paired = 0;
            for (int other = 0; other < seq.length(); other++) {
                paired += pairs.pair(Math.min(base, other), Math.max(base, other));
            }
            String dots = ".".repeat(seq.length());
            String before = dots.substring(0, base);
            String behind = dots.substring(base + 1);
            double unpaired = energyWith(seq, "constraint " + before + "x" + behind);
            assertThat(Math.exp((whole - unpaired) / KT)).as(seq).isCloseTo(1 - paired, within(1e-9));
            assertThat(energyWith(seq, "constraint " + before + "|" + behind)).isEqualTo(whole);
            if (paired > 0) {
                double forced = energyWith(seq, "enforce constraint " + before + "|" + behind);
                assertThat(Math.exp((whole - forced) / KT)).as(seq).isCloseTo(paired, within(1e-9));
            }
        }
    }

    private static double energyWith(String seq, String options) {
        return RnaCalls.row("rna_ensemble", RnaFold.Strategy.AUTO, seq, options).getDouble(0);
    }

    /** If a pair is required, the probabilities are those of the structures with this pair. */
    @Test
    void requiredPair() {
        String seq = "GGGGAAAACCCCAAGGGGAAAACCCC";
        String constraint = "enforce constraint (" + ".".repeat(seq.length() - 2) + ")";
        Object[] pairs =
                (Object[]) RnaCalls.call("rna_pair_probabilities", RnaFold.Strategy.AUTO, seq, 0.0, constraint);
        assertThat(pairs).anySatisfy(pair -> {
            assertThat(((Row) pair).getInt(0)).isEqualTo(1);
            assertThat(((Row) pair).getInt(1)).isEqualTo(seq.length());
            assertThat(((Row) pair).getDouble(2)).isCloseTo(1, within(1e-12));
        });
        // the ensemble includes structures with lonely pairs, but there is no minimum energy structure without them
        String lonely = "no_lp enforce constraint (...).";
        assertThat((Row[]) RnaCalls.call("rna_pair_probabilities", RnaFold.Strategy.AUTO, "GGAUUG", 0.0, lonely))
                .containsExactly(RowFactory.create(1, 5, 1.0));
        assertThat(RnaCalls.call("mea_structure", RnaFold.Strategy.AUTO, "GGAUUG", 1.0, lonely))
                .hasToString("(...).");
        assertThatThrownBy(() -> energyWith("GGAUUG", lonely)).hasMessageContaining("no structure of these 6 bases");
        assertThatThrownBy(() -> energyWith("GGGGAAAACCCC", "enforce constraint .....|......"))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_ensemble: no structure of these 12 bases");
    }

    @Test
    void nothing() {
        Row empty = RnaCalls.row("rna_ensemble", RnaFold.Strategy.AUTO, "");
        assertThat(empty.getDouble(0)).isZero();
        assertThat(empty.getDouble(1)).isEqualTo(1);
        assertThat(empty.getDouble(2)).isZero();
    }
}
