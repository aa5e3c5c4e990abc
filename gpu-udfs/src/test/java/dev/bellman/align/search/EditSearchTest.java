package dev.bellman.align.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Golden;
import dev.bellman.align.Text;
import dev.bellman.align.search.EditSearch.Part;
import dev.bellman.align.search.EditSearch.Strategy;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EditSearchTest {
    private static Text text(InternalRow row, int place) {
        return Text.of(row.getUTF8String(place).getBytes());
    }

    /** Compares distances and positions with the textbook, except for the functions that return all positions. */
    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        for (BellmanFunction<?> function : SearchFunctions.list()) {
            if (function.name().endsWith("_all")) {
                continue;
            }
            Signature<?> signature = function.signatures().get(0);
            boolean infix = function.name().contains("infix");
            SplittableRandom random = new SplittableRandom(1980);
            for (int round = 0; round < 1_500; round++) {
                InternalRow row = Proofs.of(signature).generator().generate(random, round % 100 == 0 ? 40 : 10);
                if (row.anyNull()) {
                    continue;
                }
                Text pattern = text(row, 0);
                Text text = text(row, 1);
                Part part =
                        infix ? EditSearch.infix(pattern, text, strategy) : EditSearch.prefix(pattern, text, strategy);
                int distance = infix
                        ? EditSearch.infixDistance(pattern, text, strategy)
                        : EditSearch.prefixDistance(pattern, text, strategy);
                Object expected = Proofs.of(signature).oracle().solve(row);
                assertThat(expected instanceof Integer ? (Integer) expected : ((InternalRow) expected).getInt(0))
                        .as("%s of %s in %s", function.name(), pattern, text)
                        .isEqualTo(distance);
                if (expected instanceof InternalRow fields) {
                    assertThat(part)
                            .as("%s of %s in %s", function.name(), pattern, text)
                            .isEqualTo(new Part(fields.getInt(0), fields.getInt(1), fields.getInt(2)));
                }
            }
        }
    }

    /**
     * Tests patterns whose lengths are around one, two and three words. Some texts contain letters that the pattern
     * lacks.
     */
    @Test
    void strategiesAgreeOnLongPatterns() {
        SplittableRandom random = new SplittableRandom(1999);
        for (int round = 0; round < 300; round++) {
            String letters = random.nextBoolean() ? "ab" : "ACGT";
            String pattern = letters(random, letters, 60 + random.nextInt(10) + (round % 3) * 65);
            String edited = pattern.substring(random.nextInt(9)).replaceAll("aab|ACG", "b");
            String text = letters(random, letters, random.nextInt(150))
                    + edited
                    + letters(random, random.nextInt(4) == 0 ? "xyz" : letters, random.nextInt(150));
            Text a = Text.of(pattern);
            Text b = Text.of(text);

            assertThat(EditSearch.infix(a, b, Strategy.AUTO))
                    .as("%s in %s", a, b)
                    .isEqualTo(EditSearch.infix(a, b, Strategy.SERIAL));
            assertThat(EditSearch.prefix(a, b, Strategy.AUTO))
                    .as("%s in %s", a, b)
                    .isEqualTo(EditSearch.prefix(a, b, Strategy.SERIAL));
        }
    }

    private static String letters(SplittableRandom random, String letters, int length) {
        return random.ints(length, 0, letters.length())
                .mapToObj(i -> letters.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    /**
     * Compares with edlib 1.3.9: the distance and the first location in modes HW and SHW, where the end is inclusive.
     */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("search.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(300);
        for (Map<String, String> row : rows) {
            Text pattern = Text.of(row.get("pattern"));
            Text text = Text.of(row.get("text"));
            assertThat(EditSearch.infix(pattern, text, strategy)).as("%s", row).isEqualTo(part(row.get("infix")));
            assertThat(EditSearch.prefix(pattern, text, strategy)).as("%s", row).isEqualTo(part(row.get("prefix")));
        }
    }

    private static Part part(String fields) {
        int[] numbers =
                Arrays.stream(fields.split(",")).mapToInt(Integer::parseInt).toArray();
        return new Part(numbers[0], numbers[1], numbers[2] + 1);
    }

    @ParameterizedTest
    @EnumSource
    void ties(Strategy strategy) {
        // b, xb and, later, yb are one edit from ab; the first end is chosen, and then the longest part with this end
        assertThat(EditSearch.infix(Text.of("ab"), Text.of("xbyb"), strategy)).isEqualTo(new Part(1, 0, 2));
        assertThat(EditSearch.infix(Text.of(""), Text.of("xy"), strategy)).isEqualTo(new Part(0, 0, 0));
        assertThat(EditSearch.infix(Text.of("xy"), Text.of(""), strategy)).isEqualTo(new Part(2, 0, 0));
        assertThat(EditSearch.infix(Text.of("abc"), Text.of("xyz"), strategy)).isEqualTo(new Part(3, 0, 0));
        assertThat(EditSearch.prefix(Text.of("abc"), Text.of("abcabc"), strategy))
                .isEqualTo(new Part(0, 0, 3));
    }
}
