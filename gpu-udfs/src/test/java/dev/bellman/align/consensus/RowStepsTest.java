package dev.bellman.align.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowStepsTest {
    /** Rows with and without columns after the last whole vector. */
    @Test
    void vectors() {
        RowSteps vectors = RowSteps.VECTORS.orElseThrow();
        RowSteps plain = new PlainRows();
        SplittableRandom random = new SplittableRandom(50);
        for (String scoring : new String[] {"match 5 mismatch -4 open 8 extend 6", "match 1 mismatch -1 gap 3"}) {
            GapCosts gap = Scoring.of("consensus", scoring).insert();
            for (int length = 1; length <= 70; length++) {
                int[][] rows = new int[5][];
                for (int k = 0; k < rows.length; k++) {
                    rows[k] = random.ints(length, -40, 40).toArray();
                }
                int[][] expected = compute(plain, rows, gap);
                assertThat(compute(vectors, rows, gap)).isDeepEqualTo(expected);
            }
        }
    }

    private static int[][] compute(RowSteps steps, int[][] rows, GapCosts gap) {
        int[] best = new int[rows[0].length];
        int[] skip = new int[rows[0].length];
        best[0] = 7;
        steps.first(best, skip, rows[0], rows[1], rows[4], gap);
        steps.next(best, skip, rows[2], rows[3], rows[4], gap);
        steps.insert(best, gap);
        return new int[][] {best, skip};
    }
}
