package dev.bellman.align.names;

import dev.bellman.align.PairInstances;
import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.List;
import org.apache.commons.text.similarity.JaccardSimilarity;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link RatioFunctions},
 * {@link MatchingFunctions} and {@link SplinkFunctions}.
 */
public final class NamesProofs implements Proofs {
    private static final int SMALL = 12;
    private static final int LARGE = 2_000;

    /** Computes a ratio by its definition. */
    @FunctionalInterface
    private interface Definition extends Serializable {
        double of(List<Integer> a, List<Integer> b);
    }

    @Override
    public List<Proof> list() {
        return List.of(
                ratio("ratio", RatioTextbook::ratio),
                partialRatio("partial_ratio", RatioTextbook::partialRatio),
                ratio("token_sort_ratio", RatioTextbook::tokenSortRatio),
                ratio("token_set_ratio", RatioTextbook::tokenSetRatio),
                partialRatio("partial_token_sort_ratio", RatioTextbook::partialTokenSortRatio),
                partialRatio("weighted_ratio", RatioTextbook::weightedRatio),
                new Proof(
                        "weighted_edit_distance",
                        new InstanceGenerator(WeightedTextbook::instance, SMALL, LARGE, 2),
                        WeightedTextbook::distance),
                new Proof(
                        "qgram_similarity",
                        new InstanceGenerator(MatchingTextbook::qgramInstance, SMALL, 4_000, 2),
                        MatchingTextbook::qgramSimilarity),
                new Proof(
                        "monge_elkan",
                        new InstanceGenerator(MatchingTextbook::mongeElkanInstance, SMALL, 400, 3),
                        MatchingTextbook::mongeElkan),
                pairwise("pairwise_min", true),
                pairwise("pairwise_max", false),
                pair("affine_gap_similarity", MatchingTextbook::affineGap),
                pair("jaro_sim", row -> MatchingTextbook.jaroWithHalves(row.getString(0), row.getString(1))),
                pair("jaro_winkler", row -> new JaroWinklerSimilarity().apply(row.getString(0), row.getString(1))),
                pair("jaccard", row -> new JaccardSimilarity().apply(row.getString(0), row.getString(1))),
                // the function only calls the library commons-text, so it also serves as the oracle
                pair("cosine_distance", row -> SplinkFunctions.cosineDistance(row.getString(0), row.getString(1))));
    }

    private static Proof pair(String function, Oracle oracle) {
        return new Proof(function, new InstanceGenerator(PairInstances::pair, SMALL, LARGE, 2), oracle);
    }

    private static Proof pairwise(String function, boolean smallest) {
        return new Proof(
                function,
                new InstanceGenerator(MatchingTextbook::pairwiseInstance, SMALL, 400, 3),
                row -> MatchingTextbook.pairwise(row, smallest));
    }

    private static Proof ratio(String function, Definition definition) {
        return ratio(function, definition, 5_000, 2);
    }

    private static Proof partialRatio(String function, Definition definition) {
        return ratio(function, definition, 400, 3);
    }

    private static Proof ratio(String function, Definition definition, int large, int growth) {
        return new Proof(
                function,
                new InstanceGenerator(RatioInstances::row, SMALL, large, growth),
                row -> definition.of(
                        RatioTextbook.text(row.getUTF8String(0), row.getBoolean(2)),
                        RatioTextbook.text(row.getUTF8String(1), row.getBoolean(2))));
    }
}
