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

/** Tests the option {@code dangles 1}; {@link RnaGoldenTest} contains ViennaRNA's results. */
class DanglesTest {
    private static final List<String> OPTIONS = List.of("", "temperature 25 ", "temperature 61.5 ");

    private static Row call(String function, Object... arguments) {
        return RnaCalls.row(function, Strategy.AUTO, arguments);
    }

    /** Compares with the minimum over all structures and all ways in which their bases may dangle. */
    @Test
    void enumerated() {
        SplittableRandom random = new SplittableRandom(71);
        for (int round = 0; round < Thorough.rounds(150, 2_000); round++) {
            String seq = RnaInstances.bases(random, 17);
            String options = OPTIONS.get(round % OPTIONS.size()) + "dangles 1";
            assertThat(call("rna_fold", seq, options).getDouble(0))
                    .as(seq)
                    .isEqualTo(DanglesTextbook.minimum(seq, options));
        }
    }

    /** Tests multiloops in which adjacent branches share an unpaired neighbour. */
    @Test
    void multiloops() {
        SplittableRandom random = new SplittableRandom(72);
        for (int round = 0; round < Thorough.rounds(60, 600); round++) {
            StringBuilder seq = new StringBuilder("GC");
            StringBuilder structure = new StringBuilder("((");
            for (int branch = 0; branch < 2 + random.nextInt(2); branch++) {
                String loop = RnaInstances.bases(random, 2);
                seq.append(loop).append("GCGAAAGC");
                structure.append(".".repeat(loop.length())).append("((....))");
            }
            String options = OPTIONS.get(round % OPTIONS.size()) + "dangles 1";
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

    /** {@code rna_eval} and {@code rna_fold} return the same energy, and dangling bases never increase it. */
    @Test
    void structures() {
        SplittableRandom random = new SplittableRandom(73);
        for (int round = 0; round < Thorough.rounds(80, 800); round++) {
            String seq = RnaInstances.bases(random, 150);
            String options = OPTIONS.get(round % OPTIONS.size());
            Row folding = call("rna_fold", seq, options + "dangles 1");
            String structure = folding.getString(1);
            assertThat(call("rna_eval", seq, structure, options + "dangles 1").getDouble(0))
                    .as(seq)
                    .isEqualTo(folding.getDouble(0));
            assertThat(folding.getDouble(0))
                    .as(seq)
                    .isLessThanOrEqualTo(
                            call("rna_fold", seq, options + "dangles 0").getDouble(0));
            assertThat(RnaCalls.row("rna_fold", Strategy.ZUKER, seq, options + "dangles 1"))
                    .as(seq)
                    .isEqualTo(folding);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rna_ensemble, 'GGGG', 'dangles 1'",
        "rna_pair_probabilities, 'GGGG', 'dangles 1'",
        "mea_structure, 'GGGG', 'dangles 1'",
        "rna_cofold, 'GGGG', 'dangles 1'",
        "rna_cofold_ensemble, 'GGGG', 'dangles 1'",
        "rna_duplex, 'GGGG', 'dangles 1'"
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
                        + "and rna_eval support dangles 1; use dangles 0 or 2");
    }

    @Test
    void circular() {
        assertThatThrownBy(() -> call("rna_fold", "GGGG", "circular dangles 1"))
                .hasMessage("[BELLMAN_INPUT_VALUE] rna_fold: circular RNAs do not support dangles 1; use dangles 0 or "
                        + "2, or omit circular");
    }
}
