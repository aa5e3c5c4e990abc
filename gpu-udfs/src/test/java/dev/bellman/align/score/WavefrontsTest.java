package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.align.Cigar;
import dev.bellman.align.TestPairs;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WavefrontsTest {
    private static final String[] SCORINGS = {
        "match 2 mismatch -3 open 5 extend 2",
        "match 0 mismatch -1 open 1 extend 1",
        "match 0 mismatch -1 open 2 extend 1",
        "match 1 mismatch -1 gap 1",
        "match 1 mismatch 0 gap 0",
        "match 2 mismatch 1 open 3 extend 0",
        "match 1 mismatch -9 gap 1",
        "match -1 mismatch -2 open 4 extend 1",
        "match 3 mismatch -2 insert open 4 extend 2 delete open 7 extend 1",
        "match 3 mismatch -2 insert open 9 extend 0 delete gap 1",
        "match 32767 mismatch -32767 open 32767 extend 32767"
    };

    private static void assertSame(String a, String b, String scoringText, long mostKept) {
        Scoring scoring = Scoring.of("test", scoringText);
        int[] as = scoring.symbols("test", "a", Text.of(a));
        int[] bs = scoring.symbols("test", "b", Text.of(b));
        Penalties penalties = Penalties.of(AlignmentMode.GLOBAL, scoring).orElseThrow();
        long kept = mostKept;
        Wavefronts wavefronts = new Wavefronts(as, bs, penalties);
        while (!wavefronts.solve(SequenceAlignment.ANY, Long.MAX_VALUE, true, kept)) {
            assertThat(kept).isLessThan(Wavefronts.MAX_KEPT);
            kept *= 2;
            wavefronts = new Wavefronts(as, bs, penalties);
        }
        Alignment expected = new AlignmentTextbook(as, bs, AlignmentMode.GLOBAL, scoring).alignment();
        assertThat(wavefronts.score()).as("%s %s %s", a, b, scoringText).isEqualTo(expected.score());
        Cigar cigar = new Cigar();
        wavefronts.walk(cigar);
        assertThat(cigar.toString()).as("%s %s %s", a, b, scoringText).isEqualTo(expected.cigar());
        for (long least : new long[] {expected.score(), expected.score() + 1}) {
            Wavefronts limited = new Wavefronts(as, bs, penalties);
            assertThat(limited.solve(least, Long.MAX_VALUE, true, kept)).isTrue();
            if (least > expected.score()) {
                assertThat(limited.score()).isLessThan(least);
            } else {
                Cigar again = new Cigar();
                limited.walk(again);
                assertThat(again.toString()).as("%s %s %s", a, b, scoringText).isEqualTo(expected.cigar());
            }
        }
    }

    /** Tests all pairs of strings of up to five letters over an alphabet of two. */
    @Test
    void asTheTextbookForAllShortPairs() {
        for (String scoring : SCORINGS) {
            for (int x = 1; x < 1 << 6; x++) {
                for (int y = 1; y < 1 << 6; y++) {
                    assertSame(
                            Integer.toBinaryString(x).substring(1),
                            Integer.toBinaryString(y).substring(1),
                            scoring,
                            Wavefronts.MAX_KEPT);
                }
            }
        }
    }

    /** With few letters and with repeats, many alignments tie; with little memory, rows are computed again. */
    @Test
    void asTheTextbook() {
        Random random = new Random(2021);
        for (int i = 0; i < Thorough.rounds(1_500, 4_000); i++) {
            String alphabet = i % 2 == 0 ? "AC" : TestPairs.DNA;
            String part = TestPairs.random(random, alphabet, 1 + random.nextInt(30));
            String a = i % 4 == 0 ? part.repeat(1 + random.nextInt(4)) : TestPairs.random(random, alphabet, i % 90);
            String b = i % 5 == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(90))
                    : TestPairs.mutate(random, alphabet, a, random.nextDouble() / 2);
            // omit the last scoring, with which there are thousands of rows
            assertSame(a, b, SCORINGS[i % (SCORINGS.length - 1)], i % 3 == 0 ? Wavefronts.MAX_KEPT : 1_000);
        }
    }

    /** Compares each strategy with the textbook, for pairs from the generator that {@code check} also uses. */
    @Test
    void everyModeAndScoring() {
        SplittableRandom random = new SplittableRandom(5);
        int rounds = Thorough.rounds(700, 3_000);
        int answers = 0;
        for (int i = 0; i < rounds; i++) {
            InternalRow row = AlignmentInstances.limitedPair(random, 1 + i % 40);
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
            for (SequenceAlignment.Strategy strategy : SequenceAlignment.Strategy.values()) {
                Row found = (Row) TextbookAnswers.call(
                        ScoreFunctions.alignment().overloads().get(0).given(7), strategy, FunctionOptions.DEFAULT, row);
                assertThat(found == null).isEqualTo(expected == null);
                if (found != null) {
                    assertThat(found.getLong(0)).isEqualTo(expected.getLong(0));
                    assertThat(found.getString(5))
                            .isEqualTo(expected.getUTF8String(5).toString());
                }
                assertThat(TextbookAnswers.call(
                                ScoreFunctions.alignmentScore()
                                        .overloads()
                                        .get(0)
                                        .given(7),
                                strategy,
                                FunctionOptions.DEFAULT,
                                row))
                        .isEqualTo(expected == null ? null : Long.valueOf(expected.getLong(0)));
            }
        }
        assertThat(answers).isGreaterThan(rounds * 2 / 3);
    }

    @ParameterizedTest
    @CsvSource({
        "match 2 mismatch -3 open 5 extend 2, true",
        "matrix ACGT 5 -4 -4 -4 -4 5 -4 -4 -4 -4 5 -4 -4 -4 -4 5 open 10 extend 1, true",
        "matrix ACGT 5 -4 -4 -4 -4 5 -4 -4 -4 -4 5 -4 -4 -4 -4 5 other -4 open 10 extend 1, false",
        "matrix AC 5 -4 -3 5 gap 1, false",
        "match 1 mismatch 1 gap 1, false",
        "match 0 mismatch -1 open 1 extend 0, false",
        "match -1 mismatch -4 open 3 extend 0, false",
        "blosum62 open 11 extend 1, false"
    })
    void served(String scoring, boolean served) {
        assertThat(Penalties.of(AlignmentMode.GLOBAL, Scoring.of("test", scoring))
                        .isPresent())
                .isEqualTo(served);
        assertThat(Penalties.of(AlignmentMode.OVERLAP, Scoring.of("test", scoring)))
                .isEmpty();
    }

    /** The algorithm gives up on unrelated pairs, but not on similar ones. */
    @Test
    void givesUp() {
        Random random = new Random(8);
        String a = TestPairs.random(random, TestPairs.DNA, 3_000);
        for (String b : new String[] {
            TestPairs.random(random, TestPairs.DNA, 3_000), TestPairs.mutate(random, TestPairs.DNA, a, 0.01)
        }) {
            Scoring scoring = Scoring.of("test", SCORINGS[0]);
            int[] as = scoring.symbols("test", "a", Text.of(a));
            int[] bs = scoring.symbols("test", "b", Text.of(b));
            Wavefronts wavefronts = new Wavefronts(
                    as, bs, Penalties.of(AlignmentMode.GLOBAL, scoring).orElseThrow());
            boolean solved =
                    wavefronts.solve(SequenceAlignment.ANY, (long) as.length * bs.length, true, Wavefronts.MAX_KEPT);
            assertThat(solved).isEqualTo(b.length() != 3_000);
        }
    }
}
