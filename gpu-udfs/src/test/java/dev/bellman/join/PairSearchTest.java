package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import dev.bellman.align.Text;
import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.subsequence.SubsequenceTextbook;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import dev.bellman.join.measure.RelativeDistance;
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
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every method, cut into parts and passes in every way, finds the same pairs as comparing all with all, each once. */
class PairSearchTest {
    private static final Runnable NO_CHECKPOINT = () -> {};

    private static final String[] ALPHABETS = {"a", "ab", "ACGT", "abcdefghijklmnopqrstuvwxyz", "aé中\ud83d\ude00Ω", ""};

    /** A string of a table, with its group and the rows of either side. */
    private record Entry(byte[] bytes, long group, long left, long right) {}

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
                int mostKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, within(k), method, parts, mostKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(rounds);
    }

    /** The same for every other distance. */
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
                int mostKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, measure, method, parts, mostKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(200);
        assertThat(Math.abs(apart)).as("pairs by this distance alone").isGreaterThan(20);
    }

    /** Limits that grow with the lengths of the strings. */
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
                int mostKeys = random.nextBoolean() ? 1 << 20 : 1 << random.nextInt(8);
                JoinPlan plan = plan(random, entries, measure, method, parts, mostKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(1_000);
    }

    /** Similarities, of which Jaro's ignore the order of characters. */
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
                int mostKeys = random.nextBoolean() ? 1 << 20 : 1 << 6 + random.nextInt(8);
                JoinPlan plan = similarityPlan(random, measure, entries.size(), method, parts, mostKeys);
                assertThat(found(entries, plan)).as("%s round %d", plan, round).isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(500);
    }

    /** Of long strings, keys have few of the characters. */
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
            SplittableRandom random, Measure measure, int strings, JoinMethod method, int parts, int mostKeys) {
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
                mostKeys,
                strings,
                0,
                0,
                0,
                "");
    }

    private static int distance(Metric metric, byte[] a, byte[] b) {
        int[] x = Text.of(a).characters();
        int[] y = Text.of(b).characters();
        return switch (metric) {
            case EDIT_DISTANCE -> DistanceTextbook.editDistance(x, y);
            case OSA_DISTANCE -> DistanceTextbook.osaDistance(x, y);
            case DAMERAU_LEVENSHTEIN -> DistanceTextbook.damerauLevenshtein(x, y);
            case HAMMING_DISTANCE, TRY_HAMMING_DISTANCE ->
                x.length == y.length ? DistanceTextbook.hammingDistance(x, y) : Integer.MAX_VALUE;
        };
    }

    /** Strings of a few hundred characters, too long for deletion, mixed with short ones. */
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

    /** Thousands of strings around one: their keys make long runs, which take several batches. */
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
            for (int mostKeys : new int[] {1 << 8, 1 << 12, 1 << 22}) {
                JoinPlan plan = plan(random, entries, within(2), method, 4, mostKeys);
                assertThat(found(entries, plan)).as("%s", plan).isEqualTo(expected);
            }
        }
    }

    /** Too many for the comparison of all: as many pairs as a plain PassJoin finds, with shift-based selection. */
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
     * The chosen method, and any requested one; on a sampled table, the estimated pairs are close to the true number.
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
        // all but the shortest pairs are close
        assertThat(estimate(strings, 13, 4).plan(JoinMethod.AUTO).method()).isEqualTo(JoinMethod.PLAIN);
    }

    /** Any boundary between deletion and segments, any length of beginnings, any keys shared by all parts. */
    private static JoinPlan plan(
            SplittableRandom random, List<Entry> entries, Measure measure, JoinMethod method, int parts, int mostKeys) {
        int k = measure.deletions(0);
        int deletionUpTo = method == JoinMethod.DELETION ? Math.max(0, k) + random.nextInt(16) : -1;
        int beginning = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(8);
        HotKeys hot = HotKeys.NONE;
        if (random.nextBoolean() && k > 0) {
            Strings strings = strings(random, entries);
            Limits limits = new Limits(measure, strings.longest());
            SliceSearch search = new SliceSearch(
                            strings,
                            limits,
                            deletionUpTo,
                            beginning,
                            new HashSlice(0, 0),
                            HotKeys.NONE,
                            0,
                            1 << 22,
                            NO_CHECKPOINT)
                    .rememberRuns(2);
            while (search.advance()) {}
            List<SliceSearch.LongRun> runs = search.longRuns().stream()
                    .filter(run -> random.nextInt(3) == 0)
                    .limit(3)
                    .toList();
            hot = HotKeys.of(strings, limits, deletionUpTo, beginning, runs, 1 + random.nextInt(parts));
        }
        return new JoinPlan(
                measure,
                k,
                method,
                deletionUpTo,
                beginning,
                hot,
                false,
                Passes.ONE,
                parts,
                mostKeys,
                entries.size(),
                0,
                0,
                0,
                "");
    }

    /** A limit that all pairs keep: keys would be far too many, arrays of that size, too. */
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

    /** Half of the strings are two letters away from the same one, and have its key in common. */
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

    private static Measure within(int k) {
        return new Distance(Metric.EDIT_DISTANCE, k);
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

    private static List<String> found(List<Entry> entries, JoinPlan plan) {
        List<String> found = new ArrayList<>();
        for (int part = 0; part < plan.parts(); part++) {
            // each part as in a process of its own, which has read the strings in another order
            Strings strings = strings(new SplittableRandom(part), entries);
            PairSearch search = plan.search(strings, part, NO_CHECKPOINT);
            while (search.advance()) {
                for (int i = 0; i < search.count(); i++) {
                    int x = search.first(i);
                    int y = search.second(i);
                    found.add(name(strings.bytes(x), strings.group(x), strings.bytes(y), strings.group(y)));
                }
            }
        }
        found.sort(null);
        return found;
    }

    private static Strings strings(SplittableRandom random, List<Entry> entries) {
        List<Entry> shuffled = new ArrayList<>(entries);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            shuffled.set(i, shuffled.set(random.nextInt(i + 1), shuffled.get(i)));
        }
        List<StringBlock> blocks = new ArrayList<>();
        for (int i = 0; i < shuffled.size(); i++) {
            if (i % 1_000 == 0) {
                blocks.add(new StringBlock(true));
            }
            Entry entry = shuffled.get(i);
            blocks.get(blocks.size() - 1).add(entry.bytes(), entry.group(), entry.left(), entry.right());
        }
        blocks.replaceAll(StringBlock::trimmed);
        return Strings.of(blocks);
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

    private static String name(byte[] a, long aGroup, byte[] b, long bGroup) {
        String one = aGroup + Arrays.toString(a);
        String other = bGroup + Arrays.toString(b);
        return one.compareTo(other) < 0 ? one + other : other + one;
    }

    private static int distance(List<String> a, List<String> b) {
        int[][] table = new int[a.size() + 1][b.size() + 1];
        for (int i = 0; i <= a.size(); i++) {
            for (int j = 0; j <= b.size(); j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else {
                    int change = table[i - 1][j - 1] + (a.get(i - 1).equals(b.get(j - 1)) ? 0 : 1);
                    table[i][j] = Math.min(change, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
                }
            }
        }
        return table[a.size()][b.size()];
    }

    /** As Spark cuts text into characters, whatever the bytes. */
    private static List<String> characters(byte[] bytes) {
        List<String> characters = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(
                    bytes.length, at + org.apache.spark.unsafe.types.UTF8String.numBytesForFirstByte(bytes[at]));
            characters.add(Arrays.toString(Arrays.copyOfRange(bytes, at, end)));
            at = end;
        }
        return characters;
    }

    /** Distinct strings: blanks, unrelated ones, ones a few edits apart; of one side or both, in up to three groups. */
    private static List<Entry> entries(SplittableRandom random, int count, int longest) {
        String alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
        int groups = 1 + random.nextInt(3);
        TreeMap<String, Entry> entries = new TreeMap<>();
        byte[] before = string(random, alphabet, random.nextInt(longest));
        for (int i = 0; i < count; i++) {
            before = random.nextInt(3) == 0
                    ? string(random, alphabet, random.nextInt(4) == 0 ? 0 : random.nextInt(longest))
                    : edited(random, alphabet, before, random.nextInt(4));
            long group = random.nextInt(groups);
            int sides = 1 + random.nextInt(3);
            entries.put(
                    group + Arrays.toString(before),
                    new Entry(
                            before,
                            group,
                            (sides & 1) * (1 + random.nextInt(3)),
                            (sides >> 1) * (1 + random.nextInt(3))));
        }
        return new ArrayList<>(entries.values());
    }

    private static byte[] string(SplittableRandom random, String alphabet, int length) {
        StringBuilder string = new StringBuilder();
        int[] characters = alphabet.codePoints().toArray();
        if (characters.length == 0) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }
        for (int i = 0; i < length; i++) {
            string.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return bytes(string.toString());
    }

    private static byte[] edited(SplittableRandom random, String alphabet, byte[] string, int edits) {
        if (alphabet.isEmpty()) {
            byte[] edited = Arrays.copyOf(string, Math.max(0, string.length + random.nextInt(3) - 1));
            for (int edit = 0; edit < edits && edited.length > 0; edit++) {
                edited[random.nextInt(edited.length)] = (byte) random.nextInt(256);
            }
            return edited;
        }
        int[] letters = alphabet.codePoints().toArray();
        List<Integer> characters = new ArrayList<>();
        new String(string, StandardCharsets.UTF_8).codePoints().forEach(characters::add);
        for (int edit = 0; edit < edits; edit++) {
            int letter = letters[random.nextInt(letters.length)];
            int at = random.nextInt(characters.size() + 1);
            int kind = random.nextInt(4);
            if (kind == 3 && at > 1) {
                characters.add(at - 2, characters.remove(at - 1));
            } else if (kind == 0 || at == characters.size()) {
                characters.add(at, letter);
            } else if (kind == 1) {
                characters.set(at, letter);
            } else {
                characters.remove(at);
            }
        }
        StringBuilder edited = new StringBuilder();
        characters.forEach(edited::appendCodePoint);
        return bytes(edited.toString());
    }

    private static byte[] bytes(String string) {
        return string.getBytes(StandardCharsets.UTF_8);
    }
}
