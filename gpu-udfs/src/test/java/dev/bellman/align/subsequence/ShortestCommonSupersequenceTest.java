package dev.bellman.align.subsequence;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.Thorough;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import dev.bellman.align.Textbook;
import dev.bellman.align.subsequence.ShortestCommonSupersequence.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShortestCommonSupersequenceTest {
    private static final int[] ALPHABETS = {1, 2, 26, 256, 70_000};

    private static final List<Strategy> TABLES =
            List.of(Strategy.SERIAL, Strategy.ANTI_DIAGONAL, Strategy.ROW_WISE, Strategy.ROW_WISE_PERSISTENT);

    private static final List<Known> MANY = known(TestPairs.part(TestPairs.many(11), 3));
    private static final List<Known> LONGER = known(TestPairs.part(TestPairs.longer(12), 2));

    /** A pair, and the textbook's results for it. */
    private record Known(String a, String b, int length, String scs) {}

    private static List<Known> known(List<Pair> pairs) {
        return pairs.stream().map(pair -> known(pair.a(), pair.b())).toList();
    }

    private static Known known(String a, String b) {
        String scs = Textbook.scs(a, b);
        assertThat(Textbook.isSubsequence(a, scs) && Textbook.isSubsequence(b, scs))
                .as("%s %s", a, b)
                .isTrue();
        int letters = a.codePointCount(0, a.length()) + b.codePointCount(0, b.length());
        return new Known(a, b, letters - Textbook.lcsLength(a, b), scs);
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        MANY.forEach(pair -> check(pair, strategy, 1));
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbookOnLongerPairs(Strategy strategy) {
        // on fewer than three cores, the threads wait for each other for a long time
        int step = TABLES.contains(strategy) && strategy != Strategy.SERIAL ? 4 : 1;
        for (int i = 0; i < LONGER.size(); i += step) {
            check(LONGER.get(i), strategy, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyAlphabet(Strategy strategy) {
        Random random = new Random(15);
        for (int size : ALPHABETS) {
            String alphabet = alphabet(size);
            for (int length : new int[] {0, 1, 33, 700}) {
                String a = TestPairs.random(random, alphabet, length);
                check(known(a, TestPairs.random(random, alphabet, 600)), strategy, 2);
                check(known(TestPairs.random(random, alphabet, 600), a), strategy, 2);
                check(known(a, TestPairs.mutate(random, alphabet, a, 0.2)), strategy, 2);
                check(known(a, a), strategy, 2);
            }
        }
        check(known(alphabet(70_000).substring(0, 2_000), alphabet(70_000).substring(1_000, 3_000)), strategy, 2);
        check(known("ab".repeat(400), "cd".repeat(500)), strategy, 2);
    }

    /** Returns {@code size} different characters, starting at U+0021 and skipping surrogates. */
    private static String alphabet(int size) {
        return IntStream.iterate(0x21, symbol -> symbol + 1)
                .filter(symbol -> symbol < 0xd800 || symbol > 0xdfff)
                .limit(size)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static void check(Known pair, Strategy strategy, int threads) {
        String a = pair.a();
        String b = pair.b();
        assertThat(supersequence(a, b, strategy, threads)).as("%s %s", a, b).isEqualTo(pair.scs());
        assertThat(length(a, b, strategy, threads)).as("%s %s", a, b).isEqualTo(pair.length());
    }

    @Test
    void limitsAreNamed() {
        String a = "a".repeat(9_000);
        String b = "b".repeat(9_000);
        for (Strategy strategy : TABLES) {
            assertFails(ErrorCode.BELLMAN_LIMIT, () -> supersequence(a, b, strategy, 2))
                    .hasMessageContaining("scs:")
                    .hasMessageContaining(Strategies.name(strategy))
                    .hasMessageContaining("bit-parallel");
            assertThat(length(a, b, strategy, 2)).isEqualTo(18_000);
        }
        for (Strategy strategy : List.of(Strategy.AUTO, Strategy.BIT_PARALLEL)) {
            assertThat(supersequence(a, b, strategy, 1)).isEqualTo(b + a);
        }
        String wide = alphabet(9_000);
        assertFails(ErrorCode.BELLMAN_LIMIT, () -> length(wide + "x", "y" + wide, Strategy.ROW_WISE, 1))
                .hasMessageContaining("scs_length:")
                .hasMessageContaining("9,000 distinct characters in common")
                .hasMessageContaining("bit-parallel");
    }

    @Test
    void fromManyThreads() {
        List<Pair> pairs = TestPairs.part(TestPairs.many(14), 3);
        List<String> expected = pairs.stream()
                .map(pair -> supersequence(pair.a(), pair.b(), Strategy.SERIAL, 1))
                .toList();
        for (Strategy strategy : List.of(Strategy.AUTO, Strategy.ROW_WISE)) {
            assertThat(pairs.parallelStream()
                            .map(pair -> supersequence(pair.a(), pair.b(), strategy, 2))
                            .toList())
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void goldenText(Strategy strategy) {
        Map<String, Map<String, String>> data = Golden.rows("text_i18n.data");
        Golden.rows("text_i18n.edit.gold")
                .forEach((id, gold) -> golden(id, data.get(id), gold, "scs_codepoints", strategy));
    }

    @ParameterizedTest
    @EnumSource
    void goldenDna(Strategy strategy) {
        for (String name : Golden.sets("dna_illumina_vs_ref", "dna_long")) {
            Map<String, Map<String, String>> data = Golden.rows(name + ".data");
            List<String> ids = new ArrayList<>(Golden.rows(name + ".edit.gold").keySet());
            Map<String, Map<String, String>> gold = Golden.rows(name + ".edit.gold");
            // the tables for long pairs take seconds
            boolean slow = TABLES.contains(strategy) && name.equals("dna_long");
            int step = slow ? Thorough.rounds(14, 9) : Thorough.rounds(8, 1);
            for (int i = 0; i < ids.size(); i += step) {
                golden(ids.get(i), data.get(ids.get(i)), gold.get(ids.get(i)), "scs", strategy);
            }
        }
    }

    private static void golden(
            String id, Map<String, String> pair, Map<String, String> gold, String column, Strategy strategy) {
        String a = pair.get("a");
        String b = pair.get("b");
        int expected = Integer.parseInt(gold.get(column));
        assertThat(length(a, b, strategy, 2)).as(id).isEqualTo(expected);
        if (TABLES.contains(strategy) && (long) a.length() * b.length() > 1 << 24) {
            return;
        }
        String scs = supersequence(a, b, strategy, 2);
        assertThat(scs.codePointCount(0, scs.length())).as(id).isEqualTo(expected);
        assertThat(Textbook.isSubsequence(a, scs) && Textbook.isSubsequence(b, scs))
                .as(id)
                .isTrue();
    }

    private static int length(String a, String b, Strategy strategy, int threads) {
        return ShortestCommonSupersequence.length(Text.of(a), Text.of(b), strategy, threads);
    }

    private static String supersequence(String a, String b, Strategy strategy, int threads) {
        return ShortestCommonSupersequence.supersequence(Text.of(a), Text.of(b), strategy, threads)
                .toString();
    }
}
