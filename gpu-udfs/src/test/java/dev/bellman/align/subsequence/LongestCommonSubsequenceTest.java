package dev.bellman.align.subsequence;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.align.Backtrace;
import dev.bellman.align.BackwardText;
import dev.bellman.align.Move;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import dev.bellman.align.Textbook;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.LcsBits;
import dev.bellman.align.subsequence.LongestCommonSubsequence.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LongestCommonSubsequenceTest {
    private static final List<Known> MANY = known(TestPairs.part(TestPairs.many(11), 3));
    private static final List<Known> LONGER = known(TestPairs.part(TestPairs.longer(12), 2));

    /** A pair, and the textbook's results for it. */
    private record Known(String a, String b, int length, String lcs) {}

    private static List<Known> known(List<Pair> pairs) {
        return pairs.stream()
                .map(pair -> new Known(
                        pair.a(), pair.b(), Textbook.lcsLength(pair.a(), pair.b()), Textbook.lcs(pair.a(), pair.b())))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        MANY.forEach(pair -> check(pair, strategy));
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbookOnLongerPairs(Strategy strategy) {
        LONGER.forEach(pair -> check(pair, strategy));
    }

    private static void check(Known pair, Strategy strategy) {
        String a = pair.a();
        String b = pair.b();
        assertThat(length(a, b, strategy)).as("%s %s", a, b).isEqualTo(pair.length());
        assertThat(subsequence(a, b, strategy)).as("%s %s", a, b).isEqualTo(pair.lcs());
    }

    /** Uses small tiles, so that tracebacks cross several of them, in the whole table and in the narrowest band. */
    @Test
    void backtraceThroughTiles() {
        Random random = new Random(13);
        for (int round = 0; round < Thorough.rounds(150, 600); round++) {
            String alphabet = round % 2 == 0 ? TestPairs.DNA : TestPairs.MIXED;
            String a = TestPairs.random(random, alphabet, 1 + random.nextInt(700));
            String b = round % 3 == 0
                    ? TestPairs.random(random, alphabet, 1 + random.nextInt(700))
                    : TestPairs.mutate(random, alphabet, a, random.nextDouble() * 0.3);
            try (SymbolPair pair = SymbolPair.withoutSuffix(Text.of(a), Text.of(b))) {
                if (pair.aLength() == 0 || pair.bLength() == 0) {
                    continue;
                }
                int cost = pair.aLength() + pair.bLength() - 2 * BitTable.value(LcsBits.INSTANCE, pair, BitTable.WHOLE);
                for (int limit : new int[] {BitTable.WHOLE, cost}) {
                    BackwardText text = new BackwardText("scs", Text.of(a), pair.suffix());
                    Backtrace.walk(
                            pair,
                            BitTable.forBacktrace(LcsBits.INSTANCE, pair, limit, 128 << round % 3)::move,
                            (move, equal, i, j) ->
                                    text.prepend(move == Move.B ? pair.characterOfB(j) : pair.characterOfA(i)));
                    assertThat(text.text()).hasToString(Textbook.scs(a, b));
                }
            }
        }
    }

    @Test
    void serialNamesItsLimit() {
        String a = "a".repeat(9_000);
        String b = "b".repeat(9_000);
        assertFails(ErrorCode.BELLMAN_LIMIT, () -> subsequence(a, b, Strategy.SERIAL))
                .hasMessageContaining("lcs:")
                .hasMessageContaining("bit-parallel");
        assertThat(length(a, b, Strategy.SERIAL)).isZero();
        assertThat(subsequence(a, b, Strategy.AUTO)).isEmpty();
    }

    @Test
    void fromManyThreads() {
        List<Pair> pairs = TestPairs.part(TestPairs.many(14), 3);
        List<String> expected = pairs.stream()
                .map(pair -> subsequence(pair.a(), pair.b(), Strategy.SERIAL))
                .toList();
        assertThat(pairs.parallelStream()
                        .map(pair -> subsequence(pair.a(), pair.b(), Strategy.AUTO))
                        .toList())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void goldenText(Strategy strategy) {
        Map<String, Map<String, String>> data = Golden.rows("text_i18n.data");
        Golden.rows("text_i18n.edit.gold").forEach((id, gold) -> {
            String a = data.get(id).get("a");
            String b = data.get(id).get("b");
            golden(id, a, b, gold.get("lcs_codepoints"), strategy);
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SERIAL", "R_WAY"})
    void goldenDna(Strategy strategy) {
        for (String name : Golden.sets("dna_illumina_vs_ref", "dna_long")) {
            Map<String, Map<String, String>> data = Golden.rows(name + ".data");
            Golden.rows(name + ".edit.gold")
                    .forEach((id, gold) ->
                            golden(id, data.get(id).get("a"), data.get(id).get("b"), gold.get("lcs"), strategy));
        }
    }

    private static void golden(String id, String a, String b, String lcs, Strategy strategy) {
        assertThat(length(a, b, strategy)).as(id).isEqualTo(Integer.parseInt(lcs));
        String sub = subsequence(a, b, strategy);
        assertThat(sub.codePointCount(0, sub.length())).as(id).isEqualTo(Integer.parseInt(lcs));
        assertThat(Textbook.isSubsequence(sub, a) && Textbook.isSubsequence(sub, b))
                .as(id)
                .isTrue();
    }

    private static int length(String a, String b, Strategy strategy) {
        return LongestCommonSubsequence.length(Text.of(a), Text.of(b), strategy);
    }

    private static String subsequence(String a, String b, Strategy strategy) {
        return LongestCommonSubsequence.subsequence(Text.of(a), Text.of(b), strategy)
                .toString();
    }
}
