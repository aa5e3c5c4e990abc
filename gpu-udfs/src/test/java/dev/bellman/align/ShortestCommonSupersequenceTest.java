package dev.bellman.align;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.align.ShortestCommonSupersequence.Strategy;
import dev.bellman.align.TestPairs.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShortestCommonSupersequenceTest {
    private static final int[] ALPHABETS = {1, 2, 26, 256, 70_000};

    private static final List<Strategy> TABLES =
            List.of(Strategy.SERIAL, Strategy.ANTI_DIAGONAL, Strategy.ROW_WISE, Strategy.ROW_WISE_PERSISTENT);

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        for (Pair pair : TestPairs.many(11)) {
            check(pair.a(), pair.b(), strategy, 1);
        }
    }

    /** Threads beyond the cores of any machine that tests run on, too. */
    @ParameterizedTest
    @EnumSource
    void equalsTheTextbookOnLongerPairs(Strategy strategy) {
        List<Pair> pairs = TestPairs.longer(12);
        // threads beyond the cores wait long for each other
        int step = TABLES.contains(strategy) && strategy != Strategy.SERIAL ? 4 : 1;
        for (int i = 0; i < pairs.size(); i += step) {
            check(pairs.get(i).a(), pairs.get(i).b(), strategy, 3);
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
                check(a, TestPairs.random(random, alphabet, 600), strategy, 2);
                check(TestPairs.random(random, alphabet, 600), a, strategy, 2);
                check(a, TestPairs.mutate(random, alphabet, a, 0.2), strategy, 2);
                check(a, a, strategy, 2);
            }
        }
        check(alphabet(70_000).substring(0, 2_000), alphabet(70_000).substring(1_000, 3_000), strategy, 2);
        check("ab".repeat(400), "cd".repeat(500), strategy, 2);
    }

    /** So many different characters, from U+0021 on without surrogates. */
    private static String alphabet(int size) {
        return IntStream.iterate(0x21, symbol -> symbol + 1)
                .filter(symbol -> symbol < 0xd800 || symbol > 0xdfff)
                .limit(size)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static void check(String a, String b, Strategy strategy, int threads) {
        String expected = Textbook.scs(a, b);
        assertThat(ShortestCommonSupersequence.supersequence(a, b, strategy, threads))
                .as("%s %s", a, b)
                .isEqualTo(expected);
        assertThat(ShortestCommonSupersequence.length(a, b, strategy, threads))
                .as("%s %s", a, b)
                .isEqualTo(
                        a.codePointCount(0, a.length()) + b.codePointCount(0, b.length()) - Textbook.lcsLength(a, b));
        // unpaired surrogates of both may become a pair
        if (isWellFormed(a) && isWellFormed(b)) {
            assertThat(Textbook.isSubsequence(a, expected) && Textbook.isSubsequence(b, expected))
                    .as("%s %s", a, b)
                    .isTrue();
        }
    }

    private static boolean isWellFormed(String text) {
        return text.codePoints().noneMatch(symbol -> symbol >= 0xd800 && symbol <= 0xdfff);
    }

    /** As the paper's own tests: the whole table, by any number of threads, more than columns among them. */
    @Test
    void wholeTables() {
        Random random = new Random(2023);
        for (int size : ALPHABETS) {
            for (int round = 0; round < 16; round++) {
                int[] x = random.ints(random.nextInt(90), 0, size).toArray();
                int[] y = round % 8 == 0
                        ? x.clone()
                        : random.ints(random.nextInt(90), 0, size).toArray();
                int[][] expected = byEquation2(x, y);
                for (Strategy strategy : TABLES) {
                    for (int threads : strategy == Strategy.SERIAL ? new int[] {1} : new int[] {1, 2, 7}) {
                        assertThat(table(x, y, strategy, threads))
                                .as("%s by %d threads", strategy, threads)
                                .isDeepEqualTo(expected);
                    }
                }
                assertThat(byEquations6And7(x, y)).isDeepEqualTo(expected);
                assertThat(byEquations8And9(x, y, size)).isDeepEqualTo(expected);
            }
        }
    }

    private static int[][] table(int[] x, int[] y, Strategy strategy, int threads) {
        ScsTable table = ScsTable.whole("scs", strategy, x, x.length, y, y.length, threads);
        int[][] cells = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                cells[i][j] = table.at(i, j);
            }
        }
        return cells;
    }

    private static int[][] byEquation2(int[] x, int[] y) {
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (x[i - 1] == y[j - 1]) {
                    table[i][j] = table[i - 1][j - 1] + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][j], table[i][j - 1]) + 1;
                }
            }
        }
        return table;
    }

    /** As printed. */
    private static int[][] byEquations6And7(int[] x, int[] y) {
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            int place = 0;
            for (int j = 0; j <= y.length; j++) {
                if (i > 0 && j > 0 && x[i - 1] == y[j - 1]) {
                    place = j;
                }
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (x[i - 1] == y[j - 1]) {
                    table[i][j] = table[i - 1][j - 1] + 1;
                } else if (place == 0) {
                    table[i][j] = Math.min(i + j - 1, table[i - 1][j]) + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][place - 1] + j - place, table[i - 1][j]) + 1;
                }
            }
        }
        return table;
    }

    /** As printed. */
    private static int[][] byEquations8And9(int[] x, int[] y, int size) {
        int[][] places = new int[size][y.length + 1];
        for (int c = 0; c < size; c++) {
            for (int j = 1; j <= y.length; j++) {
                places[c][j] = y[j - 1] == c ? j : places[c][j - 1];
            }
        }
        int[][] table = new int[x.length + 1][y.length + 1];
        for (int i = 0; i <= x.length; i++) {
            for (int j = 0; j <= y.length; j++) {
                int place = i == 0 ? 0 : places[x[i - 1]][j];
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else if (place == 0) {
                    table[i][j] = Math.min(i + j - 1, table[i - 1][j]) + 1;
                } else {
                    table[i][j] = Math.min(table[i - 1][place - 1] + j - place, table[i - 1][j]) + 1;
                }
            }
        }
        return table;
    }

    /** Equation (4) is no identity: it leaves out that the cell between may come from above. */
    @Test
    void equation4AsPrintedIsWrong() {
        Random random = new Random(4);
        int cells = 0;
        int wrong = 0;
        for (int round = 0; round < 100; round++) {
            int[] x = random.ints(20, 0, 4).toArray();
            int[] y = random.ints(20, 0, 4).toArray();
            int[][] table = byEquation2(x, y);
            for (int i = 1; i <= 20; i++) {
                int place = 0;
                for (int j = 1; j <= 20; j++) {
                    place = x[i - 1] == y[j - 1] ? j : place;
                    int printed = place == 0 ? i + j : table[i - 1][place - 1] + j - place + 1;
                    assertThat(printed).isGreaterThanOrEqualTo(table[i][j]);
                    cells++;
                    wrong += printed == table[i][j] ? 0 : 1;
                }
            }
        }
        assertThat(wrong).isBetween(cells / 10, cells / 2);
    }

    @Test
    void limitsAreNamed() {
        String a = "a".repeat(9_000);
        String b = "b".repeat(9_000);
        for (Strategy strategy : TABLES) {
            assertThatThrownBy(() -> ShortestCommonSupersequence.supersequence(a, b, strategy, 2))
                    .isInstanceOfSatisfying(
                            BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_LIMIT))
                    .hasMessageContaining("scs:")
                    .hasMessageContaining(Strategies.name(strategy))
                    .hasMessageContaining("bit-parallel");
            assertThat(ShortestCommonSupersequence.length(a, b, strategy, 2)).isEqualTo(18_000);
        }
        for (Strategy strategy : List.of(Strategy.AUTO, Strategy.BIT_PARALLEL)) {
            assertThat(ShortestCommonSupersequence.supersequence(a, b, strategy, 1))
                    .isEqualTo(b + a);
        }
        String wide = alphabet(9_000);
        assertThatThrownBy(() -> ShortestCommonSupersequence.length(wide + "x", "y" + wide, Strategy.ROW_WISE, 1))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_LIMIT))
                .hasMessageContaining("scs_length:")
                .hasMessageContaining("9,000 in common")
                .hasMessageContaining("bit-parallel");
    }

    @Test
    void fromManyThreads() {
        List<Pair> pairs = TestPairs.many(14).subList(0, 3_000);
        List<String> expected = pairs.stream()
                .map(pair -> ShortestCommonSupersequence.supersequence(pair.a(), pair.b(), Strategy.SERIAL, 1))
                .toList();
        for (Strategy strategy : List.of(Strategy.AUTO, Strategy.ROW_WISE)) {
            assertThat(pairs.parallelStream()
                            .map(pair -> ShortestCommonSupersequence.supersequence(pair.a(), pair.b(), strategy, 2))
                            .toList())
                    .isEqualTo(expected);
        }
    }

    @Test
    void aTeamThatFailsEnds() {
        for (int failing = 0; failing < 3; failing++) {
            int bad = failing;
            assertThatThrownBy(() -> ThreadTeam.run(3, (team, member) -> {
                        for (int step = 0; step < 10; step++) {
                            if (member == bad && step == 5) {
                                throw new IllegalStateException("member " + bad);
                            }
                            team.await();
                        }
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("member " + bad);
        }
    }

    @Test
    void aTeamThatIsInterruptedEnds() {
        try {
            assertThatThrownBy(() -> ThreadTeam.run(2, (team, member) -> {
                        if (member == 0) {
                            Thread.currentThread().interrupt();
                            team.await();
                        } else {
                            while (!Thread.currentThread().isInterrupted() && team.size() == 2) {
                                // longer than any spinning
                                sleep();
                                team.await();
                            }
                        }
                    }))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
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
        for (String name : List.of("dna_illumina_vs_ref", "dna_long")) {
            Map<String, Map<String, String>> data = Golden.rows(name + ".data");
            List<String> ids = new ArrayList<>(Golden.rows(name + ".edit.gold").keySet());
            Map<String, Map<String, String>> gold = Golden.rows(name + ".edit.gold");
            // the tables of the long ones take seconds
            int step = TABLES.contains(strategy) && name.equals("dna_long") ? 9 : 1;
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
        assertThat(ShortestCommonSupersequence.length(a, b, strategy, 2)).as(id).isEqualTo(expected);
        if (TABLES.contains(strategy) && (long) a.length() * b.length() > 1 << 24) {
            return;
        }
        String scs = ShortestCommonSupersequence.supersequence(a, b, strategy, 2);
        assertThat(scs.codePointCount(0, scs.length())).as(id).isEqualTo(expected);
        assertThat(Textbook.isSubsequence(a, scs) && Textbook.isSubsequence(b, scs))
                .as(id)
                .isTrue();
    }
}
