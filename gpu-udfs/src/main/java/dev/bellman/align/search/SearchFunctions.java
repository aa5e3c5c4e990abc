package dev.bellman.align.search;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Characters;
import dev.bellman.align.PairFunction;
import dev.bellman.align.PairInstances;
import dev.bellman.align.Text;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.align.search.EditSearch.Strategy;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.entry.Values;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Searches of a pattern in a text. */
public final class SearchFunctions {
    private static final Problem<Strategy> EDIT_SEARCH = new Problem<>("edit_search", Strategy.class, Strategy.SERIAL);

    private static final Parameter PATTERN = new Parameter("pattern", StringType);
    private static final Parameter TEXT = new Parameter("text", StringType);
    private static final Parameter MAX = new Parameter("max", IntegerType);

    private static final StructType PART = new StructType()
            .add("distance", IntegerType, false)
            .add("begin", IntegerType, false)
            .add("end", IntegerType, false);

    private static final String WITH_MAX = " With `max`, -1 if the distance is larger.";
    private static final String FROM_0 = ", counted from 0, the end exclusive; the same as edlib's first location";

    private SearchFunctions() {}

    @FunctionalInterface
    private interface Distance extends Serializable {
        int of(Text pattern, Text text, Strategy strategy);
    }

    @FunctionalInterface
    private interface Search extends Serializable {
        Part of(Text pattern, Text text, Strategy strategy);
    }

    @FunctionalInterface
    private interface Definition extends Serializable {
        Part of(int[] pattern, int[] text);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(
                distance(
                        "edit_distance_infix",
                        EditSearch::infixDistance,
                        SearchTextbook::infix,
                        "The least edit distance of `pattern` to a part of `text`: edlib's mode HW." + WITH_MAX,
                        new Example("edit_distance_infix('surgery', 'the suregry was short')", "2")),
                position(
                        "edit_distance_infix_position",
                        EditSearch::infix,
                        SearchTextbook::infix,
                        "The part of `text` with the least edit distance to `pattern`: the distance, and where the "
                                + "part begins and ends" + FROM_0 + ". Of several, the one that ends first, and of "
                                + "these the longest.",
                        new Example("edit_distance_infix_position('surgery', 'the suregry was short')", "{2, 4, 11}")),
                distance(
                        "edit_distance_prefix",
                        EditSearch::prefixDistance,
                        SearchTextbook::prefix,
                        "The least edit distance of `pattern` to a part at the beginning of `text`: edlib's mode SHW."
                                + WITH_MAX,
                        new Example("edit_distance_prefix('surgery', 'suregry was short')", "2")),
                position(
                        "edit_distance_prefix_position",
                        EditSearch::prefix,
                        SearchTextbook::prefix,
                        "The part at the beginning of `text` with the least edit distance to `pattern`: the distance, "
                                + "and where the part begins, always at 0, and ends" + FROM_0 + ". Of several, the "
                                + "shortest.",
                        new Example("edit_distance_prefix_position('surgery', 'suregry was short')", "{2, 0, 7}")));
    }

    private static BellmanFunction<?> distance(
            String name, Distance distance, Definition definition, String description, Example example) {
        return new BellmanFunction<>(
                name,
                EDIT_SEARCH,
                List.of(
                        new Signature<>(
                                List.of(PATTERN, TEXT),
                                IntegerType,
                                (strategy, options) -> PairFunction.of(
                                        EDIT_SEARCH, distance::of, PairFunction.Cells.TABLE, strategy, options),
                                generator(SearchFunctions::instance),
                                row -> solve(definition, row).distance()),
                        new Signature<>(
                                List.of(PATTERN, TEXT, MAX),
                                IntegerType,
                                (strategy, options) -> PairFunction.limited(
                                        EDIT_SEARCH,
                                        (pattern, text, max, chosen) -> atMost(max, distance.of(pattern, text, chosen)),
                                        strategy,
                                        options),
                                generator(SearchFunctions::limitedInstance),
                                row -> atMost(
                                        row.getInt(2), solve(definition, row).distance()))),
                description,
                Optional.empty(),
                example);
    }

    private static BellmanFunction<?> position(
            String name, Search search, Definition definition, String description, Example example) {
        return new BellmanFunction<>(
                name,
                EDIT_SEARCH,
                List.of(new Signature<>(
                        List.of(PATTERN, TEXT),
                        PART,
                        (strategy, options) -> PairFunction.of(
                                EDIT_SEARCH,
                                (pattern, text, chosen) -> {
                                    Part part = search.of(pattern, text, chosen);
                                    return RowFactory.create(part.distance(), part.begin(), part.end());
                                },
                                PairFunction.Cells.TABLE,
                                strategy,
                                options),
                        generator(SearchFunctions::instance),
                        row -> {
                            Part part = solve(definition, row);
                            return Values.row(part.distance(), part.begin(), part.end());
                        })),
                description,
                Optional.empty(),
                example);
    }

    private static int atMost(int max, int distance) {
        return distance <= max ? distance : -1;
    }

    private static Part solve(Definition definition, InternalRow row) {
        return definition.of(Characters.of(row.getUTF8String(0)), Characters.of(row.getUTF8String(1)));
    }

    private static InstanceGenerator generator(InstanceGenerator.Draw draw) {
        return new InstanceGenerator(draw, 12, 4_000, 2);
    }

    /** A pair of texts, the second of which may be within another one. */
    private static InternalRow instance(SplittableRandom random, int size) {
        InternalRow pair = PairInstances.pair(random, size);
        if (pair.anyNull() || random.nextInt(3) == 0) {
            return pair;
        }
        InternalRow around = PairInstances.pair(random, size);
        UTF8String[] parts = {
            around.isNullAt(0) ? UTF8String.EMPTY_UTF8 : around.getUTF8String(0),
            pair.getUTF8String(1),
            around.isNullAt(1) ? UTF8String.EMPTY_UTF8 : around.getUTF8String(1)
        };
        return Values.row(pair.getUTF8String(0), UTF8String.concat(parts));
    }

    private static InternalRow limitedInstance(SplittableRandom random, int size) {
        InternalRow pair = instance(random, size);
        return Values.row(
                pair.get(0, DataTypes.StringType),
                pair.get(1, DataTypes.StringType),
                Values.sometimesNull(random, random.nextInt(8) == 0 ? -1 : random.nextInt(size + 1)));
    }
}
