package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.align.subsequence.SubsequenceTextbook;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.join.measure.RelativeDistance;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every method, with several numbers of parts, finds the same pairs as comparing all strings with each other, and finds
 * each pair once.
 */
class PairSearchTest extends PairSearchFixture {
    @Test
    void smallTablesOfEveryAlphabet() {
        SplittableRandom random = new SplittableRandom(1);
        int rounds = Thorough.rounds(500, 6_000);
        int found = 0;
        for (int round = 0; round < rounds; round++) {
            int k = random.nextInt(7);
            List<Entry> entries =
                    entries(random, 2 + random.nextInt(24), random.nextInt(round % 10 == 0 ? 60 : 14) + 1);
            List<String> expected = textbook(entries, k);
            found += expected.size();
            for (JoinMethod method : List.of(JoinMethod.PLAIN, JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                int parts = 1 << random.nextInt(3);
                int maxKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, within(k), method, parts, maxKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(rounds);
    }

    /** For the other distances, too, every method finds the same pairs as comparing all strings with each other. */
    @ParameterizedTest
    @EnumSource(names = {"OSA_DISTANCE", "DAMERAU_LEVENSHTEIN", "TRY_HAMMING_DISTANCE"})
    void everyMetric(Metric metric) {
        SplittableRandom random = new SplittableRandom(8);
        int found = 0;
        int apart = 0;
        for (int round = 0; round < Thorough.rounds(400, 4_000); round++) {
            Measure measure = new Distance(metric, random.nextInt(5));
            List<Entry> entries =
                    entries(random, 2 + random.nextInt(24), random.nextInt(round % 10 == 0 ? 60 : 14) + 1);
            List<String> expected = textbook(entries, (a, b) -> distance(metric, a, b) <= measure.deletions(0));
            found += expected.size();
            apart += expected.size() - textbook(entries, measure.deletions(0)).size();
            for (JoinMethod method : List.of(JoinMethod.PLAIN, JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                int parts = 1 << random.nextInt(3);
                int maxKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, measure, method, parts, maxKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(200);
        assertThat(Math.abs(apart)).as("pairs by this distance alone").isGreaterThan(20);
    }

    /** Tests limits that grow with the lengths of the strings. */
    @Test
    void relativeLimits() {
        SplittableRandom random = new SplittableRandom(9);
        List<Metric> metrics = List.of(
                Metric.EDIT_DISTANCE, Metric.OSA_DISTANCE, Metric.DAMERAU_LEVENSHTEIN, Metric.TRY_HAMMING_DISTANCE);
        int found = 0;
        for (int round = 0; round < Thorough.rounds(600, 6_000); round++) {
            Metric metric = metrics.get(random.nextInt(4));
            double ofLonger = random.nextDouble() * 0.5;
            double ofShorter = random.nextInt(2) * random.nextDouble() * 0.4;
            int constant = random.nextInt(3) - 1;
            double least = random.nextBoolean() ? Double.NEGATIVE_INFINITY : random.nextInt(3);
            double most = random.nextBoolean() ? Double.POSITIVE_INFINITY : 1 + random.nextInt(3);
            Measure measure = new RelativeDistance(metric, ofLonger, ofShorter, constant, least, most);
            List<Entry> entries =
                    entries(random, 2 + random.nextInt(24), random.nextInt(round % 10 == 0 ? 60 : 14) + 1);
            List<String> expected = textbook(entries, (a, b) -> {
                int x = Text.of(a).length();
                int y = Text.of(b).length();
                double limit = ofLonger * Math.max(x, y) + ofShorter * Math.min(x, y) + constant;
                return distance(metric, a, b) <= Math.min(most, Math.max(least, limit));
            });
            found += expected.size();
            for (JoinMethod method : List.of(JoinMethod.PLAIN, JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                int parts = 1 << random.nextInt(3);
                int maxKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, measure, method, parts, maxKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(1_000);
    }

    /** Tests searches for strings whose similarity is at least a given number. */
    @ParameterizedTest
    @ValueSource(strings = {"jaro", "jaro_winkler", "ratio"})
    void similarities(String similarity) {
        SplittableRandom random = new SplittableRandom(10);
        int found = 0;
        for (int round = 0; round < Thorough.rounds(200, 6_000); round++) {
            double least = 0.4 + random.nextDouble() * 0.6;
            Measure measure = similarity.equals("ratio")
                    ? new IndelRatio(100 * least)
                    : new Jaro(similarity.equals("jaro_winkler"), least);
            List<Entry> entries =
                    entries(random, 2 + random.nextInt(24), random.nextInt(round % 40 == 0 ? 40 : 12) + 1);
            List<String> expected = textbook(
                    entries, (a, b) -> similarity(similarity, a, b) >= least || similarity(similarity, b, a) >= least);
            found += expected.size();
            for (JoinMethod method : List.of(JoinMethod.PLAIN, JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                int parts = 1 << random.nextInt(3);
                int maxKeys = random.nextBoolean() ? 1 << 20 : 1 << 6 + random.nextInt(8);
                JoinPlan plan = similarityPlan(random, measure, entries.size(), method, parts, maxKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(500);
    }

    /** The keys of long strings contain only a few of the characters. */
    @Test
    void similarLongStrings() {
        SplittableRandom random = new SplittableRandom(11);
        TreeMap<String, Entry> entries = new TreeMap<>();
        byte[] first = string(random, "abcdefghijklmnopqrstuvwxyz", 5_000);
        for (int i = 0; i < 12; i++) {
            byte[] string = edited(random, "abcdefghijklmnopqrstuvwxyz", first, i * i * 10);
            entries.put(new String(string, StandardCharsets.UTF_8), new Entry(string, 0, 1, 1));
        }
        List<Entry> all = List.copyOf(entries.values());
        for (double least : new double[] {0.8, 0.95, 0.99, 1}) {
            Measure measure = new Jaro(false, least);
            List<String> expected = textbook(all, (a, b) -> measure.isPair(Text.of(a), Text.of(b)));
            JoinPlan plan = similarityPlan(random, measure, all.size(), JoinMethod.DELETION, 2, 1 << 20);
            assertThat(found(all, plan)).as("%s", least).isEqualTo(expected);
        }
    }

    private static double similarity(String name, byte[] a, byte[] b) {
        int[] x = Text.of(a).characters();
        int[] y = Text.of(b).characters();
        if (name.equals("ratio")) {
            int all = x.length + y.length;
            return all == 0 ? 1 : 2.0 * SubsequenceTextbook.lcsLength(x, y) / all;
        }
        return name.equals("jaro") ? DistanceTextbook.jaro(x, y) : DistanceTextbook.jaroWinkler(x, y);
    }

    private static JoinPlan similarityPlan(
            SplittableRandom random, Measure measure, int strings, JoinMethod method, int parts, int maxKeys) {
        int most = method == JoinMethod.DELETION ? random.nextInt(16) : -1;
        int beginning = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(8);
        return new JoinPlan(
                measure,
                99,
                method,
                most,
                beginning,
                HotKeys.NONE,
                false,
                Passes.ONE,
                parts,
                maxKeys,
                strings,
                0,
                0,
                0,
                0,
                "");
    }

    /** Tests strings of a few hundred characters, which are too long for deletion, mixed with short ones. */
    @Test
    void longStrings() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < Thorough.rounds(12, 40); round++) {
            int k = 1 + random.nextInt(6);
            List<Entry> entries = entries(random, 30, 500);
            List<String> expected = textbook(entries, k);
            for (JoinMethod method : List.of(JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                JoinPlan plan = plan(random, entries, within(k), method, 2, 1 << 16);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
    }

    /** Hundreds of strings are close to a single one, so their keys form long runs, which take several batches. */
    @Test
    void longRuns() {
        SplittableRandom random = new SplittableRandom(3);
        List<Entry> entries = new ArrayList<>();
        TreeSet<String> seen = new TreeSet<>();
        while (seen.size() < Thorough.rounds(600, 1_500)) {
            StringBuilder string = new StringBuilder("A".repeat(16));
            for (int edit = 0; edit < 3; edit++) {
                string.setCharAt(random.nextInt(16), "ACGT".charAt(random.nextInt(4)));
            }
            if (seen.add(string.toString())) {
                entries.add(new Entry(bytes(string.toString()), 0, 1, random.nextInt(2)));
            }
        }
        List<String> expected = textbook(entries, 2);
        for (JoinMethod method : List.of(JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
            for (int maxKeys : new int[] {1 << 8, 1 << 12, 1 << 22}) {
                JoinPlan plan = plan(random, entries, within(2), method, 4, maxKeys);
                assertThat(found(entries, plan)).as("%s", plan).isEqualTo(expected);
            }
        }
    }

    private static List<String> textbook(List<Entry> entries, int k) {
        return textbook(entries, (a, b) -> distance(characters(a), characters(b)) <= k);
    }

    private static List<String> textbook(List<Entry> entries, BiPredicate<byte[], byte[]> isPair) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            for (int j = 0; j < i; j++) {
                Entry a = entries.get(i);
                Entry b = entries.get(j);
                boolean bothSides = a.left() > 0 && b.right() > 0 || b.left() > 0 && a.right() > 0;
                if (bothSides && a.group() == b.group() && isPair.test(a.bytes(), b.bytes())) {
                    pairs.add(name(a.bytes(), a.group(), b.bytes(), b.group()));
                }
            }
        }
        pairs.sort(null);
        return pairs;
    }
}
