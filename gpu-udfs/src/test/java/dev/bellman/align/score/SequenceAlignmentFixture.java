package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Contains the code that the tests of alignments share. */
abstract class SequenceAlignmentFixture {
    private static final Pattern RUN = Pattern.compile("(\\d+)([=XID])");

    static long score(String a, String b, AlignmentMode mode, String scoring) {
        return score(a, b, mode, scoring, SequenceAlignment.Strategy.AUTO);
    }

    static long score(String a, String b, AlignmentMode mode, String scoring, SequenceAlignment.Strategy strategy) {
        return SequenceAlignment.score(
                        "test",
                        Text.of(a),
                        Text.of(b),
                        mode,
                        Scoring.of("test", scoring),
                        SequenceAlignment.ANY,
                        strategy)
                .orElseThrow();
    }

    static Alignment align(String a, String b, AlignmentMode mode, String scoring) {
        return align(a, b, mode, scoring, SequenceAlignment.Strategy.AUTO);
    }

    static Alignment align(
            String a, String b, AlignmentMode mode, String scoring, SequenceAlignment.Strategy strategy) {
        return SequenceAlignment.align(
                        "test",
                        Text.of(a),
                        Text.of(b),
                        mode,
                        Scoring.of("test", scoring),
                        SequenceAlignment.ANY,
                        strategy)
                .orElseThrow();
    }

    static SequenceAlignment.Call call(
            Text a,
            Text b,
            AlignmentMode mode,
            Scoring scoring,
            ExtensionLimits limits,
            SequenceAlignment.Strategy strategy) {
        return new SequenceAlignment.Call(
                "test", a, b, mode, scoring, limits, SequenceAlignment.ANY, strategy, chosen -> {});
    }

    /**
     * Returns the score of the alignment's CIGAR. Checks that the CIGAR has the reported positions, and that {@code =}
     * and {@code X} are correct.
     */
    static long rescored(String a, String b, String scoringText, Alignment alignment) {
        Scoring scoring = Scoring.of("test", scoringText);
        int[] as = scoring.symbols("test", "a", Text.of(a));
        int[] bs = scoring.symbols("test", "b", Text.of(b));
        int i = alignment.beginA();
        int j = alignment.beginB();
        int identities = 0;
        int gaps = 0;
        long score = 0;
        Matcher runs = RUN.matcher(alignment.cigar());
        while (runs.find()) {
            int length = Integer.parseInt(runs.group(1));
            switch (runs.group(2)) {
                case "I" -> {
                    score -= scoring.insert().of(length);
                    gaps += length;
                    i += length;
                }
                case "D" -> {
                    score -= scoring.delete().of(length);
                    gaps += length;
                    j += length;
                }
                default -> {
                    for (int k = 0; k < length; k++, i++, j++) {
                        score += scoring.score(as[i], bs[j]);
                        assertThat(as[i] == bs[j]).isEqualTo(runs.group(2).equals("="));
                        identities += as[i] == bs[j] ? 1 : 0;
                    }
                }
            }
        }
        assertThat(new int[] {i, j, identities, gaps})
                .containsExactly(alignment.endA(), alignment.endB(), alignment.identities(), alignment.gaps());
        return score;
    }
}
