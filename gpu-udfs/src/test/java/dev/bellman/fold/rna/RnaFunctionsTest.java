package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.fold.RnaInstances;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the folding functions in SQL, and compares {@code rna_eval} with its definition. */
class RnaFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "zuker", "tiled"})
    void fold(String strategy) {
        withStrategy("rna_fold", strategy, () -> {
            Row row =
                    row("rna_fold('ggggaaaacccc').structure, rna_fold_energy('GGGGAAAACCCC'), rna_fold('').structure, "
                            + "rna_fold_energy('GGGGTTTTCCCC', 'dangles 0'), rna_fold(NULL), try_rna_fold('GR'), "
                            + "rna_fold('GGGGAAAACCCC', NULL), rna_eval('GGGGAAAACCCC', '((((....))))').energy");
            assertThat(row.getString(0)).isEqualTo("((((....))))");
            assertThat(row.getDouble(1)).isEqualTo(-5.4);
            assertThat(row.getString(2)).isEmpty();
            assertThat(row.getDouble(3)).isNegative();
            assertThat(row.isNullAt(4)).isTrue();
            assertThat(row.isNullAt(5)).isTrue();
            assertThat(row.isNullAt(6)).isTrue();
            assertThat(row.getDouble(7)).isEqualTo(-5.4);
        });
    }

    private static Row eval(String seq, String structure) {
        return RnaCalls.row("rna_eval", RnaFold.Strategy.AUTO, seq, structure);
    }

    @Test
    void definition() {
        SplittableRandom random = new SplittableRandom(9);
        int compared = 0;
        for (int round = 0; round < 1_500; round++) {
            InternalRow arguments = RnaInstances.structure(random, 60, "");
            if (arguments.anyNull()) {
                continue;
            }
            Object expected;
            try {
                expected = CatalystTypeConverters.createToScalaConverter(RnaSolvers.LOOPS)
                        .apply(RnaEvalTextbook.solve(arguments));
            } catch (dev.bellman.BellmanException e) {
                assertThatThrownBy(() -> eval(arguments.getString(0), arguments.getString(1)))
                        .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_eval: ");
                continue;
            }
            Object found = CatalystTypeConverters.createToCatalystConverter(RnaSolvers.LOOPS)
                    .apply(eval(arguments.getString(0), arguments.getString(1)));
            assertThat(CatalystTypeConverters.createToScalaConverter(RnaSolvers.LOOPS)
                            .apply(found))
                    .as(arguments.toString())
                    .isEqualTo(expected);
            compared++;
        }
        assertThat(compared).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @CsvSource({"GGGAAACCC, '(((...)))', -1.2", "GAAAC, '(...)', 5.4", "AAAAA, '.....', 0"})
    void energies(String seq, String structure, double energy) {
        assertThat(eval(seq, structure).getDouble(0)).isEqualTo(energy);
    }

    @ParameterizedTest
    @CsvSource({
        "GAAAC, '(...).', '`sequence` has 5 bases, but `structure` has 6 characters'",
        "GAAAC, '(....', 'the ''('' at character 1 of `structure` has no partner'",
        "GAAAC, '...).', 'the '')'' at character 4 of `structure` has no partner'",
        "GAAAC, '(.[.)', 'character 3 of `structure` is ''['''",
        "GAAAA, '(...)', '`structure` pairs base 1 (G) with base 5 (A)'",
        "GAAC, '(..)', '`structure` pairs bases 1 and 4, with 2 bases between them'"
    })
    void wrongStructures(String seq, String structure, String message) {
        assertThatThrownBy(() -> eval(seq, structure))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_eval: " + message)
                .hasMessageEndingWith(". Correct the row, or use try_rna_eval, which returns NULL");
    }

    @Test
    void longSequences() {
        assertThatThrownBy(() -> eval("A".repeat(32_768), ".".repeat(32_768)))
                .hasMessage("[BELLMAN_LIMIT] rna_eval: the sequence has 32,768 bases; the limit is 32,767. Use "
                        + "try_rna_eval, which returns NULL");
    }

    @Test
    void wrongOptionsFailThePlan() {
        assertThatThrownBy(() -> row("try_rna_fold('GGGGAAAACCCC', 'dangles 4')"))
                .hasMessageContaining("valid options are 'dangles 0'");
    }
}
