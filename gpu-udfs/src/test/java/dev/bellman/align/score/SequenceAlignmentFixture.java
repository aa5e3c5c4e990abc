package dev.bellman.align.score;

import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;

/** Contains the code that {@link SequenceAlignmentTest} and {@link AlignmentScoringTest} share. */
abstract class SequenceAlignmentFixture {
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
}
