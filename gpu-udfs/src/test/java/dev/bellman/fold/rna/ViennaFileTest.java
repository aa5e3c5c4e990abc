package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.EnergyTables;
import dev.bellman.fold.rna.energy.EnergyTables.Table;
import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.Turner2004;
import dev.bellman.fold.rna.energy.ViennaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ViennaFileTest {
    private static final String HEADER = "## RNAfold parameter file v2.0\n";

    private static EnergyTables parse(String text) {
        return ViennaFile.parse("rna_fold", "own.par", HEADER + text);
    }

    /**
     * Returns every table as ViennaRNA writes it: with a seventh pair type, except that 2 x 2 loops have neither this
     * type nor unknown bases.
     */
    private static String written(EnergyTables tables) {
        StringBuilder text = new StringBuilder(HEADER);
        for (Table table : Table.values()) {
            if (table.ordinal() > Table.INTERNAL.ordinal()) {
                break;
            }
            for (boolean enthalpy : new boolean[] {false, true}) {
                text.append(
                        "\n# %s%s\n".formatted(table.name().toLowerCase(Locale.ROOT), enthalpy ? "_enthalpies" : ""));
                write(text, table, tables.of(table, enthalpy), 0, 0);
            }
        }
        text.append("\n# ML_params\n/* unpaired, closing, branch */ 1 2 3 4 5 6\n# NINIO\n7 8 9\n# Misc\n10 11 12 13 "
                + "100.5 0\n");
        return text.append("# Triloops\nCAACG 680 2370\n# END\nno table").toString();
    }

    private static void write(StringBuilder text, Table table, int[] entries, int depth, int at) {
        if (depth == table.pairs + table.bases) {
            if (depth > 0) {
                text.append(entries[at]).append(' ');
            } else {
                for (int entry : entries) {
                    text.append(entry == EnergyTables.NONE ? "INF" : entry).append(' ');
                }
            }
        } else if (depth < table.pairs) {
            for (int pair = 1; pair <= (table == Table.INT22 ? 6 : 7); pair++) {
                // the seventh pair type is read and ignored
                write(text, table, entries, depth + 1, at * EnergyTables.PAIRS + pair % EnergyTables.PAIRS);
            }
        } else {
            for (int base = table == Table.INT22 ? 1 : 0; base < Bases.COUNT; base++) {
                write(text, table, entries, depth + 1, at * Bases.COUNT + base);
            }
        }
    }

    @Test
    void everyTable() {
        EnergyTables turner = Turner2004.tables();
        EnergyTables read = ViennaFile.parse("rna_fold", "own.par", written(turner));
        for (Table table : Table.values()) {
            if (table.ordinal() <= Table.INTERNAL.ordinal()) {
                assertThat(read.of(table, false)).as(table.name()).isEqualTo(turner.of(table, false));
                assertThat(read.of(table, true)).as(table.name()).isEqualTo(turner.of(table, true));
            }
        }
        assertThat(read.of(Table.MULTILOOP, false)).containsExactly(3, 5, 1);
        assertThat(read.of(Table.MULTILOOP, true)).containsExactly(4, 6, 2);
        assertThat(read.of(Table.ASYMMETRY, true)).containsExactly(8);
        assertThat(read.mostAsymmetry).isEqualTo(9);
        assertThat(read.of(Table.TERMINAL, false)).containsExactly(12);
        assertThat(read.logarithm).isEqualTo(100.5);
        assertThat(read.specials)
                .containsEntry("CAACG", new EnergyTables.Special(680, 2370))
                .doesNotContainKey("GUUAC")
                .containsKey("CUUCGG");
    }

    /** An unknown base has the maximum energy over the four bases. */
    @Test
    void unknownBases() {
        int[] hairpin = Turner2004.tables().of(Table.MISMATCH_HAIRPIN, false);
        // CG: N with A, N with N
        assertThat(hairpin[(1 * 5 + 0) * 5 + 1]).isEqualTo(-100);
        assertThat(hairpin[(1 * 5 + 0) * 5 + 0]).isEqualTo(-80);
    }

    /** A file of ViennaRNA 2.7.1 contains the first of these errors. */
    @ParameterizedTest
    @CsvSource({
        "NINIO, '60 -1i40 300', 'has ''-1i40'' as word 2 of NINIO; it must be an integer from -9999 to 9999 or DEF'",
        "NINIO, '60 320', has 2 numbers in NINIO",
        "NINIO, '60 320 10000', has '10000' as word 3 of NINIO",
        "stack, '', has 0 numbers in stack",
        "stacks, '1', has an unknown section, 'stacks'",
        "Misc, '1 2 3 4 5 6 7', has 7 numbers in Misc; expected 4 to 6",
        "bulge, '1 2 3', has 3 numbers in bulge; expected 31",
        "bulge, 'x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', 'has ''x'' as word 1 of bulge; it must be an integer from -9999 to 9999, INF or DEF'",
        "Misc, '1 2 3 4 1e5 0', has '1e5' as word 5 of Misc",
        "Hexaloops, 'ACAGUAC 280 -1680', 'has ''ACAGUAC'' as word 1 of Hexaloops; it must be a loop of 8 bases'",
        "Hexaloops, 'ACAGUACU 280', has 2 words in Hexaloops"
    })
    void malformed(String section, String words, String message) {
        assertThatThrownBy(() -> parse("# " + section + "\n" + words + "\n"))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: the parameters 'own.par' are not in")
                .hasMessageContaining(message);
    }

    @Test
    void noHeader() {
        assertThatThrownBy(() -> ViennaFile.parse("rna_fold", "own.par", "# stack\n"))
                .hasMessageContaining("does not begin with '## RNAfold parameter file v2.0'");
    }

    @ParameterizedTest
    @CsvSource({
        "'', has no section",
        "'/* # stack */', has no section",
        "'1 2 3\n# NINIO\n60 320 300\n', has '1 2 3",
        "'# NINIO\n60 320 300\n/* # END', 'has an unterminated comment, '",
        "'## NINIO\n60 320 300\n', has an unknown section, '# NINIO'",
        "'# NINIO\n60 320 300\n # END', has 5 numbers in NINIO",
        "'# NINIO 60 320 300\n', has an unknown section, 'NINIO 60 320 300'"
    })
    void malformedFile(String text, String message) {
        assertThatThrownBy(() -> parse(text.translateEscapes()))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold: the parameters 'own.par' are not in")
                .hasMessageContaining(message);
    }

    /** Parsing a few megabytes is fast; if the time grew with the square of the length, it would take hours. */
    @ParameterizedTest
    @ValueSource(strings = {"/* ", "*/ ", "/**/", "# ", "#\n", "# NINIO\n", "# a ", "1 ", "\n", "\r\n", "INF\n", " "})
    void hostileText(String piece) {
        for (String section : List.of("", "# Hexaloops\n", "# stack\n1 ")) {
            assertThatThrownBy(() -> parse(section + piece.repeat(2_000_000 / piece.length()) + "/*"))
                    .isInstanceOf(BellmanException.class);
        }
    }

    @Test
    void file(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("own energies.par");
        Files.writeString(
                file,
                HEADER + "# Misc\n410 360 50 370\n# ML_params\n0 0 930 3000 -90 -220\n# hairpin\n" + "INF INF INF"
                        + " 540".repeat(28) + "\n");
        assertThat(energy("GGGGAAAACCCC", "parameters " + file)).isEqualTo(-5.6);
        assertThatThrownBy(() -> energy("GG", "parameters " + folder.resolve("none")))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold_energy: cannot read the parameters '");
    }

    /** ViennaRNA's dna_mathews1999 also contains some loops twice, once with T and once with U. */
    @Test
    void firstOfSeveralSpecialLoops() {
        EnergyTables tables = parse("# Tetraloops\nCUUUUG 220 -900\nGGUCAC 160 -1020\nCTTTTG 80 -900\n");
        assertThat(tables.specials)
                .containsEntry("CUUUUG", new EnergyTables.Special(220, -900))
                .containsEntry("GGUCAC", new EnergyTables.Special(160, -1020));
    }

    /**
     * In ViennaRNA's rna_turner1999 and rna_langdon2018, some energies have no enthalpy. No loop of a structure has the
     * sizes that these energies are for.
     */
    @Test
    void energiesWithoutEnthalpies(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("turner1999.par");
        Files.writeString(
                file,
                HEADER + "# interior\nINF INF 410 510" + " 170".repeat(27) + "\n# interior_enthalpies\n"
                        + "INF INF INF INF" + " 0".repeat(27) + "\n");
        assertThat(energy("GGGGAAAACCCC", "temperature 25 parameters " + file)).isEqualTo(-6.76);
        assertThat(energy("GGGGAAAACCCC", "temperature 61.5 parameters " + file))
                .isEqualTo(energy("GGGGAAAACCCC", "temperature 61.5"));
        Row ensemble = RnaCalls.row(
                "rna_ensemble", RnaFold.Strategy.AUTO, "GGGAAGAAAACAACCC", "temperature 25 parameters " + file);
        assertThat(ensemble.getDouble(0)).isNegative();
    }

    private static double energy(String seq, String options) {
        return (Double) RnaCalls.call("rna_fold_energy", RnaFold.Strategy.AUTO, seq, options);
    }

    /** A single large number in any part of the model reduces the maximum length. */
    @ParameterizedTest
    @CsvSource({
        "Misc, 410 360 -9999 370",
        "Misc, -9999 360 50 370",
        "Hexaloops, ACAGUACU -9999 -1680",
        "NINIO, 60 320 -9999",
        "NINIO, -400 320 300",
        "dangle5, '-9999 -9999 -9999 -9999 -9999'"
    })
    void longest(String section, String words, @TempDir Path folder) throws IOException {
        String lines = section.equals("dangle5") ? (words + "\n").repeat(7) : words + "\n";
        Path file = folder.resolve("large.par");
        Files.writeString(file, HEADER + "# " + section + "\n" + lines);
        assertThatThrownBy(() -> energy("A".repeat(10_000), "parameters " + file))
                .hasMessageContaining(
                        "[BELLMAN_LIMIT] rna_fold_energy: energies for 10,000 bases could exceed 32 bits");
    }

    /** Tests energies at 25 degrees. */
    @Test
    void scaled() {
        LoopEnergies at25 = new LoopEnergies(Turner2004.tables(), 25, 2);
        Map<String, Integer> kinds = Map.of("GGGGAAAACCCC", -676);
        kinds.forEach((seq, energy) -> assertThat(energy(seq, "temperature 25")).isEqualTo(energy / 100.0));
        assertThat(at25.closing).isEqualTo(1010);
    }
}
