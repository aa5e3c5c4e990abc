package dev.bellman.align.linkage;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementation and the test instances for {@code text_clusters}. */
public final class LinkageProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                TextClusters.FUNCTION,
                new InstanceGenerator(LinkageTextbook::instance, 10, 120, 3),
                LinkageTextbook::clusters));
    }
}
