package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.align.distance.EditDistance;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests plans of the search: estimates, keys that many strings share, and limits that exceed the lengths of all
 * strings.
 */
class PairSearchPlanTest extends PairSearchFixture {
    /**
     * There are too many strings to compare all pairs, so the number of close pairs is compared with that of a plain
     * PassJoin.
     */
    @Test
    void asManyAsPassJoin() {
        SplittableRandom random = new SplittableRandom(5);
        for (String alphabet : List.of("ACGT", "abcdefghijklmnopqrstuvwxyz")) {
            TreeMap<String, Entry> entries = new TreeMap<>();
            int count = Thorough.rounds(5_000, 20_000);
            while (entries.size() < count) {
                byte[] string = string(random, alphabet, 16 + random.nextInt(6));
                for (int copy = 0; copy < 3; copy++) {
                    byte[] edited = edited(random, alphabet, string, random.nextInt(4));
                    entries.put(new String(edited, StandardCharsets.UTF_8), new Entry(edited, 0, 1, 1));
                }
            }
            int expected = passJoin(List.copyOf(entries.keySet()), 2);
            assertThat(expected).isGreaterThan(count / 10);
            for (JoinMethod method : List.of(JoinMethod.DELETION, JoinMethod.SEGMENTS)) {
                List<Entry> all = List.copyOf(entries.values());
                JoinPlan plan = plan(random, all, within(2), method, 2, 1 << 20);
                List<String> found = found(all, plan);
                assertThat(found).doesNotHaveDuplicates().hasSize(expected);
            }
        }
    }

    private static int passJoin(List<String> unordered, int k) {
        List<String> strings = new ArrayList<>(unordered);
        strings.sort(Comparator.comparingInt(String::length));
        Map<String, List<Integer>> index = new HashMap<>();
        int pairs = 0;
        for (int id = 0; id < strings.size(); id++) {
            String string = strings.get(id);
            TreeSet<Integer> candidates = new TreeSet<>();
            for (int length = string.length() - k; length <= string.length(); length++) {
                for (int i = 0; i <= k; i++) {
                    int start = i * length / (k + 1);
                    int size = (i + 1) * length / (k + 1) - start;
                    for (int at = Math.max(0, start - k); at <= Math.min(string.length() - size, start + k); at++) {
                        candidates.addAll(index.getOrDefault(
                                length + "/" + i + "/" + string.substring(at, at + size), List.of()));
                    }
                }
            }
            for (int other : candidates) {
                pairs += EditDistance.distance(string, strings.get(other), EditDistance.Strategy.SERIAL) <= k ? 1 : 0;
            }
            for (int i = 0; i <= k; i++) {
                int start = i * string.length() / (k + 1);
                String segment = string.substring(start, (i + 1) * string.length() / (k + 1));
                index.computeIfAbsent(string.length() + "/" + i + "/" + segment, key -> new ArrayList<>())
                        .add(id);
            }
        }
        return pairs;
    }

    /**
     * Tests the method that is chosen and a method that is requested; for a sampled table, the estimated number of
     * pairs is close to the true number.
     */
    @Test
    void estimates() {
        SplittableRandom random = new SplittableRandom(4);
        List<Entry> entries = new ArrayList<>();
        TreeSet<String> seen = new TreeSet<>();
        while (entries.size() < 40_000) {
            byte[] string = string(random, "ACGT", 14);
            for (int copy = 0; copy < 4; copy++) {
                byte[] edited = edited(random, "ACGT", string, random.nextInt(2));
                if (seen.add(new String(edited, StandardCharsets.UTF_8))) {
                    entries.add(new Entry(edited, 0, 1 + random.nextInt(3), 1));
                }
            }
        }
        Strings strings = strings(random, entries);
        JoinEstimate estimate = estimate(strings, 1, 4);
        JoinPlan plan = estimate.plan(JoinMethod.AUTO);
        assertThat(plan.method()).isEqualTo(JoinMethod.DELETION);
        double pairs = 0;
        double rows = 0;
        for (int part = 0; part < plan.parts(); part++) {
            PairSearch search = plan.search(strings, part, NO_CHECKPOINT);
            while (search.advance()) {
                pairs += search.count();
                for (int i = 0; i < search.count(); i++) {
                    rows += strings.left(search.first(i)) + strings.left(search.second(i));
                }
            }
        }
        for (int id = 0; id < strings.count(); id++) {
            rows += strings.left(id);
        }
        assertThat(plan.stringPairs()).isBetween(pairs * 0.8, pairs * 1.2);
        assertThat(plan.rowPairs()).isBetween(rows * 0.8, rows * 1.2);
        assertThat(estimate.plan(JoinMethod.SEGMENTS).method()).isEqualTo(JoinMethod.SEGMENTS);
        assertThat(estimate.plan(JoinMethod.SEGMENTS).stringPairs()).isBetween(pairs * 0.8, pairs * 1.2);
        // nearly all pairs are close
        assertThat(estimate(strings, 13, 4).plan(JoinMethod.AUTO).method()).isEqualTo(JoinMethod.PLAIN);
    }

    /**
     * Nearly all pairs are within the limit, so searching by keys would need far too many of them. Arrays as long as
     * the limit would also be too large.
     */
    @Test
    void hugeLimits() {
        SplittableRandom random = new SplittableRandom(6);
        TreeMap<String, Entry> entries = new TreeMap<>();
        while (entries.size() < 2_500) {
            byte[] string = string(random, "ACGT", 30 + random.nextInt(40));
            entries.put(Arrays.toString(string), new Entry(string, 0, 1 + random.nextInt(50), 1));
        }
        Strings strings = strings(random, List.copyOf(entries.values()));
        for (int k : new int[] {40, 69, 1_000_000_000, Integer.MAX_VALUE}) {
            for (JoinMethod method : List.of(JoinMethod.AUTO, JoinMethod.SEGMENTS)) {
                JoinPlan plan = estimate(strings, k, 4).plan(method);
                assertThat(plan.k()).isEqualTo(Math.min(k, strings.longest()));
                assertThat(plan.keys()).isLessThan(1_000.0 * strings.count());
            }
        }
        JoinPlan all = estimate(strings, Integer.MAX_VALUE, 4).plan(JoinMethod.AUTO);
        long pairs = 0;
        for (int part = 0; part < all.parts(); part++) {
            PairSearch search = all.search(strings, part, NO_CHECKPOINT);
            while (search.advance()) {
                pairs += search.count();
            }
        }
        assertThat(pairs).isEqualTo(2_500L * 2_499 / 2);
    }

    /** Half of the strings are at most two letters away from the same string, so many of them share a key. */
    @Test
    void hotKeys() {
        SplittableRandom random = new SplittableRandom(7);
        TreeMap<String, Entry> entries = new TreeMap<>();
        while (entries.size() < 5_000) {
            char[] string = "aaaaaaaaaaaaaaaa".toCharArray();
            for (int i = entries.size() % 2 == 0 ? 14 : 0; i < 16; i++) {
                string[random.nextInt(16)] = (char) ('a' + random.nextInt(26));
            }
            byte[] bytes = bytes(new String(string));
            entries.put(new String(string), new Entry(bytes, 0, 1, 1));
        }
        Strings strings = strings(random, List.copyOf(entries.values()));
        JoinPlan plan = estimate(strings, 2, 8).plan(JoinMethod.DELETION);
        assertThat(plan.hot().count()).isPositive();
        assertThat(plan.hot().parts()).isEqualTo(8);
    }

    /**
     * The strings are too long to be searched by keys, so the number of close pairs can be estimated only by comparing
     * some of them. The search takes long enough for several tasks, although there are few strings.
     */
    @Test
    void fewLongStrings() {
        SplittableRandom random = new SplittableRandom(8);
        List<Entry> entries = new ArrayList<>();
        while (entries.size() < 1_200) {
            byte[] string = string(random, "ACGT", 300);
            for (int copy = 0; copy < 4; copy++) {
                byte[] edited = edited(random, "ACGT", string, copy);
                entries.add(new Entry(edited, 0, 1, 1));
            }
        }
        int pairs = 300 * 6;
        JoinPlan plan = estimate(strings(random, entries), 40, 4).plan(JoinMethod.AUTO);
        assertThat(plan.method()).isEqualTo(JoinMethod.PLAIN);
        assertThat(plan.stringPairs()).isBetween(pairs * 0.5, pairs * 2.0);
        assertThat(plan.parts()).isEqualTo(4);
    }

    /** A comparison takes so long that the sample may consist of a single string. */
    @Test
    void fewVeryLongStrings() {
        SplittableRandom random = new SplittableRandom(0);
        List<Entry> entries = Stream.generate(() -> new Entry(string(random, "ACGT", 100_000), 0, 1, 1))
                .limit(4)
                .toList();
        JoinPlan plan = estimate(strings(random, entries), 50_000, 4).plan(JoinMethod.AUTO);
        assertThat(plan.method()).isEqualTo(JoinMethod.PLAIN);
        assertThat(plan.parts()).isEqualTo(4);
    }

    private static JoinEstimate estimate(Strings strings, int k, int tasks) {
        return new JoinEstimate(
                strings,
                StringTotals.of(strings.blocks()),
                Passes.ONE,
                within(k),
                tasks,
                1 << 30,
                false,
                false,
                NO_CHECKPOINT);
    }
}
