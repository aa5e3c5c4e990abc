package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Thorough;
import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the options {@code dangles 1} and {@code dangles 3}; {@link RnaGoldenTest} contains ViennaRNA's results.
 */
class DanglesTest {
    private static final List<String> OPTIONS = List.of("", "temperature 25 ", "temperature 61.5 ");

    /** Parameters that reward multiloops, so that most structures with the minimum energy contain some. */
    private static final String MULTILOOPS =
            "## RNAfold parameter file v2.0\n# ML_params\n0 0 -1500 -1500 -90 -90\n# hairpin\n" + "100 ".repeat(31);

    private static Row call(String function, Object... arguments) {
        return RnaCalls.row(function, Strategy.AUTO, arguments);
    }

    /** Compares with the minimum over all structures and all ways in which their bases may dangle and helices stack. */
    @ParameterizedTest
    @ValueSource(strings = {"dangles 1", "dangles 3"})
    void enumerated(String dangles) {
        SplittableRandom random = new SplittableRandom(71);
        for (int round = 0; round < Thorough.rounds(150, 2_000); round++) {
            String seq = RnaInstances.bases(random, 17);
            assertMinimum(seq, OPTIONS.get(round % OPTIONS.size()) + dangles);
        }
    }

    /** Tests energies for which most structures with the minimum energy contain multiloops. */
    @ParameterizedTest
    @ValueSource(strings = {"dangles 1", "dangles 3"})
    void enumeratedMultiloops(String dangles, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("multiloops.par");
        Files.writeString(file, MULTILOOPS);
        SplittableRandom random = new SplittableRandom(74);
        for (int round = 0; round < Thorough.rounds(20, 600); round++) {
            StringBuilder seq = new StringBuilder();
            for (int hairpin = 0; hairpin < 2 + random.nextInt(2); hairpin++) {
                seq.append("A".repeat(random.nextInt(4) / 2)).append(random.nextBoolean() ? "GAAAC" : "CAAAG");
            }
            seq.append("A".repeat(random.nextInt(4) / 2));
            assertMinimum("G" + seq + (random.nextBoolean() ? "C" : "U"), dangles + " parameters " + file);
        }
    }

    private static void assertMinimum(String seq, String options) {
        double energy = DanglesTextbook.minimum(seq, options);
        for (Strategy strategy : Strategy.values()) {
            Row folding = RnaCalls.row("rna_fold", strategy, seq, options);
            assertThat(folding.getDouble(0)).as(seq).isEqualTo(energy);
            assertThat(call("rna_eval", seq, folding.getString(1), options).getDouble(0))
                    .as(seq)
                    .isEqualTo(energy);
        }
    }

    /** Tests multiloops in which adjacent branches share an unpaired neighbour, or have none between them. */
    @ParameterizedTest
    @ValueSource(strings = {"dangles 1", "dangles 3"})
    void multiloops(String dangles) {
        SplittableRandom random = new SplittableRandom(72);
        for (int round = 0; round < Thorough.rounds(60, 600); round++) {
            StringBuilder seq = new StringBuilder("GC");
            StringBuilder structure = new StringBuilder("((");
            for (int branch = 0; branch < 2 + random.nextInt(2); branch++) {
                String loop = RnaInstances.bases(random, 2);
                seq.append(loop).append("GCGAAAGC");
                structure.append(".".repeat(loop.length())).append("((....))");
            }
            String options = OPTIONS.get(round % OPTIONS.size()) + dangles;
            seq.append(RnaInstances.bases(random, 2)).append("GC");
            structure.append(".".repeat(seq.length() - 2 - structure.length())).append("))");
            double energy = call("rna_eval", seq.toString(), structure.toString(), options)
                    .getDouble(0);
            Row folding = call("rna_fold", seq.toString(), options + " constraint " + structure);
            assertThat(folding.getDouble(0)).as(seq.toString()).isLessThanOrEqualTo(energy);
            assertThat(call("rna_eval", seq.toString(), folding.getString(1), options)
                            .getDouble(0))
                    .as(seq.toString())
                    .isEqualTo(folding.getDouble(0));
        }
    }

    /**
     * {@code rna_eval} and {@code rna_fold} return the same energy, and neither dangling bases nor coaxial stacks ever
     * increase it.
     */
    @Test
    void structures() {
        SplittableRandom random = new SplittableRandom(73);
        for (int round = 0; round < Thorough.rounds(80, 800); round++) {
            String seq = RnaInstances.bases(random, 150);
            String options = OPTIONS.get(round % OPTIONS.size());
            double before = call("rna_fold", seq, options + "dangles 0").getDouble(0);
            for (String dangles : List.of("dangles 1", "dangles 3")) {
                Row folding = call("rna_fold", seq, options + dangles);
                String structure = folding.getString(1);
                assertThat(call("rna_eval", seq, structure, options + dangles).getDouble(0))
                        .as(seq)
                        .isEqualTo(folding.getDouble(0));
                assertThat(folding.getDouble(0)).as(seq).isLessThanOrEqualTo(before);
                assertThat(RnaCalls.row("rna_fold", Strategy.ZUKER, seq, options + dangles))
                        .as(seq)
                        .isEqualTo(folding);
                before = folding.getDouble(0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rna_ensemble, 'GGGG', 'dangles 1'",
        "rna_pair_probabilities, 'GGGG', 'dangles 1'",
        "mea_structure, 'GGGG', 'dangles 1'",
        "rna_cofold, 'GGGG', 'dangles 1'",
        "rna_cofold_ensemble, 'GGGG', 'dangles 1'",
        "rna_duplex, 'GGGG', 'dangles 1'",
        "rna_ensemble, 'GGGG', 'dangles 3'",
        "rna_cofold, 'GGGG', 'dangles 3'"
    })
    void rejected(String function, String seq, String options) {
        Object[] arguments =
                switch (function) {
                    case "rna_ensemble" -> new Object[] {seq, options};
                    case "rna_pair_probabilities", "mea_structure" -> new Object[] {seq, 0.5, options};
                    default -> new Object[] {seq, seq, options};
                };
        assertThatThrownBy(() -> RnaCalls.call(function, Strategy.AUTO, arguments))
                .hasMessage("[BELLMAN_INPUT_VALUE] " + function + ": only rna_fold, rna_fold_energy, rna_fold_windows "
                        + "and rna_eval support " + options + "; use dangles 0 or 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dangles 1", "dangles 3"})
    void circular(String dangles) {
        assertThatThrownBy(() -> call("rna_fold", "GGGG", "circular " + dangles))
                .hasMessage("[BELLMAN_INPUT_VALUE] rna_fold: circular RNAs do not support " + dangles
                        + "; use dangles 0 or 2, or omit circular");
    }
}
