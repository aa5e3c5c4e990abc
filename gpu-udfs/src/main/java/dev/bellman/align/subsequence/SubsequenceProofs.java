package dev.bellman.align.subsequence;

import static dev.bellman.align.PairProofs.pair;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import java.util.List;

/** The textbook and the instances of the functions of {@link SubsequenceFunctions}. */
public final class SubsequenceProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(
                pair("lcs_length", SubsequenceTextbook::lcsLength),
                pair("lcs", (a, b) -> Characters.text(SubsequenceTextbook.lcs(a, b))),
                pair("scs_length", (a, b) -> a.length + b.length - SubsequenceTextbook.lcsLength(a, b)),
                pair("scs", (a, b) -> Characters.text(SubsequenceTextbook.scs(a, b))),
                new Proof(
                        "scs_all",
                        new InstanceGenerator(PairInstances::strings, 14, 2_000, 2),
                        row -> SupersequenceTextbook.solve(row.getArray(0))));
    }
}
