package dev.bellman.align.names;

import dev.bellman.align.PairInstances;
import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates pairs of strings, most of which share words. The words may be reordered, misspelled, repeated or in
 * uppercase, and may contain punctuation; all kinds of white space separate them.
 */
final class RatioInstances {
    private static final int[][] ALPHABETS = Stream.of(
                    "ab", "abcdefghijklmnop", "aAbB_-,'", "éÉßñüö", "дДжЖaé", "東京大学", "😀a½Ⅷ²İ")
            .map(alphabet -> alphabet.codePoints().toArray())
            .toArray(int[][]::new);

    private static final String[] SPACES = {
        " ", " ", " ", "  ", "\t", "\n", "\u001c", "\u001f", "\u0085", "\u00a0", "\u200b", "\u2003", "\u3000", "\u180e"
    };

    private RatioInstances() {}

    /** Draws {@code (a, b, normalize)}. */
    static InternalRow row(SplittableRandom random, int size) {
        InternalRow pair = pair(random, size);
        return Values.row(
                pair.get(0, DataTypes.StringType),
                pair.get(1, DataTypes.StringType),
                Values.sometimesNull(random, random.nextInt(4) > 0));
    }

    /** Draws {@code (a, b)}. */
    static InternalRow pair(SplittableRandom random, int size) {
        return random.nextInt(3) == 0 ? PairInstances.pair(random, size) : words(random, size);
    }

    private static InternalRow words(SplittableRandom random, int size) {
        int[] alphabet = Values.oneOf(random, ALPHABETS);
        int[] others = random.nextInt(6) == 0 ? Values.oneOf(random, ALPHABETS) : alphabet;
        List<String> a = words(random, alphabet, Values.size(random, size));
        List<String> b = random.nextInt(8) == 0 ? List.of() : new ArrayList<>(a);
        b = changed(random, b, others);
        if (random.nextInt(4) == 0) {
            b = b.subList(0, random.nextInt(b.size() + 1));
        }
        return random.nextBoolean() ? row(random, a, b) : row(random, b, a);
    }

    private static InternalRow row(SplittableRandom random, List<String> a, List<String> b) {
        return Values.row(
                Values.sometimesNull(random, UTF8String.fromString(joined(random, a))),
                Values.sometimesNull(random, UTF8String.fromString(joined(random, b))));
    }

    private static List<String> words(SplittableRandom random, int[] alphabet, int size) {
        List<String> words = new ArrayList<>();
        for (int length = 0; length < size; ) {
            String word = word(random, alphabet, 1 + random.nextInt(Math.min(9, size - length)));
            words.add(word);
            length += word.length() + 1;
        }
        return words;
    }

    private static String word(SplittableRandom random, int[] letters, int length) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < length; i++) {
            word.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return word.toString();
    }

    private static List<String> changed(SplittableRandom random, List<String> words, int... alphabet) {
        List<String> changed = new ArrayList<>(words);
        for (int i = random.nextInt(5); i > 0; i--) {
            int at = random.nextInt(changed.size() + 1);
            int kind = random.nextInt(4);
            if (kind == 0 || at == changed.size()) {
                changed.add(at, word(random, alphabet, 1 + random.nextInt(5)));
            } else if (kind == 1) {
                changed.add(random.nextInt(changed.size()), changed.remove(at));
            } else if (kind == 2) {
                changed.set(at, word(random, alphabet, 1) + changed.get(at));
            } else {
                changed.add(changed.get(at));
            }
        }
        return changed;
    }

    private static String joined(SplittableRandom random, List<String> words) {
        String space = Values.oneOf(random, SPACES);
        StringBuilder joined = new StringBuilder(random.nextInt(8) == 0 ? space : "");
        for (String word : words) {
            joined.append(joined.isEmpty() ? "" : space).append(word);
        }
        return joined.append(random.nextInt(8) == 0 ? space : "").toString();
    }
}
