package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.Golden;
import dev.bellman.fold.rna.RnaFold.Strategy;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with ViennaRNA's results for duplexes, pairs of strands, ensembles, structures with constraints, circular
 * RNAs, and the options {@code dangles 1} and {@code dangles 3} (see {@code datasets/README.md}).
 */
class RnaGoldenTest {
    private static UTF8String text(Map<String, String> row, String column) {
        return UTF8String.fromString(row.get(column));
    }

    @Test
    void duplexes() {
        List<Map<String, String>> rows = Golden.allRows("rna_duplex.gold");
        assertThat(rows).hasSize(150);
        for (Map<String, String> row : rows) {
            Row duplex =
                    RnaCalls.row("rna_duplex", Strategy.AUTO, text(row, "a"), text(row, "b"), text(row, "options"));
            assertThat(duplex.getDouble(0)).as(row.toString()).isEqualTo(hundredths(row));
            assertThat(duplex.getString(1)).as(row.toString()).isEqualTo(row.get("structure"));
            assertThat(List.of(duplex.getInt(2), duplex.getInt(3), duplex.getInt(4), duplex.getInt(5)))
                    .as(row.toString())
                    .isEqualTo(List.of(
                            Integer.valueOf(row.get("begin_a")),
                            Integer.valueOf(row.get("end_a")),
                            Integer.valueOf(row.get("begin_b")),
                            Integer.valueOf(row.get("end_b"))));
        }
    }

    @Test
    void cofoldings() {
        List<Map<String, String>> rows = Golden.allRows("rna_cofold.gold");
        assertThat(rows).hasSize(150);
        for (Map<String, String> row : rows) {
            for (Strategy strategy : Strategy.values()) {
                Row folding =
                        RnaCalls.row("rna_cofold", strategy, text(row, "a"), text(row, "b"), text(row, "options"));
                assertThat(folding.getDouble(0)).as(row.toString()).isEqualTo(hundredths(row));
                assertThat(folding.getString(1)).as(row.toString()).isEqualTo(row.get("structure"));
            }
        }
    }

    /** ViennaRNA returns energies in single precision. */
    @Test
    void cofoldedEnsembles() {
        List<Map<String, String>> rows = Golden.allRows("rna_cofold_ensemble.gold");
        assertThat(rows).hasSize(120);
        List<String> columns = List.of("ensemble_kcal", "dimer_kcal", "a_kcal", "b_kcal");
        for (Map<String, String> row : rows) {
            Row energies = RnaCalls.row(
                    "rna_cofold_ensemble", Strategy.AUTO, text(row, "a"), text(row, "b"), text(row, "options"));
            for (int at = 0; at < columns.size(); at++) {
                String expected = row.get(columns.get(at));
                if (expected.isEmpty()) {
                    assertThat(energies.isNullAt(at)).as(row.toString()).isTrue();
                } else {
                    assertThat(energies.getDouble(at))
                            .as(row.toString())
                            .isCloseTo(Double.parseDouble(expected), within(1e-5));
                }
            }
        }
    }

    /** ViennaRNA returns the energy and the frequency in single precision, and the diversity in double precision. */
    @ParameterizedTest
    @CsvSource({"rna_ensemble.gold, 120", "rna_circular_ensemble.gold, 100"})
    void ensembles(String set, int size) {
        List<Map<String, String>> rows = Golden.allRows(set);
        assertThat(rows).hasSize(size);
        for (Map<String, String> row : rows) {
            Row ensemble = RnaCalls.row("rna_ensemble", Strategy.AUTO, text(row, "seq"), text(row, "options"));
            assertThat(ensemble.getDouble(0))
                    .as(row.toString())
                    .isCloseTo(Double.parseDouble(row.get("energy_kcal")), within(1e-5));
            assertThat(ensemble.getDouble(1))
                    .as(row.toString())
                    .isCloseTo(Double.parseDouble(row.get("mfe_frequency")), within(1e-5));
            assertThat(ensemble.getDouble(2))
                    .as(row.toString())
                    .isCloseTo(Double.parseDouble(row.get("diversity")), within(1e-9));
            Object accurate =
                    RnaCalls.call("mea_structure", Strategy.AUTO, text(row, "seq"), 1.0, text(row, "options"));
            assertThat(accurate).as(row.toString()).isEqualTo(text(row, "mea_structure"));
        }
    }

    @ParameterizedTest
    @CsvSource({"rna_constraint.gold, 150", "rna_circular.gold, 100"})
    void foldings(String set, int size) {
        List<Map<String, String>> rows = Golden.allRows(set);
        assertThat(rows).hasSize(size);
        for (Map<String, String> row : rows) {
            for (Strategy strategy : Strategy.values()) {
                Row folding = RnaCalls.row("rna_fold", strategy, text(row, "seq"), text(row, "options"));
                assertThat(folding.getDouble(0)).as(row.toString()).isEqualTo(hundredths(row));
                assertThat(folding.getString(1)).as(row.toString()).isEqualTo(row.get("structure"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rna_dangles.gold", "rna_coaxial.gold"})
    void dangles(String set) {
        List<Map<String, String>> rows = Golden.allRows(set);
        assertThat(rows).hasSize(100);
        for (Map<String, String> row : rows) {
            for (Strategy strategy : Strategy.values()) {
                Row folding = RnaCalls.row("rna_fold", strategy, text(row, "seq"), text(row, "options"));
                assertThat(folding.getDouble(0)).as(row.toString()).isEqualTo(hundredths(row));
            }
            Row loops = RnaCalls.row(
                    "rna_eval", Strategy.AUTO, text(row, "seq"), text(row, "structure"), text(row, "options"));
            assertThat(loops.getDouble(0))
                    .as(row.toString())
                    .isEqualTo(Integer.parseInt(row.get("structure_dcal")) / 100.0);
        }
    }

    private static double hundredths(Map<String, String> row) {
        return Integer.parseInt(row.get("energy_dcal")) / 100.0;
    }
}
