package dev.bellman.align.search;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.align.PairSolvers;
import dev.bellman.align.Text;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.align.search.EditSearch.Strategy;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the functions that search for a pattern in a text. */
public final class SearchFunctions {
    private static final Problem<Strategy> EDIT_SEARCH =
            new Problem<>("edit_distance_infix", Strategy.class, Strategy.SERIAL);

    private static final Parameter PATTERN = new Parameter("pattern", StringType);
    private static final Parameter TEXT = new Parameter("text", StringType);

    private static final StructType PART = new StructType()
            .add("distance", IntegerType, false)
            .add("begin", IntegerType, false)
            .add("end", IntegerType, false);

    private static final Problem<Occurrences.Strategy> OCCURRENCES =
            new Problem<>("edit_distance_infix_all", Occurrences.Strategy.class, Occurrences.Strategy.SERIAL);

    private static final Parameter PATTERNS = new Parameter("patterns", DataTypes.createArrayType(StringType));
    private static final Parameter MAX =
            Parameter.setting("max", IntegerType, (function, max) -> checkMax(function, (Integer) max));
    private static final Parameter IUPAC =
            Parameter.setting("iupac", BooleanType, (function, value) -> {}).orElse(false);

    private static final StructType PART_OF_PATTERN = new StructType()
            .add("pattern", IntegerType, false)
            .add("distance", IntegerType, false)
            .add("begin", IntegerType, false)
            .add("end", IntegerType, false);

    private static final String LIMIT =
            " If `max` is given, returns -1 for larger distances, and for every distance if `max` is negative.";
    private static final String FROM_0 =
            "(0-based, end exclusive). The result corresponds to edlib's first location, except that edlib's end "
                    + "positions are inclusive. ";

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
                        .description("Returns the smallest edit distance between `pattern` and any substring of "
                                + "`text` (edlib's HW mode)." + LIMIT)
                        .example("edit_distance_infix('surgery', 'the suregry was short')", "2")
                        .function(),
                position("edit_distance_infix_position", EditSearch::infix)
                        .description("Returns the substring of `text` with the smallest edit distance to `pattern`: "
                                + "the distance, and the substring's start and end positions " + FROM_0
                                + "Ties: the substring that ends first, then the longest one.")
                        .example("edit_distance_infix_position('surgery', 'the suregry was short')", "{2, 4, 11}")
                        .function(),
                distance("edit_distance_prefix", EditSearch::prefixDistance)
                        .description("Returns the smallest edit distance between `pattern` and any prefix of `text` "
                                + "(edlib's SHW mode)." + LIMIT)
                        .example("edit_distance_prefix('surgery', 'suregry was short')", "2")
                        .function(),
                position("edit_distance_prefix_position", EditSearch::prefix)
                        .description("Returns the prefix of `text` with the smallest edit distance to `pattern`: the "
                                + "distance, the start position (always 0), and the end position " + FROM_0
                                + "Ties: the shortest prefix.")
                        .example("edit_distance_prefix_position('surgery', 'suregry was short')", "{2, 0, 7}")
                        .function(),
                infixAll());
    }

    private static BellmanFunction<?> infixAll() {
        return Entry.of("edit_distance_infix_all", OCCURRENCES)
                .signature(
                        List.of(PATTERN, TEXT, MAX, IUPAC),
                        DataTypes.createArrayType(PART, false),
                        (strategy, options, arguments) -> occurrences(
                                strategy,
                                options,
                                arguments,
                                List.of(arguments.string(0)),
                                (i, part) -> RowFactory.create(part.distance(), part.begin(), part.end())))
                .signature(
                        List.of(PATTERNS, TEXT, MAX, IUPAC),
                        DataTypes.createArrayType(PART_OF_PATTERN, false),
                        (strategy, options, arguments) -> occurrences(
                                strategy,
                                options,
                                arguments,
                                patterns(arguments),
                                (i, part) -> RowFactory.create(i, part.distance(), part.begin(), part.end())))
                .description("Returns the end positions, in ascending order, of all substrings of `text` whose edit "
                        + "distance to `pattern` is at most `max`. For each end position, returns the smallest "
                        + "distance, and the start and end of the longest substring with this distance (0-based, end "
                        + "exclusive). For an array of patterns, returns the matches of each pattern in turn, with the "
                        + "0-based index of the pattern as `pattern`. If `iupac` is true, patterns and text are "
                        + "nucleotides in IUPAC codes, in uppercase or lowercase. A letter of the pattern matches a "
                        + "letter of the text if the pattern's letter stands for all bases that the text's letter "
                        + "stands for. So `N` in the pattern matches any code, but `N` in the text matches only `N`. "
                        + "A character of the text that is not a code matches nothing. If a repetitive pattern of "
                        + "thousands of characters has many matches, the time grows with the product of the two "
                        + "lengths.")
                .rejects("a negative `max`; an array of patterns with a NULL entry; if `iupac` is true, a pattern with "
                        + "a character that is not an IUPAC code")
                .example(
                        "edit_distance_infix_all('ACGT', 'TTACGTTTAGGTAA', 1)",
                        "[{1, 2, 5}, {0, 2, 6}, {1, 2, 7}, {1, 8, 12}]")
                .kernels(Occurrences.Strategy.AUTO)
                .function();
    }

    @FunctionalInterface
    private interface RowOfPart {
        Row of(int pattern, Part part);
    }

    private static Object occurrences(
            Occurrences.Strategy strategy,
            FunctionOptions options,
            Arguments arguments,
            List<UTF8String> strings,
            RowOfPart row) {
        String function = arguments.function();
        int max = arguments.integer(2);
        boolean iupac = arguments.flag(3);
        checkMax(function, max);
        List<int[]> patterns = new ArrayList<>();
        for (UTF8String string : strings) {
            int[] pattern = Text.of(string).characters();
            if (iupac) {
                checkNucleotides(function, pattern);
            }
            patterns.add(pattern);
        }
        int[] text = Text.of(arguments.string(1)).characters();
        Occurrences occurrences = new Occurrences(text, iupac, patterns, strategy);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            for (Part part : occurrences.of(patterns.get(i), max)) {
                rows.add(row.of(i, part));
            }
            options.cells().add((long) patterns.get(i).length * text.length);
        }
        return rows.toArray();
    }

    private static List<UTF8String> patterns(Arguments arguments) {
        ArrayData array = arguments.array(0);
        TaskMemory.takeArgument(arguments.function(), "patterns", array.numElements());
        List<UTF8String> patterns = new ArrayList<>();
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(arguments.function(), "patterns", i, "NULL", "a string");
            }
            patterns.add(array.getUTF8String(i));
        }
        return patterns;
    }

    private static void checkMax(String function, int max) {
        if (max < 0) {
            throw BellmanException.inSetting(function, "max is %d; it must be at least 0".formatted(max));
        }
    }

    private static void checkNucleotides(String function, int[] pattern) {
        for (int i = 0; i < pattern.length; i++) {
            if (!Letters.isNucleotide(pattern[i])) {
                throw BellmanException.inRow(
                        function,
                        "character %,d of a pattern (counted from 1) is '%s'; it must be an IUPAC nucleotide code"
                                .formatted(i + 1, Text.of(pattern, i, i + 1)));
            }
        }
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
