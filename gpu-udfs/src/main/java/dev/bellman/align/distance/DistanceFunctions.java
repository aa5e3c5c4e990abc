package dev.bellman.align.distance;

import static dev.bellman.align.PairSignatures.limitedDistance;
import static dev.bellman.align.PairSignatures.pair;
import static dev.bellman.align.PairSignatures.wholeTables;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;

/** The distances of pairs. */
public final class DistanceFunctions {
    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class, EditDistance.Strategy.SERIAL);

    private DistanceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "edit_distance",
                        EDIT_DISTANCE,
                        List.of(
                                pair(IntegerType, EditDistanceUdf::new, DistanceTextbook::editDistance),
                                limitedDistance(EditDistanceUdf::new, DistanceTextbook::editDistance)),
                        "The Levenshtein distance: the fewest insertions, deletions and substitutions of characters that turn `a` into "
                                + "`b`. With `max`, -1 if the distance is larger.",
                        Optional.empty(),
                        new Example("edit_distance('kitten', 'sitting')", "3")),
                new BellmanFunction<>(
                        "edit_cigar",
                        EDIT_DISTANCE,
                        List.of(pair(
                                StringType,
                                EditCigarUdf::new,
                                (a, b) -> UTF8String.fromString(DistanceTextbook.cigar(a, b)))),
                        "An alignment with the fewest edits, as a CIGAR: `=` and `X` consume a character of both, `I` of `a`, "
                                + "`D` of `b`.",
                        Optional.empty(),
                        new Example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D"),
                        wholeTables(Set.of(EditDistance.Strategy.AUTO, EditDistance.Strategy.BIT_PARALLEL))));
    }
}
