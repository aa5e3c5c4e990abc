package dev.bellman.align.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.align.scoring.Scoring;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowStepsTest {
    private static final int NONE = -(1 << 30);

    /** Returns the generator's scorings, and scorings with predefined matrices. */
    static Stream<String> scorings() {
        return Stream.concat(
                        Arrays.stream(ConsensusProofs.SCORINGS),
                        Stream.of(
                                "blosum62 open 11 extend 1",
                                "blosum50 gap 7",
                                "pam250 insert open 10 extend 0 delete gap 3",
                                "nuc44 open 16 extend 4"))
                .distinct();
    }

    /**
     * Compares the scores with and without vectors, for rows with and without columns after the last whole vector. A
     * node has up to four predecessors, one of which may be the start; the range of scores is small or the largest
     * possible.
     */
    @ParameterizedTest
    @MethodSource("scorings")
    void vectors(String text) {
        Scoring scoring = Scoring.of("consensus", text);
        RowSteps vectors = RowSteps.VECTORS.orElseThrow();
        RowSteps plain = new PlainRows();
        SplittableRandom random = new SplittableRandom(50);
        for (int length = 1; length <= 70; length++) {
            for (int limit : List.of(3, 40, -NONE / 2 - 71 * (int) scoring.magnitude())) {
                for (int round = 0; round < Thorough.rounds(2, 50); round++) {
                    int[][] rows = rows(random, length, limit, scoring);
                    int predecessors = 1 + random.nextInt(4);
                    assertThat(compute(vectors, rows, predecessors, scoring))
                            .isDeepEqualTo(compute(plain, rows, predecessors, scoring));
                }
            }
        }
    }

    /** Returns the profile, and the best scores and gap scores of four predecessors. */
    private static int[][] rows(SplittableRandom random, int length, int limit, Scoring scoring) {
        int magnitude = (int) scoring.magnitude();
        int[][] rows = new int[9][];
        rows[0] = random.ints(length, -magnitude, magnitude + 1).toArray();
        for (int k = 1; k < rows.length; k++) {
            rows[k] = random.ints(length, -limit, limit).toArray();
        }
        if (random.nextBoolean()) {
            Arrays.fill(rows[2], NONE);
        }
        return rows;
    }

    private static int[][] compute(RowSteps steps, int[][] rows, int predecessors, Scoring scoring) {
        int[] best = new int[rows[0].length];
        int[] skip = new int[rows[0].length];
        int[] skip2 = rows[2].clone();
        best[0] = rows[1][0] - scoring.delete().open();
        steps.first(best, skip, rows[1], rows[2], rows[0], scoring.delete());
        for (int k = 1; k < predecessors; k++) {
            steps.next(best, skip, rows[2 * k + 1], rows[2 * k + 2], rows[0], scoring.delete());
        }
        for (int k = 0; k < predecessors; k++) {
            steps.skip(
                    best,
                    skip2,
                    rows[2 * k + 1],
                    rows[2 * k + 2],
                    scoring.delete().second());
        }
        steps.insert(best, scoring.insert());
        steps.insert(best, scoring.insert().second());
        return new int[][] {best, skip, skip2};
    }
}
