package dev.bellman.markov.profile;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementation and the test instances for {@code profile_score}. */
public final class ProfileProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(new Proof(
                ProfileFunctions.NAME,
                new InstanceGenerator(ProfileInstances::drawShared, 10, 200, 2),
                ProfileTextbook::score));
    }
}
