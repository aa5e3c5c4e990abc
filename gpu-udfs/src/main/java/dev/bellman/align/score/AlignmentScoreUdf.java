package dev.bellman.align.score;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import java.util.OptionalLong;

/** {@code alignment_score(a, b, mode, scoring)} and {@code alignment_score(a, b, mode, scoring, min_score)}. */
public final class AlignmentScoreUdf extends AlignUdf<Long> {
    private static final long serialVersionUID = 1L;

    public AlignmentScoreUdf(SequenceAlignment.Strategy strategy, FunctionOptions options) {
        super("alignment_score", strategy, options);
    }

    @Override
    Long solve(Text a, Text b, AlignmentMode mode, Scoring its, long least) {
        OptionalLong score =
                SequenceAlignment.score(function, a, b, mode, its, least, strategy, chosen -> chose(chosen, 1));
        return score.isPresent() ? score.getAsLong() : null;
    }

    @Override
    AlignmentScoreUdf with(FunctionOptions other) {
        return new AlignmentScoreUdf(strategy, other);
    }
}
