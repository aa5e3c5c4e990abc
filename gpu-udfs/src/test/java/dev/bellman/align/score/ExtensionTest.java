package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.CallMemory;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.align.TestPairs;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the mode {@code extension}. {@link SequenceAlignmentTest} compares it with the textbook. */
class ExtensionTest extends SequenceAlignmentFixture {
    private static final String SCORING = "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1";

    private static final List<SequenceAlignment.Strategy> TABLES =
            List.of(SequenceAlignment.Strategy.SERIAL, SequenceAlignment.Strategy.ANTI_DIAGONAL);

    private static Alignment extend(
            String a, String b, String scoring, int band, int zDrop, SequenceAlignment.Strategy strategy) {
        ExtensionLimits limits = ExtensionLimits.of("test", AlignmentMode.EXTENSION, band, zDrop);
        SequenceAlignment.Call call =
                call(Text.of(a), Text.of(b), AlignmentMode.EXTENSION, Scoring.of("test", scoring), limits, strategy);
        Alignment found = SequenceAlignment.align(call).orElseThrow();
        assertThat(SequenceAlignment.score(call)).hasValue(found.score());
        assertThat(rescored(a, b, scoring, found)).isEqualTo(found.score());
        return found;
    }

    /** Compares scores and ends with those of ksw2. */
    @Test
    void asKsw2() {
        for (Map<String, String> row : Golden.allRows("extension.gold")) {
            for (SequenceAlignment.Strategy strategy : TABLES) {
                Alignment found = extend(
                        row.get("a"),
                        row.get("b"),
                        row.get("scoring"),
                        limit(row.get("band")),
                        limit(row.get("z_drop")),
                        strategy);
                assertThat(List.of(found.score(), (long) found.endA(), (long) found.endB()))
                        .as("%s %s", strategy, row)
                        .containsExactly(
                                Long.parseLong(row.get("score")),
                                Long.parseLong(row.get("end_a")),
                                Long.parseLong(row.get("end_b")));
            }
        }
    }

    private static int limit(String text) {
        return text.isEmpty() ? ExtensionLimits.NO_LIMIT : Integer.parseInt(text);
    }

    /**
     * An extension stops at an unrelated part if crossing it costs more than {@code z_drop}; otherwise, it crosses the
     * part.
     */
    @Test
    void stops() {
        String a = "ACGTACGTGG" + "A".repeat(20) + "GATTACAGATTACAGATTACAGATTACAGATTACAGATTACA";
        String b = a.replace("A".repeat(20), "C".repeat(20));
        for (SequenceAlignment.Strategy strategy : TABLES) {
            assertThat(extend(a, b, SCORING, 10, 50, strategy))
                    .isEqualTo(new Alignment(20, 0, 10, 0, 10, "10=", 10, 0));
            assertThat(extend(a, b, SCORING, 10, 80, strategy).endA()).isEqualTo(a.length());
            assertThat(extend(a, "", SCORING, 0, 0, strategy)).isEqualTo(new Alignment(0, 0, 0, 0, 0, "", 0, 0));
            assertThat(extend("A", "C", SCORING, 0, 0, strategy)).isEqualTo(new Alignment(0, 0, 0, 0, 0, "", 0, 0));
        }
    }

    /** Tests long sequences within a narrow band. The serial strategy recomputes their traceback after scoring. */
    @Test
    void longSequences() {
        Random random = new Random(5);
        String a = TestPairs.random(random, TestPairs.DNA, 12_000);
        String b = TestPairs.mutate(random, TestPairs.DNA, a, 0.05);
        Alignment expected = extend(a, b, SCORING, 200, 400, SequenceAlignment.Strategy.SERIAL);
        assertThat(expected.endA()).isGreaterThan(11_900);
        assertThat(extend(a, b, SCORING, 200, 400, SequenceAlignment.Strategy.AUTO))
                .isEqualTo(expected);
    }

    @Test
    void wrongLimits() {
        assertThatThrownBy(() -> ExtensionLimits.of("alignment", AlignmentMode.EXTENSION, -1, 5))
                .hasMessage("[BELLMAN_INPUT_VALUE] alignment: band is -1; it must be at least 0");
        assertThatThrownBy(() -> ExtensionLimits.of("alignment", AlignmentMode.LOCAL, ExtensionLimits.NO_LIMIT, 5))
                .hasMessage("[BELLMAN_INPUT_VALUE] alignment: z_drop is 5, but the mode is 'local'. Use the mode "
                        + "'extension', or omit z_drop");
    }

    @Test
    void cells() {
        assertThat(new ExtensionLimits(1, 0).cells(4, 3)).isEqualTo(2 + 3 + 2 + 1);
        assertThat(ExtensionLimits.UNLIMITED.cells(4, 3)).isEqualTo(12);
    }

    /** The traceback of a long extension takes memory for the cells in the band rather than for whole rows. */
    @Test
    void memoryOfBand() {
        int[] letters = new Random(5).ints(20_000, 0, 4).toArray();
        ExtensionLimits limits = ExtensionLimits.of("test", AlignmentMode.EXTENSION, 10, ExtensionLimits.NO_LIMIT);
        Scoring scoring = Scoring.of("test", SCORING);
        AtomicLong most = new AtomicLong();
        AtomicInteger steps = new AtomicInteger();
        FunctionOptions.DEFAULT.answer(() -> {
            GotohTable table = new GotohTable(letters, letters, AlignmentMode.EXTENSION, scoring, limits);
            assertThat(table.scoreToWalk(SequenceAlignment.ANY)).isEqualTo(40_000);
            return table.walk(
                    (move, equal, i, j) -> {
                        assertThat(i).isEqualTo(j);
                        steps.incrementAndGet();
                        most.accumulateAndGet(CallMemory.held(), Math::max);
                    },
                    GotohTable.MAX_KEPT);
        });
        assertThat(steps).hasValue(letters.length);
        assertThat(most.get()).isLessThan(2_000_000);
    }

    /** Vectors also compute long alignments whose traceback does not fit in memory as a whole. */
    @Test
    void longBands() {
        Scoring scoring = Scoring.of("test", SCORING);
        assertThat(DiagonalTable.of(200_000, 200_000, scoring, 2_000, true)).isPresent();
        assertThat(DiagonalTable.of(200_000, 200_000, scoring, ExtensionLimits.UNLIMITED.band(), true))
                .isEmpty();
    }

    /** A traceback that is computed in many parts finds the same alignment as one that is stored as a whole. */
    @Test
    void partsOfBand() {
        Random random = new Random(6);
        for (int round = 0; round < 300; round++) {
            int[] a = random.ints(random.nextInt(40), 0, 2).toArray();
            int[] b = random.ints(random.nextInt(40), 0, 2).toArray();
            ExtensionLimits limits =
                    ExtensionLimits.of("test", AlignmentMode.EXTENSION, random.nextInt(12), ExtensionLimits.NO_LIMIT);
            Scoring scoring = Scoring.of("test", round % 2 == 0 ? SCORING : "match 2 mismatch -1 open 2 extend 1");
            String whole = path(new GotohTable(a, b, AlignmentMode.EXTENSION, scoring, limits), true);
            assertThat(path(new GotohTable(a, b, AlignmentMode.EXTENSION, scoring, limits), false))
                    .isEqualTo(whole);
        }
    }

    private static String path(GotohTable table, boolean stored) {
        long score = stored ? table.scoreToWalk(SequenceAlignment.ANY) : table.score(SequenceAlignment.ANY);
        StringBuilder path = new StringBuilder().append(score);
        table.walk(
                (move, equal, i, j) -> path.append(move).append(i).append(' ').append(j), 60);
        return path.toString();
    }
}
