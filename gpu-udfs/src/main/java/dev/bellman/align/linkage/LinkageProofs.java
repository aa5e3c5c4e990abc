package dev.bellman.align.linkage;

import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import java.util.List;

/** The textbook and the instances of {@code text_clusters}. */
public final class LinkageProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                TextClusters.FUNCTION,
                new InstanceGenerator(LinkageTextbook::instance, 10, 120, 3),
                LinkageTextbook::clusters));
    }
}
