package dev.bellman.align.distance;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import java.util.List;

/** The textbook and the instances of functions of {@link DistanceFunctions}. */
public final class DistanceProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                "hamming_distance",
                new InstanceGenerator(PairInstances::alignedPair, 12, 20_000, 1),
                row -> DistanceTextbook.hammingDistance(
                        Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)))));
    }
}
