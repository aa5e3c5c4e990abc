package dev.bellman.align.score;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link ScoreFunctions}. */
public final class ScoreProofs implements Proofs {
    private static final InstanceGenerator PAIRS = new InstanceGenerator(AlignmentInstances::limitedPair, 12, 5_000, 2);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("alignment_score", PAIRS, AlignmentTextbook::score),
                new Proof("alignment", PAIRS, AlignmentTextbook::alignment),
                new Proof(
                        "bit_score",
                        new InstanceGenerator(StatisticsInstances::score, 12, 500, 0),
                        StatisticsTextbook::bitScore),
                new Proof(
                        "e_value",
                        new InstanceGenerator(StatisticsInstances::search, 12, 500, 0),
                        StatisticsTextbook::expected));
    }
}
