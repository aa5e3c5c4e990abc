package dev.bellman.align.search;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.PairSolvers;
import dev.bellman.align.Text;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.align.search.EditSearch.Strategy;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** Searches of a pattern in a text. */
public final class SearchFunctions {
    private static final Problem<Strategy> EDIT_SEARCH =
            new Problem<>("edit_distance_infix", Strategy.class, Strategy.SERIAL);

    private static final Parameter PATTERN = new Parameter("pattern", StringType);
    private static final Parameter TEXT = new Parameter("text", StringType);

    private static final StructType PART = new StructType()
            .add("distance", IntegerType, false)
            .add("begin", IntegerType, false)
            .add("end", IntegerType, false);

    private static final String LIMIT = " If `max` is given, returns -1 for larger distances.";
    private static final String FROM_0 = ", counted from 0, the end exclusive, like edlib's first location. ";

    private SearchFunctions() {}

    @FunctionalInterface
    private interface Distance extends Serializable {
        int of(Text pattern, Text text, Strategy strategy);
    }

    @FunctionalInterface
    private interface Search extends Serializable {
        Part of(Text pattern, Text text, Strategy strategy);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(
                distance("edit_distance_infix", EditSearch::infixDistance)
                        .description("Returns the smallest edit distance between `pattern` and any part of `text`, "
                                + "edlib's mode HW." + LIMIT)
                        .example("edit_distance_infix('surgery', 'the suregry was short')", "2")
                        .function(),
                position("edit_distance_infix_position", EditSearch::infix)
                        .description("Returns the part of `text` with the smallest edit distance to `pattern`: the "
                                + "distance, and where the part begins and ends" + FROM_0
                                + "Ties: the part that ends first; of these, the longest.")
                        .example("edit_distance_infix_position('surgery', 'the suregry was short')", "{2, 4, 11}")
                        .function(),
                distance("edit_distance_prefix", EditSearch::prefixDistance)
                        .description("Returns the smallest edit distance between `pattern` and any prefix of `text`, "
                                + "edlib's mode SHW." + LIMIT)
                        .example("edit_distance_prefix('surgery', 'suregry was short')", "2")
                        .function(),
                position("edit_distance_prefix_position", EditSearch::prefix)
                        .description("Returns the prefix of `text` with the smallest edit distance to `pattern`: the "
                                + "distance, and where the prefix begins, always at 0, and ends" + FROM_0
                                + "Ties: the shortest prefix.")
                        .example("edit_distance_prefix_position('surgery', 'suregry was short')", "{2, 0, 7}")
                        .function());
    }

    private static Entry<Strategy> distance(String name, Distance distance) {
        return Entry.of(name, EDIT_SEARCH)
                .signature(
                        List.of(PATTERN, TEXT, PairSolvers.MAX),
                        IntegerType,
                        PairSolvers.limited((pattern, text, max, strategy) -> {
                            int found = distance.of(pattern, text, strategy);
                            return found <= max ? found : -1;
                        }))
                .kernels(Strategy.AUTO);
    }

    private static Entry<Strategy> position(String name, Search search) {
        return Entry.of(name, EDIT_SEARCH)
                .signature(List.of(PATTERN, TEXT), PART, PairSolvers.pair((pattern, text, strategy) -> {
                    Part part = search.of(pattern, text, strategy);
                    return RowFactory.create(part.distance(), part.begin(), part.end());
                }))
                .kernels(Strategy.AUTO);
    }
}
