package dev.bellman.align.distance;

import static dev.bellman.align.PairProofs.limited;
import static dev.bellman.align.PairProofs.pair;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.align.PairProofs.WholeTables;
import dev.bellman.align.TokenProofs;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import dev.bellman.proof.Values;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Provides the textbook implementations and the test instances for the functions in {@link DistanceFunctions}. */
public final class DistanceProofs implements Proofs {
    private static final WholeTables WHOLE_TABLES =
            new WholeTables(Set.of(EditDistance.Strategy.AUTO, EditDistance.Strategy.BIT_PARALLEL));

    @Override
    public List<Proof> list() {
        List<Proof> ofStrings = List.of(
                limited("edit_distance", DistanceTextbook::editDistance),
                pair("edit_cigar", DistanceProofs::cigar).with(WHOLE_TABLES),
                new Proof(
                        "hamming_distance",
                        new InstanceGenerator(PairInstances::alignedPair, 12, 20_000, 1),
                        row -> DistanceTextbook.hammingDistance(
                                Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)))),
                limited("damerau_levenshtein", DistanceTextbook::damerauLevenshtein)
                        .with(new WholeTables(
                                Set.of(DamerauLevenshtein.Strategy.AUTO, DamerauLevenshtein.Strategy.BIT_PARALLEL))),
                limited("osa_distance", DistanceTextbook::osaDistance),
                pair("jaro_similarity", DistanceTextbook::jaro),
                pair("jaro_winkler_similarity", DistanceTextbook::jaroWinkler));
        return Stream.of(
                        ofStrings.stream(),
                        TokenProofs.limited("edit_distance", 1, DistanceTextbook::editDistance),
                        TokenProofs.pair("edit_cigar", 1, DistanceProofs::cigar).map(proof -> proof.with(WHOLE_TABLES)),
                        TokenProofs.limited("osa_distance", 1, DistanceTextbook::osaDistance),
                        TokenProofs.pair("word_errors", 0, DistanceProofs::wordErrors),
                        Stream.of(new Proof(
                                "tree_edit_distance",
                                new InstanceGenerator(TreeInstances::formats, 6, 300, 2),
                                TreeTextbook::distance)))
                .flatMap(proofs -> proofs)
                .toList();
    }

    private static UTF8String cigar(int[] a, int[] b) {
        return UTF8String.fromString(DistanceTextbook.cigar(a, b));
    }

    private static InternalRow wordErrors(int[] reference, int[] hypothesis) {
        int[] counts = DistanceTextbook.wordErrors(reference, hypothesis);
        int errors = counts[0] + counts[1] + counts[2];
        double rate = reference.length == 0 ? errors : (double) errors / reference.length;
        return Values.row(counts[0], counts[1], counts[2], counts[3], rate);
    }
}
