package dev.bellman.check;

import dev.bellman.function.Catalogue;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/**
 * The proof for the deliberately faulty function {@code planted} in {@link CheckTest}, which should compute the edit
 * distance.
 */
public final class PlantedProofs implements Proofs {
    @Override
    public List<Proof> list() {
        // look up the other proofs later, because they are not loaded yet
        return List.of(new Proof(
                "planted",
                new InstanceGenerator((random, size) -> right().generator().generate(random, size), 12, 100, 2),
                row -> right().oracle().solve(row)));
    }

    private static Proof right() {
        return Proofs.of(Catalogue.functions().stream()
                .filter(function -> function.name().equals("edit_distance"))
                .findFirst()
                .orElseThrow()
                .signatures()
                .get(0));
    }
}
