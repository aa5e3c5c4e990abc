package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.align.Cigar;
import dev.bellman.align.TestPairs;
import dev.bellman.align.Text;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.scoring.Scoring;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SequenceAlignmentTest extends SequenceAlignmentFixture {
    /** The maximum values of the vectors' types. */
    private static final long[] MAX = {Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE};

    private static final Set<AlignmentMode> GOLDEN_MODES = EnumSet.complementOf(EnumSet.of(AlignmentMode.EXTENSION));

    private static final String EDITS = "match 0 mismatch -1 open 1 extend 1";

    /** Compares scores and alignments with the textbook. Vectors of each type compute some of the scores. */
    @Test
    void asTheTextbook() {
        SplittableRandom random = new SplittableRandom(4);
        int answers = 0;
        int beyond = 0;
        int[] byType = new int[MAX.length];
        for (int i = 0; i < 8_000; i++) {
            InternalRow row = AlignmentInstances.limitedPair(random, i % 100 == 0 ? 150 : 1 + i % 24);
            row.update(4, SequenceAlignment.ANY);
            if (row.anyNull()) {
                continue;
            }
            InternalRow expected;
            try {
                expected = AlignmentTextbook.alignment(row);
            } catch (BellmanException e) {
                continue;
            }
            answers++;
            AlignmentMode mode = AlignmentMode.of("test", row.getUTF8String(2).toString());
            Scoring scoring = Scoring.of("test", row.getUTF8String(3).toString());
            Text a = Text.of(row.getUTF8String(0).getBytes());
            Text b = Text.of(row.getUTF8String(1).getBytes());
            Alignment found = new Alignment(
                    expected.getLong(0),
                    expected.getInt(1),
                    expected.getInt(2),
                    expected.getInt(3),
                    expected.getInt(4),
                    expected.getUTF8String(5).toString(),
                    expected.getInt(6),
                    expected.getInt(7));
            ExtensionLimits limits = ExtensionLimits.of("test", mode, row.getInt(5), row.getInt(6));
            for (SequenceAlignment.Strategy strategy :
                    List.of(SequenceAlignment.Strategy.SERIAL, SequenceAlignment.Strategy.ANTI_DIAGONAL)) {
                assertThat(SequenceAlignment.align(call(a, b, mode, scoring, limits, strategy)))
                        .as("%s %s", strategy, row)
                        .hasValue(found);
            }
            GotohTable table = new GotohTable(
                    scoring.symbols("test", "a", a), scoring.symbols("test", "b", b), mode, scoring, limits);
            table.score(SequenceAlignment.ANY);
            Cigar cigar = new Cigar();
            table.walk(cigar, 1 + random.nextInt(60));
            assertThat(cigar.toString()).isEqualTo(found.cigar());
            Optional<DiagonalTable> diagonals = DiagonalTable.of(a.length(), b.length(), scoring, limits.band(), true);
            if (diagonals.isPresent()) {
                int words = 1 + random.nextInt(100);
                assertThat(cigar(diagonals.get(), words, a, b, mode, scoring, limits))
                        .as("%s in segments of %d words", row, words)
                        .isEqualTo(found.cigar());
            }
            for (SequenceAlignment.Strategy strategy :
                    List.of(SequenceAlignment.Strategy.STRIPED, SequenceAlignment.Strategy.ANTI_DIAGONAL)) {
                assertThat(SequenceAlignment.score(call(a, b, mode, scoring, limits, strategy)))
                        .as("%s %s", strategy, row)
                        .hasValue(found.score());
            }
            assertThat(DiagonalTable.ALL).hasSize(1);
            assertThat(StripedTable.ALL).hasSize(3);
            for (int type = 0; type < 3; type++) {
                StripedTable vectors = StripedTable.ALL.get(type);
                if (a.length() > 0 && b.length() > 0 && vectors.holds(a.length(), b.length(), mode, scoring)) {
                    long byVectors = vectors.score(
                            scoring.symbols("test", "a", a), scoring.symbols("test", "b", b), mode, scoring);
                    if (byVectors == StripedTable.BEYOND) {
                        assertThat(mode).isEqualTo(AlignmentMode.LOCAL);
                        assertThat(found.score()).isGreaterThan(MAX[type] - Math.max(0, scoring.largest()));
                        beyond++;
                    } else {
                        assertThat(byVectors).as("%s", row).isEqualTo(found.score());
                        byType[type]++;
                    }
                }
            }
        }
        assertThat(answers).isGreaterThan(6_000);
        assertThat(beyond).isPositive();
        assertThat(byType).doesNotContain(0);
    }

    private static String cigar(
            DiagonalTable table,
            int words,
            Text a,
            Text b,
            AlignmentMode mode,
            Scoring scoring,
            ExtensionLimits limits) {
        int[] as = scoring.symbols("test", "a", a);
        int[] bs = scoring.symbols("test", "b", b);
        DiagonalTable.Solved solved = table.solve(as, bs, mode, scoring, limits, words);
        Cigar cigar = new Cigar();
        new Walk(as, bs, mode, scoring.hasTwoPieces(), cigar, solved.endA(), solved.endB()).go(0, solved.ways());
        return cigar.toString();
    }

    /**
     * Fits short strings into long ones, and long ones into short ones, so that most letters are in the free ends or in
     * one gap.
     */
    @ParameterizedTest
    @EnumSource(names = {"FIT_A_IN_B", "FIT_B_IN_A"})
    void fits(AlignmentMode mode) {
        String[] scorings = {
            "match 2 mismatch -3 open 5 extend 2",
            "match 1 mismatch -1 gap 0",
            "match 3 mismatch -2 insert open 4 extend 2 delete open 7 extend 1",
            "blosum62 insert open 11 extend 1 delete open 6 extend 2"
        };
        Random random = new Random(1970);
        for (int i = 0; i < Thorough.rounds(80, 240); i++) {
            String letters = i % 2 == 0 ? "AC" : TestPairs.DNA;
            String part = TestPairs.random(random, letters, random.nextInt(1 + (i % 8 == 0 ? 300 : 40)));
            String whole = TestPairs.random(random, letters, random.nextInt(400))
                    + TestPairs.mutate(random, letters, part, random.nextDouble())
                    + TestPairs.random(random, letters, random.nextInt(400));
            String a = i % 4 < 2 ? part : whole;
            String b = i % 4 < 2 ? whole : part;
            String scoringText = scorings[i % scorings.length];
            Scoring scoring = Scoring.of("test", scoringText);
            Alignment expected = new AlignmentTextbook(
                            scoring.symbols("test", "a", Text.of(a)),
                            scoring.symbols("test", "b", Text.of(b)),
                            mode,
                            scoring)
                    .alignment();
            for (SequenceAlignment.Strategy strategy : SequenceAlignment.Strategy.values()) {
                assertThat(align(a, b, mode, scoringText, strategy))
                        .as("%s %s %s %s", strategy, scoringText, a, b)
                        .isEqualTo(expected);
                assertThat(score(a, b, mode, scoringText, strategy)).isEqualTo(expected.score());
            }
        }
    }

    /** Aligns a million letters with a single letter, on either side. */
    @ParameterizedTest
    @EnumSource(AlignmentMode.class)
    void aMillionLettersAndOne(AlignmentMode mode) {
        String letters = TestPairs.random(new Random(1_000_000), "ACG", 999_999);
        String longer = letters.substring(0, 700_000) + "T" + letters.substring(700_000);
        String scoringText = "match 5 mismatch -4 insert open 6 extend 2 delete open 3 extend 1";
        Scoring scoring = Scoring.of("test", scoringText);
        for (String one : List.of("T", "A", "N").subList(0, Thorough.rounds(1, 3))) {
            AlignmentTextbook expected = new AlignmentTextbook(
                    scoring.symbols("test", "a", Text.of(one)),
                    scoring.symbols("test", "b", Text.of(longer)),
                    mode,
                    scoring);
            assertThat(align(one, longer, mode, scoringText)).isEqualTo(expected.alignment());
            assertThat(score(one, longer, mode, scoringText)).isEqualTo(expected.score());
            // the same pair with its sides exchanged
            String changed = "match 5 mismatch -4 insert open 3 extend 1 delete open 6 extend 2";
            AlignmentMode other =
                    switch (mode) {
                        case FIT_A_IN_B -> AlignmentMode.FIT_B_IN_A;
                        case FIT_B_IN_A -> AlignmentMode.FIT_A_IN_B;
                        default -> mode;
                    };
            Alignment turned = align(longer, one, other, changed);
            assertThat(turned.score()).isEqualTo(expected.score());
            assertThat(score(longer, one, other, changed)).isEqualTo(expected.score());
            assertThat(rescored(longer, one, changed, turned)).isEqualTo(expected.score());
        }
    }

    /** Compares scores with those of third-party tools, and checks that the alignments have these scores. */
    @ParameterizedTest
    @CsvSource({"dna_illumina_vs_ref, 200", "dna_long, 1", "protein_350, 40"})
    void asTrustedTools(String set, int alignments) {
        Map<String, Map<String, String>> pairs = Golden.rows(set + ".data");
        int count = 0;
        for (Map<String, String> row : Golden.allRows(set + ".align.gold")) {
            Map<String, String> pair = pairs.get(row.get("id"));
            String a = pair.get("a");
            String b = pair.get("b");
            String scoring = "%s open %s extend %s"
                    .formatted(
                            row.get("matrix").replace("match+2/mismatch-3", "match 2 mismatch -3"),
                            row.get("gap_first"),
                            row.get("gap_next"));
            // only similar pairs, because wavefronts take seconds for the others
            if (row.get("matrix").startsWith("match")
                    && golden(row, AlignmentMode.GLOBAL) * 10 > a.length() * Thorough.rounds(18, 15)) {
                Alignment near = align(a, b, AlignmentMode.GLOBAL, scoring, SequenceAlignment.Strategy.WAVEFRONT);
                assertThat(near.score()).isEqualTo(golden(row, AlignmentMode.GLOBAL));
                assertThat(rescored(a, b, scoring, near)).isEqualTo(near.score());
            }
            if (a.length() <= Thorough.rounds(5_000, Integer.MAX_VALUE) && count++ < alignments) {
                for (AlignmentMode mode : GOLDEN_MODES) {
                    Alignment alignment = align(a, b, mode, scoring);
                    assertThat(alignment.score()).isEqualTo(golden(row, mode));
                    assertThat(rescored(a, b, scoring, alignment)).isEqualTo(alignment.score());
                }
                assertThat(align(a, b, AlignmentMode.GLOBAL, scoring))
                        .isEqualTo(align(a, b, AlignmentMode.GLOBAL, scoring, SequenceAlignment.Strategy.SERIAL));
            } else if ((long) a.length() * b.length() < 1_000_000 && count % 40 == 0) {
                for (AlignmentMode mode : GOLDEN_MODES) {
                    assertThat(score(a, b, mode, scoring))
                            .as("%s %s %s", row.get("id"), mode, scoring)
                            .isEqualTo(golden(row, mode));
                }
            }
        }
    }

    private static long golden(Map<String, String> row, AlignmentMode mode) {
        return Long.parseLong(row.get(
                switch (mode) {
                    case GLOBAL -> "nw";
                    case LOCAL -> "sw";
                    case OVERLAP -> "sg_all_free";
                    case FIT_A_IN_B -> "sg_b_ends_free";
                    case FIT_B_IN_A -> "sg_a_ends_free";
                    case EXTENSION -> throw new IllegalArgumentException("no expected extensions");
                }));
    }

    @Test
    void editsAreASpecialCase() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            String a = TestPairs.random(random, TestPairs.DNA, random.nextInt(40));
            String b = TestPairs.mutate(random, TestPairs.DNA, a, random.nextDouble());
            Alignment alignment = align(a, b, AlignmentMode.GLOBAL, EDITS);
            assertThat(-alignment.score()).isEqualTo(EditDistance.distance(a, b, EditDistance.Strategy.AUTO));
            assertThat(alignment.cigar())
                    .isEqualTo(EditDistance.cigar(Text.of(a), Text.of(b), EditDistance.Strategy.AUTO));
        }
    }

    @Test
    void scoresOfManyPairsAreDistances() {
        Random random = new Random(1_000_000);
        for (int i = 0; i < Thorough.rounds(200_000, 1_000_000); i++) {
            String a = TestPairs.random(random, TestPairs.DNA, random.nextInt(16));
            String b = TestPairs.random(random, TestPairs.DNA, random.nextInt(16));
            long score = score(a, b, AlignmentMode.GLOBAL, EDITS);
            if (-score != EditDistance.distance(a, b, EditDistance.Strategy.AUTO)) {
                assertThat(score)
                        .as("%s and %s", a, b)
                        .isEqualTo(-EditDistance.distance(a, b, EditDistance.Strategy.AUTO));
            }
        }
    }

    /** Tests scores around the limits of 16 and 32 bits. */
    @Test
    void largeScores() {
        for (int length : new int[] {1, 2, 1_000}) {
            String a = "A".repeat(length);
            for (int match : new int[] {32, 33, 32_767}) {
                String scoring = "match %d mismatch -32767 open 32767 extend 32767".formatted(match);
                assertThat(score(a, a, AlignmentMode.GLOBAL, scoring)).isEqualTo((long) match * length);
                assertThat(score(a, "", AlignmentMode.GLOBAL, scoring)).isEqualTo(-32_767L * length);
                assertThat(score(a, "C".repeat(length), AlignmentMode.GLOBAL, scoring))
                        .isEqualTo(-32_767L * length);
            }
        }
        String longer = "A".repeat(70_000);
        assertThat(score(longer, "A", AlignmentMode.GLOBAL, "match 1 mismatch -1 open 32767 extend 32767"))
                .isEqualTo(1 - 32_767L * 69_999);
    }

    /** Tests pairs whose highest or lowest value just fits or just exceeds 16 bits. */
    @ParameterizedTest
    @EnumSource(AlignmentMode.class)
    void aroundTheBorderOf16Bits(AlignmentMode mode) {
        Random random = new Random(16);
        for (int i = 0; i < 500; i++) {
            String a = TestPairs.random(random, "AC", 1 + random.nextInt(60));
            String b = i % 2 == 0 ? a : TestPairs.mutate(random, "AC", a, 0.1 * random.nextDouble());
            int letters = a.length() + b.length();
            int match = Math.min(32_767, 32_766 / Math.max(1, Math.min(a.length(), b.length())) + random.nextInt(3));
            int open = random.nextInt(40);
            assertSameScores(
                    a,
                    b,
                    mode,
                    "match %d mismatch %d open %d extend %d"
                            .formatted(match, -random.nextInt(40), open, random.nextInt(open + 1)));
            // gaps for all letters cost about as much as one mismatch, so nearly all letters may be in gaps
            int gap = 32_766 / (letters + random.nextInt(7)) + random.nextInt(3);
            assertSameScores(a, b.replace('C', 'G'), mode, "match 1 mismatch -32767 gap %d".formatted(gap));
        }
    }

    private static void assertSameScores(String a, String b, AlignmentMode mode, String scoring) {
        long expected = score(a, b, mode, scoring, SequenceAlignment.Strategy.SERIAL);
        for (SequenceAlignment.Strategy strategy :
                List.of(SequenceAlignment.Strategy.STRIPED, SequenceAlignment.Strategy.ANTI_DIAGONAL)) {
            assertThat(score(a, b, mode, scoring, strategy))
                    .as("%s: %s and %s by '%s'", strategy, a, b, scoring)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(AlignmentMode.class)
    void emptySequences(AlignmentMode mode) {
        String scoring = "match 2 mismatch -3 insert open 5 extend 2 delete open 7 extend 3";
        assertThat(align("", "", mode, scoring)).isEqualTo(new Alignment(0, 0, 0, 0, 0, "", 0, 0));
        assertThat(align("ACG", "", mode, scoring))
                .isEqualTo(
                        mode == AlignmentMode.GLOBAL || mode == AlignmentMode.FIT_A_IN_B
                                ? new Alignment(-9, 0, 3, 0, 0, "3I", 0, 3)
                                : new Alignment(0, 0, 0, 0, 0, "", 0, 0));
        assertThat(align("", "ACG", mode, scoring))
                .isEqualTo(
                        mode == AlignmentMode.GLOBAL || mode == AlignmentMode.FIT_B_IN_A
                                ? new Alignment(-13, 0, 0, 0, 3, "3D", 0, 3)
                                : new Alignment(0, 0, 0, 0, 0, "", 0, 0));
    }

    /**
     * Of several ends, the first one is chosen. From there backward, the path prefers pairs, and then letters of a; a
     * gap ends as soon as possible.
     */
    @Test
    void ties() {
        assertThat(align("ACAC", "AC", AlignmentMode.LOCAL, "match 1 mismatch -1 gap 1"))
                .isEqualTo(new Alignment(2, 0, 2, 0, 2, "2=", 2, 0));
        assertThat(align("AA", "A", AlignmentMode.GLOBAL, "match 1 mismatch -1 gap 1")
                        .cigar())
                .isEqualTo("1I1=");
        assertThat(align("A", "AA", AlignmentMode.GLOBAL, "match 1 mismatch -1 gap 1")
                        .cigar())
                .isEqualTo("1D1=");
        assertThat(align("A", "C", AlignmentMode.GLOBAL, "match 1 mismatch -2 gap 1")
                        .cigar())
                .isEqualTo("1X");
        assertThat(align("A", "C", AlignmentMode.GLOBAL, "match 1 mismatch -3 gap 1")
                        .cigar())
                .isEqualTo("1D1I");
    }
}
