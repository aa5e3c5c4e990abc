package dev.bellman.align.subsequence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.align.subsequence.LongestCommonSubsequence.Strategy;
import dev.bellman.entry.BellmanFunction;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LineDiffTest {
    private static final BellmanFunction<?> FUNCTION = SubsequenceFunctions.list().stream()
            .filter(function -> function.name().equals("line_diff"))
            .findFirst()
            .orElseThrow();

    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(FUNCTION, 1976, 400, 60);
    }

    /**
     * Compares the lines of the result, which are marked as in the output of {@code diff} and joined by spaces. In the
     * texts, {@code |} stands for a line feed.
     */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "a|b|c, a|c|d, ' a -b  c +d'",
                "a|b, a|b|, ' a  b'",
                "'', '', ''",
                "'', a, +a",
                "|, '', -",
                "a||b, a|b, ' a -  b'",
                "a|b, c|d, '-a -b +c +d'",
            })
    void examples(String a, String b, String expected) {
        assertThat(diff(a.replace('|', '\n'), b.replace('|', '\n'), Strategy.AUTO))
                .isEqualTo(expected);
    }

    /** A carriage return is part of its line, so a text with different line ends differs in every line. */
    @Test
    void carriageReturns() {
        assertThat(diff("a\r\n", "a\n", Strategy.AUTO)).isEqualTo("-a\r +a");
    }

    /** Both texts can be restored from the result, and the line numbers are consecutive. */
    @ParameterizedTest
    @EnumSource
    void containsBothTexts(Strategy strategy) {
        String a = "the\nquick\n\nbrown\nfox\njumps\n";
        String b = "a\nquick\nfox\n\njumps\nhigh\n";
        Row[] lines = lines(a, b, strategy);
        assertThat(text(lines, "insert", 1)).isEqualTo(a);
        assertThat(text(lines, "delete", 2)).isEqualTo(b);
    }

    /** Compares the numbers of changed lines with those of {@code diff --minimal}. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        assertThat(Golden.allRows("line_diff.gold"))
                .hasSizeGreaterThanOrEqualTo(150)
                .allSatisfy(row -> {
                    Map<Object, Long> kinds = Arrays.stream(lines(
                                    row.get("a").replace('|', '\n'),
                                    row.get("b").replace('|', '\n'),
                                    strategy))
                            .collect(Collectors.groupingBy(line -> line.get(0).toString(), Collectors.counting()));
                    assertThat(kinds.getOrDefault("delete", 0L)).isEqualTo(Long.parseLong(row.get("removed")));
                    assertThat(kinds.getOrDefault("insert", 0L)).isEqualTo(Long.parseLong(row.get("added")));
                });
    }

    private static String text(Row[] lines, String omitted, int place) {
        Row[] of = Arrays.stream(lines)
                .filter(line -> !line.get(0).toString().equals(omitted))
                .toArray(Row[]::new);
        assertThat(Arrays.stream(of).mapToInt(line -> line.getInt(place)))
                .isSorted()
                .startsWith(1)
                .endsWith(of.length);
        return Arrays.stream(of).map(line -> line.get(3) + "\n").collect(Collectors.joining());
    }

    private static String diff(String a, String b, Strategy strategy) {
        return Arrays.stream(lines(a, b, strategy))
                .map(line -> switch (line.get(0).toString()) {
                            case "equal" -> " ";
                            case "delete" -> "-";
                            default -> "+";
                        }
                        + line.get(3))
                .collect(Collectors.joining(" "));
    }

    private static Row[] lines(String a, String b, Strategy strategy) {
        return (Row[]) TextbookAnswers.call(
                FUNCTION,
                Strategies.name(strategy),
                FunctionOptions.DEFAULT,
                UTF8String.fromString(a),
                UTF8String.fromString(b));
    }
}
