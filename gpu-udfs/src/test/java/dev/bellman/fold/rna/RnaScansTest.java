package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.fold.RnaInstances;
import dev.bellman.fold.rna.RnaFold.Strategy;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@code rna_duplex} and {@code rna_fold_windows}. */
class RnaScansTest {
    private static Row duplex(String a, String b, String options) {
        return RnaCalls.row("rna_duplex", Strategy.AUTO, a, b, options);
    }

    private static Row[] windows(String seq, int window, int step, Strategy strategy) {
        return (Row[]) RnaCalls.call("rna_fold_windows", strategy, seq, window, step);
    }

    /** Compares with RNAduplex from ViennaRNA 2.8. */
    @ParameterizedTest
    @CsvSource({
        "AGGGGAAAA, AUUUUCCCCA, '', -12.2, .((((((((&.))))))))., 0, 9, 0, 10",
        "AGGGGAAAA, AUUUUCCCCA, temperature 25, -14.6, .((((((((&.))))))))., 0, 9, 0, 10",
        "AGAAA, AUUCA, '', -1, .(((.&.)))., 0, 5, 0, 5",
        "GNA, ANC, '', 3.6, (.&.), 0, 2, 1, 3",
        "G, C, '', 4.1, (&), 0, 1, 0, 1"
    })
    void vienna(
            String a,
            String b,
            String options,
            double energy,
            String structure,
            int beginA,
            int endA,
            int beginB,
            int endB) {
        Row row = duplex(a, b, options);
        assertThat(row.getDouble(0)).isEqualTo(energy);
        assertThat(row.getString(1)).isEqualTo(structure);
        assertThat(new int[] {row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5)})
                .containsExactly(beginA, endA, beginB, endB);
    }

    @Test
    void noPairs() {
        assertThat(duplex("AAA", "AAA", "")).hasToString("[null,&,0,0,0,0]");
        assertThat(duplex("", "GGG", "")).hasToString("[null,&,0,0,0,0]");
    }

    /** Tests long loops and ties. */
    @Test
    void strands() {
        SplittableRandom random = new SplittableRandom(3);
        int bound = 0;
        for (int round = 0; round < 60; round++) {
            InternalRow arguments = RnaInstances.strandsWith(random, 70, "");
            if (arguments.anyNull()
                    || (arguments.getString(0) + arguments.getString(1)).matches(".*[^acgutnACGUTN].*")) {
                continue;
            }
            InternalRow expected = (InternalRow) DuplexTextbook.solve(arguments);
            Row row = duplex(arguments.getString(0), arguments.getString(1), "");
            assertThat(row.isNullAt(0)).isEqualTo(expected.isNullAt(0));
            assertThat(row.getString(1)).as(arguments.toString()).isEqualTo(expected.getString(1));
            if (!row.isNullAt(0)) {
                assertThat(row.getDouble(0)).isEqualTo(expected.getDouble(0));
                bound++;
            }
        }
        assertThat(bound).isGreaterThan(30);
    }

    @Test
    void optionsOfStrands() {
        assertThatThrownBy(() -> duplex("G", "C", "no_lp"))
                .hasMessage(
                        "[BELLMAN_INPUT_VALUE] rna_duplex: no_lp applies only to functions that fold one strand; omit "
                                + "no_lp");
        for (String constraint : List.of(".", "....&....")) {
            assertThatThrownBy(() -> duplex("G", "C", "constraint " + constraint))
                    .hasMessage("[BELLMAN_INPUT_VALUE] rna_duplex: this function does not support a constraint; omit "
                            + "the constraint");
        }
    }

    /** Each window has the result of folding its letters separately, although windows share tables. */
    @ParameterizedTest
    @EnumSource(names = {"ZUKER", "TILED"})
    void windows(Strategy strategy) {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 20; round++) {
            String seq = RnaInstances.bases(random, 150).toUpperCase(java.util.Locale.ROOT);
            int window = 1 + random.nextInt(90);
            int step = 1 + random.nextInt(Values.oneOf(random, 3, 40, 120));
            int begin = 0;
            for (Row row : windows(seq, window, step, strategy)) {
                int end = Math.min(seq.length(), begin + window);
                Row alone = RnaCalls.row("rna_fold", Strategy.AUTO, seq.substring(begin, end));
                assertThat(row.getInt(0)).isEqualTo(begin);
                assertThat(row.getInt(1)).isEqualTo(end);
                assertThat(row.getDouble(2)).isEqualTo(alone.getDouble(0));
                assertThat(row.getString(3)).isEqualTo(alone.getString(1));
                begin = end == seq.length() ? seq.length() : begin + step;
            }
            assertThat(begin).isGreaterThanOrEqualTo(seq.length());
        }
    }

    /** The sequence is longer than folding allows, but tables are only as long as a window. */
    @Test
    void chromosome() {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder seq = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            seq.append("ACGU".charAt(random.nextInt(4)));
        }
        Row[] rows = windows(seq.toString(), 20, 30_000, Strategy.AUTO);
        assertThat(rows).hasSize(4);
        assertThat(rows[3].getInt(0)).isEqualTo(90_000);
        assertThat(rows[3].getInt(1)).isEqualTo(90_020);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, window is 0", "5, -3, step is -3"})
    void wrongSizes(int window, int step, String message) {
        assertThatThrownBy(() -> windows("GGG", window, step, Strategy.AUTO))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] rna_fold_windows: " + message);
    }

    @Test
    void longWindows() {
        assertThatThrownBy(() -> windows("A".repeat(40_000), 32_768, 1, Strategy.AUTO))
                .hasMessage("[BELLMAN_LIMIT] rna_fold_windows: a window has 32,768 bases; the limit is 32,767. Use a "
                        + "smaller window, or try_rna_fold_windows, which returns NULL");
    }

    @Test
    void nothing() {
        assertThat(windows("", 5, 2, Strategy.AUTO)).isEmpty();
    }
}
