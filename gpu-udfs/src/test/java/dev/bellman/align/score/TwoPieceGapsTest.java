package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Golden;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests gap costs with two pieces. {@link SequenceAlignmentTest} compares them with the textbook. */
class TwoPieceGapsTest extends SequenceAlignmentFixture {
    private static final String PIECES = "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1";

    private static GapCosts gaps(String costs) {
        return Scoring.of("test", "match 1 mismatch -1 " + costs).insert();
    }

    /** The pieces may come in any order; a piece that is never cheaper than the other one is ignored. */
    @Test
    void pieces() {
        assertThat(gaps("open 6 extend 2 open2 25 extend2 1")).isEqualTo(new GapCosts(6, 2, 25, 1));
        assertThat(gaps("open 25 extend 1 open2 6 extend2 2")).isEqualTo(new GapCosts(6, 2, 25, 1));
        assertThat(gaps("open 6 extend 2 open2 7 extend2 2")).isEqualTo(new GapCosts(6, 2));
        assertThat(gaps("open 6 extend 2 open2 6 extend2 1")).isEqualTo(new GapCosts(6, 1));
        assertThat(gaps("open 6 extend 2 open2 5 extend2 2")).isEqualTo(new GapCosts(5, 2));
        GapCosts costs = gaps("open 6 extend 2 open2 25 extend2 1");
        assertThat(new long[] {costs.of(0), costs.of(1), costs.of(20), costs.of(21), costs.of(100)})
                .containsExactly(0, 6, 44, 45, 124);
    }

    /** A gap of 20 letters costs the same with either piece. Even then, a gap ends as soon as possible. */
    @Test
    void ties() {
        String gap = "T".repeat(20);
        for (SequenceAlignment.Strategy strategy : SequenceAlignment.Strategy.values()) {
            assertThat(align("ACGT" + gap + "ACGT", "ACGTACGT", AlignmentMode.GLOBAL, PIECES, strategy))
                    .isEqualTo(new Alignment(16 - 44, 0, 28, 0, 8, "3=20I5=", 8, 20));
            assertThat(align("ACGTACGT", "ACGT" + gap + "ACGT", AlignmentMode.GLOBAL, PIECES, strategy))
                    .isEqualTo(new Alignment(16 - 44, 0, 8, 0, 28, "3=20D5=", 8, 20));
        }
    }

    /** Compares scores with those of ksw2, and checks that the alignments have these scores. */
    @Test
    void asKsw2() {
        for (Map<String, String> row : Golden.allRows("extension.gold")) {
            String a = row.get("a");
            String b = row.get("b");
            String scoring = row.get("scoring");
            long expected = Long.parseLong(row.get("global"));
            for (SequenceAlignment.Strategy strategy : SequenceAlignment.Strategy.values()) {
                assertThat(score(a, b, AlignmentMode.GLOBAL, scoring, strategy))
                        .as("%s %s", strategy, row)
                        .isEqualTo(expected);
            }
            Alignment alignment = align(a, b, AlignmentMode.GLOBAL, scoring);
            assertThat(alignment.score()).isEqualTo(expected);
            assertThat(rescored(a, b, scoring, alignment)).isEqualTo(expected);
            assertThat(align(a, b, AlignmentMode.GLOBAL, scoring, SequenceAlignment.Strategy.SERIAL))
                    .isEqualTo(alignment);
        }
    }
}
