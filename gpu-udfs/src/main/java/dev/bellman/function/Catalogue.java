package dev.bellman.function;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.EditDistance;
import dev.bellman.align.EditDistanceUdf;
import dev.bellman.function.BellmanFunction.Example;
import java.util.List;
import java.util.Optional;

/** Every function, once: registration, {@code bellman functions} and the table in the README are made from this list. */
public final class Catalogue {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class);

    private static final List<BellmanFunction<?>> FUNCTIONS = List.of(new BellmanFunction<>(
            "edit_distance",
            EDIT_DISTANCE,
            List.of(
                    new Signature<>(List.of(A, B), IntegerType, EditDistanceUdf::new),
                    new Signature<>(
                            List.of(A, B, new Parameter("max", IntegerType)), IntegerType, EditDistanceUdf::new)),
            "Levenshtein distance: the fewest insertions, deletions and substitutions of characters that turn `a` into `b`. "
                    + "With `max`, -1 where the distance is larger.",
            Optional.empty(),
            new Example("edit_distance('kitten', 'sitting')", "3")));

    private Catalogue() {}

    public static List<BellmanFunction<?>> functions() {
        return FUNCTIONS;
    }

    /** The problems, in the order of their first function. */
    public static List<Problem<?>> problems() {
        return FUNCTIONS.stream()
                .<Problem<?>>map(BellmanFunction::problem)
                .distinct()
                .toList();
    }
}
