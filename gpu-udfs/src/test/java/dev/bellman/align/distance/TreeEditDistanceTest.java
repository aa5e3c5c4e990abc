package dev.bellman.align.distance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TreeEditDistanceTest {
    private static final int INSTANCES = 600;
    private static final int LARGE = 14;

    private static final BellmanFunction<?> FUNCTION = DistanceFunctions.list().stream()
            .filter(each -> each.name().equals("tree_edit_distance"))
            .findFirst()
            .orElseThrow();

    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(FUNCTION, 1989, INSTANCES, LARGE);
    }

    /** Compares distances with apted's, both for edits that cost 1 and for other costs. */
    @ParameterizedTest
    @EnumSource
    void golden(TreeEditDistance.Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("tree_edit_distance.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(100);
        for (Map<String, String> row : rows) {
            assertThat(distance(strategy, row.get("a"), row.get("b"), 1, 1, 1))
                    .as(row.toString())
                    .isEqualTo(Long.parseLong(row.get("distance")));
            assertThat(distance(strategy, row.get("a"), row.get("b"), 2, 3, 4))
                    .as(row.toString())
                    .isEqualTo(Long.parseLong(row.get("distance_2_3_4")));
        }
    }

    /**
     * Compares a chain, in which each node has at most one child, with a comb, whose mirror image takes far less work.
     */
    @ParameterizedTest
    @EnumSource
    void largeTrees(TreeEditDistance.Strategy strategy) {
        int depth = 300;
        String chain = "{a".repeat(depth) + "}".repeat(depth);
        String comb = "{a{b}".repeat(depth) + "}".repeat(depth);
        assertThat(distance(strategy, chain, comb, 1, 1, 1)).isEqualTo(depth);
        assertThat(distance(strategy, comb, chain, Integer.MAX_VALUE, Integer.MAX_VALUE, 1))
                .isEqualTo((long) depth * Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "'', no tree at byte 1",
        "'{a', the end of the string instead of a closing bracket at byte 3",
        "'{a\\', the end of the string after a backslash at byte 4",
        "'{a}{b}', a second tree at byte 4",
        "'{a}}', a closing bracket without an opening bracket at byte 4",
        "'{a{b}c}', a character outside a label at byte 6",
        "'x{a}', a character outside a label at byte 1"
    })
    void invalid(String tree, String found) {
        assertThatThrownBy(() -> distance(TreeEditDistance.Strategy.AUTO, "{a}", tree, 1, 1, 1))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("`b`: found " + found);
    }

    /** Compares distances between JSON values with apted's distances between the same trees in brackets. */
    @ParameterizedTest
    @EnumSource
    void goldenJson(TreeEditDistance.Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("tree_edit_distance_json.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(150);
        for (Map<String, String> row : rows) {
            assertThat(distance(strategy, row.get("a"), row.get("b"), 1, 1, 1, "json"))
                    .as(row.toString())
                    .isEqualTo(Long.parseLong(row.get("distance")));
            assertThat(distance(strategy, row.get("a"), row.get("b"), 2, 3, 4, "json"))
                    .as(row.toString())
                    .isEqualTo(Long.parseLong(row.get("distance_2_3_4")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1]               | [\"1\"]                | 1",
                "[null]            | [\"null\"]             | 1",
                "[1]               | [1.0]                  | 1",
                "[{}]              | [[]]                   | 1",
                "[\"b\"]           | {\"b\": 0}             | 3",
                "{\"a\\u0062\": 1} | {\"ab\": 1}            | 0",
                "[\"\\u0062\"]      | [\"b\"]                | 0"
            })
    void labelsOfJson(String a, String b, long expected) {
        for (TreeEditDistance.Strategy strategy : TreeEditDistance.Strategy.values()) {
            assertThat(distance(strategy, a, b, 1, 1, 1, "json")).isEqualTo(expected);
        }
    }

    /** Tests deeply nested values, and bytes that are not UTF-8. */
    @Test
    void unusualJson() {
        int depth = 300;
        String arrays = "[".repeat(depth) + "]".repeat(depth);
        String objects = "{\"\":".repeat(depth) + "{}" + "}".repeat(depth);
        assertThat(distance(TreeEditDistance.Strategy.AUTO, arrays, objects, 1, 1, 1, "json"))
                .isEqualTo(2 * depth + 1);
        UTF8String one = UTF8String.fromBytes(new byte[] {'"', (byte) 0xff, '"'});
        UTF8String other = UTF8String.fromBytes(new byte[] {'"', (byte) 0xfe, '"'});
        assertThat(distance(TreeEditDistance.Strategy.AUTO, one, one, 1, 1, 1, "json"))
                .isZero();
        assertThat(distance(TreeEditDistance.Strategy.AUTO, one, other, 1, 1, 1, "json"))
                .isOne();
        UTF8String more = UTF8String.fromBytes(new byte[] {'1', (byte) 0xff, '2'});
        assertThatThrownBy(() -> distance(TreeEditDistance.Strategy.AUTO, more, more, 1, 1, 1, "json"))
                .hasMessageContaining("`a`: found a second value at byte 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "|the end of the string at byte 1",
                "[1, 2|the end of the string at byte 6",
                "[1] 2|a second value at byte 5",
                "[1,]|an unexpected character at byte 4",
                "{\"a\" 1}|an unexpected character at byte 6",
                "{a: 1}|an unexpected character at byte 2",
                "[01]|an unexpected character at byte 2",
                "[1.]|an unexpected character at byte 2",
                "[1}|an unexpected character at byte 3",
                "\"\\x\"|an unexpected character at byte 3",
                "\"\\u12g4\"|an unexpected character at byte 6",
                "\"abc|the end of the string at byte 5",
                "NaN|an unexpected character at byte 1"
            })
    void invalidJson(String json, String found) {
        String text = json == null ? "" : json;
        assertThatThrownBy(() -> distance(TreeEditDistance.Strategy.AUTO, "{}", text, 1, 1, 1, "json"))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("`b`: found " + found + "; expected one JSON value");
    }

    @Test
    void unknownFormat() {
        assertThatThrownBy(() -> distance(TreeEditDistance.Strategy.AUTO, "{a}", "{a}", 1, 1, 1, "xml"))
                .hasMessageContaining("tree_edit_distance: format is 'xml'; it must be brackets or json");
    }

    private static long distance(
            TreeEditDistance.Strategy strategy, String a, String b, int insert, int delete, int rename) {
        return distance(strategy, a, b, insert, delete, rename, "brackets");
    }

    private static long distance(
            TreeEditDistance.Strategy strategy, String a, String b, int insert, int delete, int rename, String format) {
        return distance(strategy, UTF8String.fromString(a), UTF8String.fromString(b), insert, delete, rename, format);
    }

    private static long distance(
            TreeEditDistance.Strategy strategy,
            UTF8String a,
            UTF8String b,
            int insert,
            int delete,
            int rename,
            String format) {
        return (Long) TextbookAnswers.call(
                FUNCTION,
                Strategies.name(strategy),
                FunctionOptions.DEFAULT,
                a,
                b,
                insert,
                delete,
                rename,
                UTF8String.fromString(format));
    }
}
