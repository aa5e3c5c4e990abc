package dev.bellman.align.distance;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.Golden;
import dev.bellman.Thorough;
import dev.bellman.align.Backtrace;
import dev.bellman.align.Cigar;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import dev.bellman.align.Textbook;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.EditDistanceBits;
import dev.bellman.align.distance.EditDistance.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.lang3.ArrayUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EditDistanceTest {
    private static final List<Known> MANY = known(TestPairs.part(TestPairs.many(1), 3));
    private static final List<Known> LONGER = known(TestPairs.part(TestPairs.longer(2), 2));

    /** A pair, and the textbook's results for it. */
    private record Known(String a, String b, int distance, String cigar) {}

    private static List<Known> known(List<Pair> pairs) {
        return pairs.stream()
                .map(pair -> new Known(
                        pair.a(),
                        pair.b(),
                        Textbook.editDistance(pair.a(), pair.b()),
                        Textbook.cigar(pair.a(), pair.b())))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbook(Strategy strategy) {
        MANY.forEach(pair -> check(pair, strategy, Integer.MIN_VALUE, -1, 0, 1, 3, 64, Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @EnumSource
    void equalsTheTextbookOnLongerPairs(Strategy strategy) {
        LONGER.forEach(pair -> check(pair, strategy, 0, 10, 64, 100, 300, 2 * pair.distance()));
    }

    /** Checks a pair with these maximum distances, and with maximum distances around its own. */
    private static void check(Known pair, Strategy strategy, int... limits) {
        String a = pair.a();
        String b = pair.b();
        int expected = pair.distance();
        assertThat(EditDistance.distance(a, b, strategy)).as("%s %s", a, b).isEqualTo(expected);
        for (int max : ArrayUtils.addAll(limits, expected - 1, expected, expected + 1)) {
            assertThat(distance(a, b, max, strategy))
                    .as("%s %s at most %d", a, b, max)
                    .isEqualTo(max < expected ? -1 : expected);
        }
        assertThat(cigar(a, b, strategy)).as("%s %s", a, b).isEqualTo(pair.cigar());
    }

    /** Uses small tiles, so that tracebacks cross several of them, in the whole table and in the narrowest band. */
    @Test
    void backtraceThroughTiles() {
        Random random = new Random(3);
        for (int round = 0; round < Thorough.rounds(150, 600); round++) {
            String alphabet = round % 2 == 0 ? TestPairs.DNA : TestPairs.MIXED;
            String a = TestPairs.random(random, alphabet, 1 + random.nextInt(700));
            String b = round % 3 == 0
                    ? TestPairs.random(random, alphabet, 1 + random.nextInt(700))
                    : TestPairs.mutate(random, alphabet, a, random.nextDouble() * 0.3);
            int distance = Textbook.editDistance(a, b);
            String expected = Textbook.cigar(a, b);
            for (int limit : new int[] {BitTable.WHOLE, distance}) {
                try (SymbolPair pair = SymbolPair.withoutSuffix(Text.of(a), Text.of(b))) {
                    if (pair.aLength() == 0 || pair.bLength() == 0) {
                        continue;
                    }
                    Cigar cigar = new Cigar();
                    cigar.append('=', Text.of(b).lengthOfLast(pair.suffix()));
                    Backtrace.walk(
                            pair,
                            BitTable.forBacktrace(EditDistanceBits.INSTANCE, pair, limit, 128 << round % 3)::move,
                            cigar);
                    assertThat(cigar).hasToString(expected);
                }
            }
        }
    }

    /**
     * Tests strings where the beginning of a is the end of b, so that optimal paths pass close to the omitted corners.
     */
    @Test
    void corners() {
        Random random = new Random(7);
        for (int round = 0; round < Thorough.rounds(600, 60_000); round++) {
            int length = 129 + random.nextInt(128);
            String part = TestPairs.random(random, TestPairs.DNA, random.nextInt(length));
            String a = part + TestPairs.random(random, "ab", length - part.length());
            String b = TestPairs.random(random, "cd", 1 + random.nextInt(length)) + part;
            int distance = EditDistance.distance(a, b, Strategy.SERIAL);
            assertThat(EditDistance.distance(a, b, Strategy.AUTO))
                    .as("%s %s", a, b)
                    .isEqualTo(distance);
            assertThat(EditDistance.distance(b, a, Strategy.AUTO))
                    .as("%s %s", b, a)
                    .isEqualTo(distance);
        }
    }

    /** Tests which of several optimal alignments is the canonical one, also for strings with a common prefix. */
    @ParameterizedTest
    @EnumSource
    void canonical(Strategy strategy) {
        assertThat(cigar("aab", "ab", strategy)).isEqualTo("1I2=");
        assertThat(cigar("ab", "aab", strategy)).isEqualTo("1D2=");
        assertThat(cigar("ab", "ba", strategy)).isEqualTo("2X");
        assertThat(cigar("", "", strategy)).isEmpty();
        assertThat(cigar("", "ab", strategy)).isEqualTo("2D");
        assertThat(cigar("ab", "", strategy)).isEqualTo("2I");
    }

    @Test
    void serialNamesItsLimit() {
        String a = "a".repeat(9_000);
        String b = "b".repeat(9_000);
        assertFails(ErrorCode.BELLMAN_LIMIT, () -> cigar(a, b, Strategy.SERIAL))
                .hasMessageContaining("edit_cigar")
                .hasMessageContaining("67,108,864")
                .hasMessageContaining("bit-parallel");
        assertThat(cigar(a, b, Strategy.BIT_PARALLEL)).isEqualTo("9000X");
    }

    /** Uses 40,000 different characters, all of which need a hash table. */
    @Test
    void wideAlphabet() {
        Random random = new Random(4);
        StringBuilder alphabet = new StringBuilder();
        IntStream.range(0x10000, 0x10000 + 40_000).forEach(alphabet::appendCodePoint);
        String a = alphabet.toString();
        String b = TestPairs.mutate(random, a, a, 0.01);
        int distance = EditDistance.distance(a, b, Strategy.BIT_PARALLEL);
        assertThat(distance).isPositive().isLessThan(1_000);
        assertThat(EditDistance.distance(a, b, Strategy.AUTO)).isEqualTo(distance);
        assertThat(distance(a, b, distance, Strategy.AUTO)).isEqualTo(distance);
        String cigar = cigar(a, b, Strategy.AUTO);
        assertThat(cost(cigar, a, b)).isEqualTo(distance);
        assertThat(cigar(a, b, Strategy.BIT_PARALLEL)).isEqualTo(cigar);
    }

    /**
     * Tests long strings that differ by few or many scattered edits and, in half of the rounds, by a part that is added
     * at one end. Limits include numbers just below and above the distance.
     */
    @Test
    void fewEditsInLongStrings() {
        Random random = new Random(6);
        for (int round = 0; round < Thorough.rounds(60, 600); round++) {
            String alphabet = round % 3 == 0 ? TestPairs.MIXED : TestPairs.DNA;
            int length = 1_000 + random.nextInt(round % 10 == 0 ? 60_000 : 6_000);
            String a = TestPairs.random(random, alphabet, length);
            String part = TestPairs.random(random, alphabet, random.nextInt(100));
            String b =
                    switch (round % 4) {
                        case 0 -> TestPairs.mutate(random, alphabet, a, random.nextDouble() * 0.002);
                        case 1 -> TestPairs.mutate(random, alphabet, a, random.nextDouble() * 0.02);
                        case 2 -> part + TestPairs.mutate(random, alphabet, a, 0.001);
                        default -> TestPairs.mutate(random, alphabet, a, 0.001) + part;
                    };
            int distance = EditDistance.distance(a, b, Strategy.BIT_PARALLEL);
            assertThat(EditDistance.distance(a, b, Strategy.AUTO)).isEqualTo(distance);
            assertThat(EditDistance.distance(b, a, Strategy.AUTO)).isEqualTo(distance);
            for (int max : new int[] {0, distance - 1, distance, distance + 1, 2 * distance}) {
                assertThat(distance(a, b, max, Strategy.AUTO))
                        .as("at most %d", max)
                        .isEqualTo(max < distance ? -1 : distance);
            }
            assertThat(cigar(a, b, Strategy.AUTO)).isEqualTo(cigar(a, b, Strategy.BIT_PARALLEL));
        }
    }

    @Test
    void fromManyThreads() {
        List<Pair> pairs = new ArrayList<>(TestPairs.part(TestPairs.many(5), 3));
        pairs.addAll(TestPairs.longer(5).subList(0, 4));
        List<Integer> distances = pairs.stream()
                .map(pair -> EditDistance.distance(pair.a(), pair.b(), Strategy.SERIAL))
                .toList();
        List<String> cigars = pairs.stream()
                .map(pair -> cigar(pair.a(), pair.b(), Strategy.SERIAL))
                .toList();
        assertThat(pairs.parallelStream()
                        .map(pair -> EditDistance.distance(pair.a(), pair.b(), Strategy.AUTO))
                        .toList())
                .isEqualTo(distances);
        assertThat(pairs.parallelStream()
                        .map(pair -> cigar(pair.a(), pair.b(), Strategy.AUTO))
                        .toList())
                .isEqualTo(cigars);
    }

    @ParameterizedTest
    @EnumSource
    void goldenText(Strategy strategy) {
        Map<String, Map<String, String>> data = Golden.rows("text_i18n.data");
        Golden.rows("text_i18n.edit.gold").forEach((id, gold) -> {
            String a = data.get(id).get("a");
            String b = data.get(id).get("b");
            assertThat(EditDistance.distance(a, b, strategy))
                    .as(id)
                    .isEqualTo(Integer.parseInt(gold.get("lev_codepoints")));
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SERIAL", "R_WAY"})
    void goldenDna(Strategy strategy) {
        for (String name : Golden.sets("dna_illumina_vs_ref", "dna_long")) {
            Map<String, Map<String, String>> data = Golden.rows(name + ".data");
            Golden.rows(name + ".edit.gold").forEach((id, gold) -> {
                String a = data.get(id).get("a");
                String b = data.get(id).get("b");
                int expected = Integer.parseInt(gold.get("edit_nw"));
                assertThat(EditDistance.distance(a, b, strategy)).as(id).isEqualTo(expected);
                assertThat(distance(a, b, expected, strategy)).as(id).isEqualTo(expected);
                assertThat(distance(a, b, expected - 1, strategy)).as(id).isEqualTo(-1);
                assertThat(cost(cigar(a, b, strategy), a, b)).as(id).isEqualTo(expected);
            });
        }
    }

    /** Returns the number of edits in an alignment, after checking that it covers both strings completely. */
    private static int cost(String cigar, String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        int i = 0;
        int j = 0;
        int cost = 0;
        int count = 0;
        for (char character : cigar.toCharArray()) {
            if (Character.isDigit(character)) {
                count = count * 10 + character - '0';
                continue;
            }
            for (; count > 0; count--) {
                switch (character) {
                    case '=' -> assertThat(x[i++]).isEqualTo(y[j++]);
                    case 'X' -> assertThat(x[i++]).isNotEqualTo(y[j++]);
                    case 'I' -> i++;
                    case 'D' -> j++;
                    default -> throw new AssertionError(cigar);
                }
                cost += character == '=' ? 0 : 1;
            }
        }
        assertThat(i).isEqualTo(x.length);
        assertThat(j).isEqualTo(y.length);
        return cost;
    }

    private static int distance(String a, String b, int max, Strategy strategy) {
        return EditDistance.distance(Text.of(a), Text.of(b), max, strategy);
    }

    private static String cigar(String a, String b, Strategy strategy) {
        return EditDistance.cigar(Text.of(a), Text.of(b), strategy);
    }
}
