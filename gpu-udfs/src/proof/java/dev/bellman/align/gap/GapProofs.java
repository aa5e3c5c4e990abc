package dev.bellman.align.gap;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/**
 * Provides the textbook implementation and the test instances for {@code gap_alignment}, with one or two cost arrays.
 */
public final class GapProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(
                new Proof(
                                "gap_alignment",
                                0,
                                new InstanceGenerator(GapInstances::shared, 10, 300, 3),
                                GapTextbook::solve)
                        .with(GapTextbook.LEEWAY),
                new Proof(
                                "gap_alignment",
                                1,
                                new InstanceGenerator(GapInstances::separate, 10, 300, 3),
                                GapTextbook::solve)
                        .with(GapTextbook.LEEWAY));
    }
}
