package dev.bellman.join;

import dev.bellman.align.Text;
import dev.bellman.align.distance.DistanceTextbook;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import dev.bellman.join.measure.Metric;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Contains the code that {@link PairSearchTest} and {@link PairSearchPlanTest} share. */
abstract class PairSearchFixture {
    static final Runnable NO_CHECKPOINT = () -> {};

    static final String[] ALPHABETS = {"a", "ab", "ACGT", "abcdefghijklmnopqrstuvwxyz", "aé中\ud83d\ude00Ω", ""};

    /** A string in a table, with its group and the numbers of its rows on both sides. */
    record Entry(byte[] bytes, long group, long left, long right) {}

    static int distance(Metric metric, byte[] a, byte[] b) {
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

    /**
     * Creates a plan with a random maximum length for deletion, a random prefix length and, in some plans, hot keys.
     */
    static JoinPlan plan(
            SplittableRandom random, List<Entry> entries, Measure measure, JoinMethod method, int parts, int maxKeys) {
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
                maxKeys,
                entries.size(),
                0,
                0,
                0,
                0,
                "");
    }

    static Measure within(int k) {
        return new Distance(Metric.EDIT_DISTANCE, k);
    }

    static List<String> found(List<Entry> entries, JoinPlan plan) {
        List<String> found = new ArrayList<>();
        for (int part = 0; part < plan.parts(); part++) {
            // each part searches as if in a separate process that has read the strings in a different order
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

    static Strings strings(SplittableRandom random, List<Entry> entries) {
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
            blocks.get(blocks.size() - 1)
                    .add(entry.bytes(), entry.bytes().length, entry.group(), entry.left(), entry.right());
        }
        blocks.replaceAll(StringBlock::trimmed);
        return Strings.of(blocks);
    }

    static String name(byte[] a, long aGroup, byte[] b, long bGroup) {
        String one = aGroup + Arrays.toString(a);
        String other = bGroup + Arrays.toString(b);
        return one.compareTo(other) < 0 ? one + other : other + one;
    }

    static int distance(List<String> a, List<String> b) {
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

    /** Splits text into characters as Spark does, for arbitrary bytes. */
    static List<String> characters(byte[] bytes) {
        List<String> characters = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(
                    bytes.length, at + org.apache.spark.unsafe.types.UTF8String.numBytesForFirstByte(bytes[at]));
            characters.add(Arrays.toString(Arrays.copyOfRange(bytes, at, end)));
            at = end;
        }
        return characters;
    }

    /**
     * Returns strings in up to three groups: empty ones, unrelated ones, and ones that are a few edits apart. Each
     * string is on one side or both, and occurs once per group.
     */
    static List<Entry> entries(SplittableRandom random, int count, int longest) {
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

    static byte[] string(SplittableRandom random, String alphabet, int length) {
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

    static byte[] edited(SplittableRandom random, String alphabet, byte[] string, int edits) {
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

    static byte[] bytes(String string) {
        return string.getBytes(StandardCharsets.UTF_8);
    }
}
