package dev.bellman.align.distance;

import static dev.bellman.align.PairProofs.limited;
import static dev.bellman.align.PairProofs.pair;

import dev.bellman.align.Characters;
import dev.bellman.align.PairInstances;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** The textbook and the instances of functions of {@link DistanceFunctions}. */
public final class DistanceProofs implements Proofs {
    @Override
    public List<Proof> list() {
        return List.of(
                limited("edit_distance", DistanceTextbook::editDistance),
                pair("edit_cigar", (a, b) -> UTF8String.fromString(DistanceTextbook.cigar(a, b))),
                new Proof(
                        "hamming_distance",
                        new InstanceGenerator(PairInstances::alignedPair, 12, 20_000, 1),
                        row -> DistanceTextbook.hammingDistance(
                                Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)))),
                limited("damerau_levenshtein", DistanceTextbook::damerauLevenshtein),
                limited("osa_distance", DistanceTextbook::osaDistance),
                pair("jaro_similarity", DistanceTextbook::jaro),
                pair("jaro_winkler_similarity", DistanceTextbook::jaroWinkler));
    }
}
