package dev.bellman.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.fold.AccordionFold.Solution;
import dev.bellman.fold.AccordionFold.Strategy;
import dev.bellman.proof.Values;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccordionFoldTest {
    private static Solution fold(String residues, Strategy strategy) {
        return AccordionFold.solve(residues.getBytes(StandardCharsets.US_ASCII), strategy);
    }

    private static String random(SplittableRandom random, int n, int share) {
        StringBuilder residues = new StringBuilder();
        for (int i = 0; i < n; i++) {
            residues.append(random.nextInt(10) < share ? 'H' : 'P');
        }
        return residues.toString();
    }

    @Test
    void definition() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 600; round++) {
            String residues = random(random, round < 40 ? round % 8 : random.nextInt(34), 1 + random.nextInt(9));
            InternalRow expected =
                    (InternalRow) AccordionFoldTextbook.solve(Values.row(UTF8String.fromString(residues)));
            for (Strategy strategy : Strategy.values()) {
                Solution solution = fold(residues, strategy);
                assertThat(solution.score()).as(residues).isEqualTo(expected.getInt(0));
                assertThat(solution.ends())
                        .as(residues)
                        .isEqualTo(expected.getArray(1).toIntArray());
            }
        }
    }

    @Test
    void larger() {
        SplittableRandom random = new SplittableRandom(8);
        for (int n : new int[] {63, 64, 65, 200, 333}) {
            String residues = random(random, n, 5);
            Solution expected = fold(residues, Strategy.SERIAL);
            Solution solution = fold(residues, Strategy.QUADRATIC);
            assertThat(solution.score()).isEqualTo(expected.score());
            assertThat(solution.ends()).isEqualTo(expected.ends());
        }
    }

    /** Residues 1 and 4 face each other across the fold after 2; 2 and 3 are neighbours in the chain. */
    @ParameterizedTest
    @EnumSource
    void small(Strategy strategy) {
        assertThat(fold("", strategy).ends()).isEmpty();
        assertThat(fold("H", strategy).ends()).containsExactly(1);
        assertThat(fold("HH", strategy).score()).isZero();
        assertThat(fold("HHH", strategy).ends()).containsExactly(3);
        assertThat(fold("HHHH", strategy).score()).isEqualTo(1);
        assertThat(fold("HHHH", strategy).ends()).containsExactly(2, 4);
        assertThat(fold("1001", strategy).score()).isEqualTo(1);
        assertThat(fold("PHHP", strategy).score()).isZero();
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> fold("HPx", Strategy.AUTO))
                .hasMessageStartingWith(
                        "[BELLMAN_INPUT_VALUE] accordion_fold: byte 3 of hp_sequence (counted from 1) is 'x'; each "
                                + "byte must be H or 1 for a");
    }
}
