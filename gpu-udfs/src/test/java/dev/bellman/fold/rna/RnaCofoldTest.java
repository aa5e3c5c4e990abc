package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Thorough;
import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code rna_cofold}. {@link RnaGoldenTest} compares it with ViennaRNA. */
class RnaCofoldTest {
    private static final List<String> OPTIONS = List.of("", "dangles 0", "temperature 25", "");

    private static Row fold(String a, String b, String options, Strategy strategy) {
        return RnaCalls.row("rna_cofold", strategy, a, b, options);
    }

    private static String[] strands(SplittableRandom random, int size) {
        while (true) {
            InternalRow row = RnaInstances.strandsWith(random, size, "");
            String strands = row.getUTF8String(0) + "&" + row.getUTF8String(1);
            if (strands.matches("[acgutnACGUTN&]*") && !strands.contains("null")) {
                return strands.split("&", -1);
            }
        }
    }

    @Test
    void definition() {
        SplittableRandom random = new SplittableRandom(5);
        int connected = 0;
        for (int round = 0; round < Thorough.rounds(250, 1_000); round++) {
            String[] strands = strands(random, round < 80 ? round % 12 : 26);
            String options = OPTIONS.get(round % OPTIONS.size());
            InternalRow expected = (InternalRow) RnaTextbook.cofold(Values.row(
                    UTF8String.fromString(strands[0]),
                    UTF8String.fromString(strands[1]),
                    UTF8String.fromString(options)));
            String structure = expected.getUTF8String(1).toString();
            for (Strategy strategy : Strategy.values()) {
                Row folded = fold(strands[0], strands[1], options, strategy);
                String name = strategy + " " + String.join("&", strands);
                assertThat(folded.getDouble(0)).as(name).isEqualTo(expected.getDouble(0));
                assertThat(folded.getString(1)).as(name).isEqualTo(structure);
            }
            String first = structure.split("&", -1)[0];
            connected +=
                    first.replace("(", "").length() != first.replace(")", "").length() ? 1 : 0;
        }
        assertThat(connected).isGreaterThan(50);
    }

    /** Tests long internal loops, and multiloops with branches in both strands. */
    @Test
    void larger() {
        SplittableRandom random = new SplittableRandom(6);
        for (int round = 0; round < Thorough.rounds(16, 60); round++) {
            String[] strands = strands(random, 160);
            String options = OPTIONS.get(round % OPTIONS.size());
            assertThat(fold(strands[0], strands[1], options, Strategy.TILED))
                    .as(String.join("&", strands))
                    .isEqualTo(fold(strands[0], strands[1], options, Strategy.ZUKER));
        }
    }

    /** Tests a multiloop whose branches are in a, in both strands, and in b. */
    @Test
    void branches() {
        String a = "GCGCGGAC" + "GGGGAAAACCCC" + "CGACGCC";
        String b = "GGCGUCG" + "CCCCAAAAGGGG" + "GUCCGCGC";
        for (Strategy strategy : Strategy.values()) {
            assertThat(fold(a, b, "", strategy).getString(1))
                    .isEqualTo("((((((((((((....))))(((((((&)))))))((((....))))))))))))");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0, &",
        "GGGGAAAACCCC, '', -5.4, ((((....))))&",
        "'', ggggaaaacccc, -5.4, &((((....))))",
        "G, C, 0, .&.",
        "GGGG, CCCC, -5.8, ((((&))))",
        "GGNGG, CCNCC, -1.6, ((.((&)).))"
    })
    void small(String a, String b, double energy, String structure) {
        for (Strategy strategy : Strategy.values()) {
            Row folded = fold(a, b, "", strategy);
            assertThat(folded.getString(1)).isEqualTo(structure);
            assertThat(folded.getDouble(0)).isEqualTo(energy);
        }
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> fold("G", "C", "no_lp", Strategy.AUTO))
                .hasMessage("[BELLMAN_INPUT_VALUE] rna_cofold: no_lp applies only to functions that fold one strand; "
                        + "omit no_lp");
        assertThatThrownBy(() -> fold("G", "C", "lonely", Strategy.AUTO))
                .hasMessage("[BELLMAN_INPUT_VALUE] rna_cofold: 'lonely' in 'lonely' is not an option; valid "
                        + "options are 'dangles 0', 'temperature 25' and 'parameters FILE', which must come last");
        assertThatThrownBy(() -> fold("G", "X", "", Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_cofold: byte 1 of b (counted from 1) is 'X'");
        assertThatThrownBy(() -> fold("A".repeat(20_000), "A".repeat(12_768), "", Strategy.AUTO))
                .hasMessage("[BELLMAN_LIMIT] rna_cofold: a and b have 32,768 bases in total; the limit is 32,767. "
                        + "Use shorter strands, or try_rna_cofold, which returns NULL");
    }
}
