package dev.bellman.align.subsequence;

import static dev.bellman.align.PairProofs.pair;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.PairProofs.WholeTables;
import dev.bellman.align.TokenProofs;
import dev.bellman.align.subsequence.ShortestCommonSupersequence.Strategy;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Provides the textbook implementations and the test instances for the functions in {@link SubsequenceFunctions}. */
public final class SubsequenceProofs implements Proofs {
    private static final WholeTables WHOLE_TABLES = new WholeTables(
            Set.of(LongestCommonSubsequence.Strategy.AUTO, LongestCommonSubsequence.Strategy.BIT_PARALLEL));

    @Override
    public List<Proof> list() {
        List<Proof> ofStrings = List.of(
                pair("lcs_length", SubsequenceTextbook::lcsLength),
                pair("lcs", (a, b) -> Characters.text(SubsequenceTextbook.lcs(a, b)))
                        .with(WHOLE_TABLES),
                new Proof(
                                "line_diff",
                                new InstanceGenerator(LineDiffTextbook::texts, 12, 3_000, 2),
                                LineDiffTextbook::solve)
                        .with(WHOLE_TABLES),
                pair("scs_length", (a, b) -> a.length + b.length - SubsequenceTextbook.lcsLength(a, b))
                        .with(new WholeTables(Set.of(Strategy.AUTO, Strategy.BIT_PARALLEL, Strategy.SERIAL))),
                pair("scs", (a, b) -> Characters.text(SubsequenceTextbook.scs(a, b)))
                        .with(new WholeTables(Set.of(Strategy.AUTO, Strategy.BIT_PARALLEL))),
                new Proof(
                                "scs_all",
                                new InstanceGenerator(PairInstances::strings, 14, 2_000, 2),
                                row -> SupersequenceTextbook.solve(row.getArray(0)))
                        .with(SupersequenceTextbook.LEEWAY));
        return Stream.of(
                        ofStrings.stream(),
                        TokenProofs.pair("lcs_length", 1, SubsequenceTextbook::lcsLength),
                        TokenProofs.sequence("lcs", 1, SubsequenceTextbook::lcs).map(proof -> proof.with(WHOLE_TABLES)))
                .flatMap(proofs -> proofs)
                .toList();
    }
}
