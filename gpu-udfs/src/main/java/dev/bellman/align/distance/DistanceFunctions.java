package dev.bellman.align.distance;

import static dev.bellman.align.PairSignatures.limitedDistance;
import static dev.bellman.align.PairSignatures.pair;
import static dev.bellman.align.PairSignatures.wholeTables;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Text;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;

/** Distances and similarities of pairs. */
public final class DistanceFunctions {
    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class, EditDistance.Strategy.SERIAL);

    private static final Problem<HammingDistance.Strategy> HAMMING_DISTANCE =
            new Problem<>("hamming_distance", HammingDistance.Strategy.class, HammingDistance.Strategy.SERIAL);
    private static final Problem<DamerauLevenshtein.Strategy> DAMERAU_LEVENSHTEIN =
            new Problem<>("damerau_levenshtein", DamerauLevenshtein.Strategy.class, DamerauLevenshtein.Strategy.SERIAL);
    private static final Problem<OsaDistance.Strategy> OSA_DISTANCE =
            new Problem<>("osa_distance", OsaDistance.Strategy.class, OsaDistance.Strategy.SERIAL);
    private static final Problem<JaroWinkler.Strategy> JARO_WINKLER =
            new Problem<>("jaro_winkler", JaroWinkler.Strategy.class, JaroWinkler.Strategy.SERIAL);

    private DistanceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                editDistance(),
                editCigar(),
                hammingDistance(),
                damerauLevenshtein(),
                osaDistance(),
                jaroSimilarity(),
                jaroWinklerSimilarity());
    }

    private static BellmanFunction<?> editDistance() {
        return new BellmanFunction<>(
                "edit_distance",
                EDIT_DISTANCE,
                List.of(
                        pair(EDIT_DISTANCE, IntegerType, EditDistance::distance, DistanceTextbook::editDistance),
                        limitedDistance(EDIT_DISTANCE, EditDistance::distance, DistanceTextbook::editDistance)),
                "The Levenshtein distance: the fewest insertions, deletions and substitutions of characters "
                        + "that turn `a` into `b`. With `max`, -1 if the distance is larger.",
                Optional.empty(),
                new Example("edit_distance('kitten', 'sitting')", "3"));
    }

    private static BellmanFunction<?> editCigar() {
        return new BellmanFunction<>(
                "edit_cigar",
                EDIT_DISTANCE,
                List.of(pair(
                        EDIT_DISTANCE,
                        StringType,
                        EditDistance::cigar,
                        (a, b) -> UTF8String.fromString(DistanceTextbook.cigar(a, b)))),
                "An alignment with the fewest edits, as a CIGAR string: `=` and `X` consume a character of "
                        + "both texts, `I` one of `a`, `D` one of `b`.",
                Optional.empty(),
                new Example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D"),
                wholeTables(Set.of(EditDistance.Strategy.AUTO, EditDistance.Strategy.BIT_PARALLEL)));
    }

    private static BellmanFunction<?> hammingDistance() {
        return Entry.of("hamming_distance", HAMMING_DISTANCE)
                .signature(
                        List.of(new Parameter("a", StringType), new Parameter("b", StringType)),
                        IntegerType,
                        (strategy, options, arguments) -> {
                            Text a = Text.of(arguments.string(0));
                            Text b = Text.of(arguments.string(1));
                            int distance = HammingDistance.distance(a, b, strategy);
                            options.cells().add(a.length());
                            return distance;
                        })
                .kernels(HammingDistance.Strategy.AUTO)
                .description("The number of positions at which `a` and `b` differ. Both must have the same number of "
                        + "characters.")
                .rejects("`a` and `b` of different lengths")
                .example("hamming_distance('karolin', 'kathrin')", "3")
                .function();
    }

    private static BellmanFunction<?> damerauLevenshtein() {
        return new BellmanFunction<>(
                "damerau_levenshtein",
                DAMERAU_LEVENSHTEIN,
                List.of(
                        pair(
                                DAMERAU_LEVENSHTEIN,
                                IntegerType,
                                DamerauLevenshtein::distance,
                                DistanceTextbook::damerauLevenshtein),
                        limitedDistance(
                                DAMERAU_LEVENSHTEIN,
                                DamerauLevenshtein::distance,
                                DistanceTextbook::damerauLevenshtein)),
                "The Damerau-Levenshtein distance: `edit_distance` with the swap of two adjacent characters "
                        + "as one more kind of edit. Swapped characters may be edited again, so `ca` and "
                        + "`abc` are 2 apart. With `max`, -1 if the distance is larger.",
                Optional.empty(),
                new Example("damerau_levenshtein('ca', 'abc')", "2"),
                wholeTables(Set.of(DamerauLevenshtein.Strategy.AUTO, DamerauLevenshtein.Strategy.BIT_PARALLEL)));
    }

    private static BellmanFunction<?> osaDistance() {
        return new BellmanFunction<>(
                "osa_distance",
                OSA_DISTANCE,
                List.of(
                        pair(OSA_DISTANCE, IntegerType, OsaDistance::distance, DistanceTextbook::osaDistance),
                        limitedDistance(OSA_DISTANCE, OsaDistance::distance, DistanceTextbook::osaDistance)),
                "The optimal string alignment distance: `damerau_levenshtein`, but swapped characters are "
                        + "not edited again, so `ca` and `abc` are 3 apart. With `max`, -1 if the distance "
                        + "is larger.",
                Optional.empty(),
                new Example("osa_distance('ca', 'abc')", "3"));
    }

    private static BellmanFunction<?> jaroSimilarity() {
        return new BellmanFunction<>(
                "jaro_similarity",
                JARO_WINKLER,
                List.of(pair(JARO_WINKLER, DoubleType, JaroWinkler::jaro, DistanceTextbook::jaro)),
                "Jaro's similarity, from 0 to 1, with the same values as rapidfuzz: the share of characters that "
                        + "both texts have at places not too far apart, less if they are in another order.",
                Optional.empty(),
                new Example("jaro_similarity('martha', 'marhta')", "0.9444444444444445"));
    }

    private static BellmanFunction<?> jaroWinklerSimilarity() {
        return new BellmanFunction<>(
                "jaro_winkler_similarity",
                JARO_WINKLER,
                List.of(pair(JARO_WINKLER, DoubleType, JaroWinkler::similarity, DistanceTextbook::jaroWinkler)),
                "The Jaro-Winkler similarity, from 0 to 1, with the same values as rapidfuzz. If Jaro's "
                        + "similarity is above 0.7, each character of a common prefix, up to 4 of them, "
                        + "adds a tenth of the distance to 1.",
                Optional.empty(),
                new Example("jaro_winkler_similarity('martha', 'marhta')", "0.9611111111111111"));
    }
}
