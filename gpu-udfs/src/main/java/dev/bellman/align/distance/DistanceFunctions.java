package dev.bellman.align.distance;

import static dev.bellman.align.PairSolvers.LIMITED_PAIR;
import static dev.bellman.align.PairSolvers.PAIR;
import static dev.bellman.align.PairSolvers.limited;
import static dev.bellman.align.PairSolvers.pair;
import static dev.bellman.align.TokenSolvers.TOKENS;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.Text;
import dev.bellman.align.TokenSolvers;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the distance and similarity functions for two strings, token arrays or trees. */
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
            new Problem<>("jaro_winkler_similarity", JaroWinkler.Strategy.class, JaroWinkler.Strategy.SERIAL);

    private static final Problem<WordErrors.Strategy> WORD_ERRORS =
            new Problem<>("word_errors", WordErrors.Strategy.class, WordErrors.Strategy.SERIAL);

    private static final Problem<TreeEditDistance.Strategy> TREE_EDIT_DISTANCE =
            new Problem<>("tree_edit_distance", TreeEditDistance.Strategy.class, TreeEditDistance.Strategy.SERIAL);

    private static final StructType COUNTS = new StructType()
            .add("substitutions", IntegerType, false)
            .add("deletions", IntegerType, false)
            .add("insertions", IntegerType, false)
            .add("hits", IntegerType, false)
            .add("rate", DoubleType, false);

    private static final String LIMIT =
            " If `max` is given, returns -1 for larger distances, and for every distance if `max` is negative.";

    private DistanceFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                editDistance(),
                editCigar(),
                hammingDistance(),
                damerauLevenshtein(),
                osaDistance(),
                jaroWinklerSimilarity(),
                jaroSimilarity(),
                wordErrors(),
                treeEditDistance());
    }

    private static BellmanFunction<?> editDistance() {
        Entry<EditDistance.Strategy> ofStrings = Entry.of("edit_distance", EDIT_DISTANCE)
                .signature(LIMITED_PAIR, IntegerType, limited(EditDistance::distance));
        return TokenSolvers.limited(ofStrings, EditDistance::distance)
                .kernels(EditDistance.Strategy.AUTO, EditDistance.Strategy.R_WAY, EditDistance.Strategy.BIT_PARALLEL)
                .description("Returns the Levenshtein distance: the smallest number of insertions, deletions and "
                        + "substitutions of characters that turn `a` into `b`." + LIMIT + TOKENS)
                .example("edit_distance('kitten', 'sitting')", "3")
                .function();
    }

    private static BellmanFunction<?> editCigar() {
        Entry<EditDistance.Strategy> ofStrings =
                Entry.of("edit_cigar", EDIT_DISTANCE).signature(PAIR, StringType, pair(EditDistance::cigar));
        return TokenSolvers.pair(ofStrings, StringType, EditDistance::cigar)
                .kernels(EditDistance.Strategy.AUTO, EditDistance.Strategy.R_WAY, EditDistance.Strategy.BIT_PARALLEL)
                .description("Returns an alignment with the fewest edits as a CIGAR string: `=` and `X` consume one "
                        + "character of each string, `I` one character of `a`, and `D` one of `b`. Ties are broken "
                        + "while tracing back from the ends of both strings: `=` and `X` are preferred to `I`, and "
                        + "`I` to `D`." + TOKENS)
                .example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D")
                .function();
    }

    private static BellmanFunction<?> hammingDistance() {
        return Entry.of("hamming_distance", HAMMING_DISTANCE)
                .signature(PAIR, IntegerType, (strategy, options, arguments) -> {
                    Text a = Text.of(arguments.string(0));
                    Text b = Text.of(arguments.string(1));
                    int distance = HammingDistance.distance(a, b, strategy);
                    options.cells().add(a.length());
                    return distance;
                })
                .kernels(HammingDistance.Strategy.AUTO)
                .description("Returns the number of positions at which `a` and `b` differ. Both strings must have the "
                        + "same length.")
                .rejects("strings of different lengths")
                .example("hamming_distance('karolin', 'kathrin')", "3")
                .function();
    }

    private static BellmanFunction<?> damerauLevenshtein() {
        return Entry.of("damerau_levenshtein", DAMERAU_LEVENSHTEIN)
                .signature(LIMITED_PAIR, IntegerType, limited(DamerauLevenshtein::distance))
                .kernels(DamerauLevenshtein.Strategy.AUTO)
                .description("Returns the Damerau-Levenshtein distance: like `edit_distance`, but swapping two "
                        + "adjacent characters also counts as one edit. Swapped characters may be edited again, so "
                        + "the distance between `ca` and `abc` is 2." + LIMIT)
                .example("damerau_levenshtein('ca', 'abc')", "2")
                .function();
    }

    private static BellmanFunction<?> osaDistance() {
        Entry<OsaDistance.Strategy> ofStrings = Entry.of("osa_distance", OSA_DISTANCE)
                .signature(LIMITED_PAIR, IntegerType, limited(OsaDistance::distance));
        return TokenSolvers.limited(ofStrings, OsaDistance::distance)
                .kernels(OsaDistance.Strategy.AUTO)
                .description("Returns the optimal string alignment distance: like `damerau_levenshtein`, but swapped "
                        + "characters cannot be edited again, so the distance between `ca` and `abc` is 3." + LIMIT
                        + TOKENS)
                .example("osa_distance('ca', 'abc')", "3")
                .function();
    }

    private static BellmanFunction<?> jaroSimilarity() {
        return Entry.of("jaro_similarity", JARO_WINKLER)
                .signature(PAIR, DoubleType, pair(JaroWinkler::jaro))
                .kernels(JaroWinkler.Strategy.AUTO)
                .description("Returns the Jaro similarity, from 0 to 1, as rapidfuzz does. For strings of `n_a` and "
                        + "`n_b` characters with `m` matches, it is `(m / n_a + m / n_b + (m - t) / m) / 3`, or 0 "
                        + "without matches. Each character of `b`, from first to last, matches the first equal "
                        + "character of `a` that has no match yet and is at most `max(n_a, n_b) / 2 - 1` positions "
                        + "away (rounded down, but at least 0). `t` is half the number of `k` for which the `k`-th "
                        + "matched characters of `a` and `b` differ, rounded down. Returns 1 for two empty strings.")
                .example("jaro_similarity('martha', 'marhta')", "0.9444444444444445")
                .function();
    }

    private static BellmanFunction<?> jaroWinklerSimilarity() {
        return Entry.of("jaro_winkler_similarity", JARO_WINKLER)
                .signature(PAIR, DoubleType, pair(JaroWinkler::similarity))
                .kernels(JaroWinkler.Strategy.AUTO)
                .description("Returns the Jaro-Winkler similarity, from 0 to 1, as rapidfuzz does. If the Jaro "
                        + "similarity is above 0.7, each of up to 4 common prefix characters adds a tenth of the "
                        + "difference between the Jaro similarity and 1.")
                .example("jaro_winkler_similarity('martha', 'marhta')", "0.9611111111111111")
                .function();
    }

    private static BellmanFunction<?> wordErrors() {
        return TokenSolvers.pair(
                        Entry.of("word_errors", WORD_ERRORS),
                        COUNTS,
                        (reference, hypothesis, strategy) -> {
                            WordErrors.Counts counts = WordErrors.count(reference, hypothesis, strategy);
                            return RowFactory.create(
                                    counts.substitutions(),
                                    counts.deletions(),
                                    counts.insertions(),
                                    counts.hits(),
                                    counts.rate());
                        },
                        "reference",
                        "hypothesis")
                .kernels(WordErrors.Strategy.AUTO)
                .description("Returns the word errors in `hypothesis`, as jiwer does: the numbers of substitutions, "
                        + "deletions and insertions in a shortest sequence of edits from `reference` to `hypothesis`, "
                        + "the number of equal words (`hits`), and the word error rate. The rate is the number of "
                        + "errors divided by the number of words in `reference`; if `reference` is empty, it is the "
                        + "number of errors. Words may be strings or integers. NULL entries are equal to each other. "
                        + "To split a text into words, use `regexp_extract_all(text, '\\\\S+', 0)`, which, unlike "
                        + "`split`, returns no empty words. "
                        + "Ties: words in the common prefix and suffix are hits. Between the two, ties are broken "
                        + "while tracing back from the end: a deletion is preferred to a substitution, a substitution "
                        + "to an insertion, and an insertion to a hit.")
                .example(
                        "word_errors(split('the cat sat on', ' '), split('a cat sat on it', ' '))", "{1, 0, 1, 3, 0.5}")
                .function();
    }

    private static Parameter cost(String name) {
        return new Parameter(
                        name, IntegerType, (function, value) -> TreeEditDistance.checkCost(function, (Integer) value))
                .orElse(1);
    }

    private static BellmanFunction<?> treeEditDistance() {
        return Entry.of("tree_edit_distance", TREE_EDIT_DISTANCE)
                .signature(
                        List.of(
                                new Parameter("a", StringType),
                                new Parameter("b", StringType),
                                cost("insert"),
                                cost("delete"),
                                cost("rename"),
                                Parameter.setting(
                                                "format",
                                                StringType,
                                                (function, value) ->
                                                        TreeEditDistance.isJson(function, value.toString()))
                                        .orElse(UTF8String.fromString(TreeEditDistance.BRACKETS))
                                        .constantOrColumnOnGpu()),
                        LongType,
                        TreeEditDistance::solve)
                .kernels(TreeEditDistance.Strategy.AUTO)
                .description("Returns the edit distance between two ordered labeled trees, as apted does: the minimum "
                        + "total cost of deleting, inserting and renaming nodes to turn `a` into `b`. The children of "
                        + "a deleted node become children of its parent. `insert`, `delete` and `rename` are the costs "
                        + "for one node. Trees are in bracket notation: a node is an opening bracket, a label, the "
                        + "node's children and a closing bracket, as in `{root{child}{child}}`. In a label, "
                        + "escape brackets and backslashes with a backslash. Whitespace after a child is ignored. If "
                        + "`format` is `json` instead of `brackets`, trees are JSON values. An object is a node with a "
                        + "child for each member, in the order in which the members are written. A member is a node "
                        + "whose label is its name and whose only child is its value. An array is a node with a child "
                        + "for each element. Strings, numbers, `true`, `false` and `null` are leaves. All objects have "
                        + "the same label, and all arrays have the same label. Nodes of different kinds never have the "
                        + "same label: the string `\"1\"` differs from the number `1`, and the member name `\"b\"` "
                        + "differs from the string `\"b\"`. Escapes in strings and names are decoded, but numbers are "
                        + "equal only if they are written in the same way. Most pairs of trees with 1,000 nodes take "
                        + "less than a second, but deep trees that branch on alternating sides take about a minute.")
                .rejects("a string that is not one tree in bracket notation or, if `format` is `json`, one JSON value; "
                        + "a negative cost; an unknown `format`")
                .example("tree_edit_distance('{a{b}{c}}', '{a{b{d}}}')", "2")
                .function();
    }
}
