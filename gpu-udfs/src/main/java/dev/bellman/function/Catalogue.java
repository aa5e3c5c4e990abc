package dev.bellman.function;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.EditCigarUdf;
import dev.bellman.align.EditDistance;
import dev.bellman.align.EditDistanceUdf;
import dev.bellman.align.LcsLengthUdf;
import dev.bellman.align.LcsUdf;
import dev.bellman.align.LongestCommonSubsequence;
import dev.bellman.align.ScsLengthUdf;
import dev.bellman.align.ScsUdf;
import dev.bellman.function.BellmanFunction.Example;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every function, once: registration, {@code bellman functions} and the table in the README are made from this list. */
public final class Catalogue {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class);
    private static final Problem<LongestCommonSubsequence.Strategy> LCS =
            new Problem<>("lcs", LongestCommonSubsequence.Strategy.class);
    private static final Problem<LongestCommonSubsequence.Strategy> SCS =
            new Problem<>("scs", LongestCommonSubsequence.Strategy.class);

    private static final List<BellmanFunction<?>> PAIRS = List.of(
            new BellmanFunction<>(
                    "edit_distance",
                    EDIT_DISTANCE,
                    List.of(
                            new Signature<>(List.of(A, B), IntegerType, EditDistanceUdf::new),
                            new Signature<>(
                                    List.of(A, B, new Parameter("max", IntegerType)),
                                    IntegerType,
                                    EditDistanceUdf::new)),
                    "Levenshtein distance: the fewest insertions, deletions and substitutions of characters that turn `a` into "
                            + "`b`. With `max`, -1 where the distance is larger.",
                    Optional.empty(),
                    new Example("edit_distance('kitten', 'sitting')", "3")),
            new BellmanFunction<>(
                    "edit_cigar",
                    EDIT_DISTANCE,
                    List.of(new Signature<>(List.of(A, B), StringType, EditCigarUdf::new)),
                    "The alignment with the fewest edits as a CIGAR: `=` and `X` consume a character of both, `I` of `a`, "
                            + "`D` of `b`.",
                    Optional.empty(),
                    new Example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D")),
            new BellmanFunction<>(
                    "lcs_length",
                    LCS,
                    List.of(new Signature<>(List.of(A, B), IntegerType, LcsLengthUdf::new)),
                    "The length of the longest common subsequence.",
                    Optional.empty(),
                    new Example("lcs_length('kitten', 'sitting')", "4")),
            new BellmanFunction<>(
                    "lcs",
                    LCS,
                    List.of(new Signature<>(List.of(A, B), StringType, LcsUdf::new)),
                    "A longest common subsequence: the most characters that `a` and `b` have in the same order.",
                    Optional.empty(),
                    new Example("lcs('kitten', 'sitting')", "ittn")),
            new BellmanFunction<>(
                    "scs_length",
                    SCS,
                    List.of(new Signature<>(List.of(A, B), IntegerType, ScsLengthUdf::new)),
                    "The length of the shortest common supersequence.",
                    Optional.empty(),
                    new Example("scs_length('kitten', 'sitting')", "9")),
            new BellmanFunction<>(
                    "scs",
                    SCS,
                    List.of(new Signature<>(List.of(A, B), StringType, ScsUdf::new)),
                    "A shortest common supersequence: the shortest text that has `a` and `b` as subsequences.",
                    Optional.empty(),
                    new Example("scs('kitten', 'sitting')", "skittieng")));

    private static final List<BellmanFunction<?>> FUNCTIONS =
            Stream.of(PAIRS).flatMap(List::stream).toList();

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
