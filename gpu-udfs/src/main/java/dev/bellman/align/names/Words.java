package dev.bellman.align.names;

import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The words of a string, in ascending order of their characters. Words are separated by white space as defined by
 * Python, with one peculiarity that rapidfuzz adds: U+0085 and U+00A0 separate words only in a string with characters
 * beyond U+00FF.
 */
final class Words {
    private static final int LATIN_1 = 0x100;

    /** The number of words up to which insertion is the fastest way to sort them. */
    private static final int FEW = 8;

    /** The number of bytes that a word takes in total: its bounds, and its number while many words are sorted. */
    private static final int BYTES_OF_A_WORD = 40;

    /**
     * The distinct words of two strings.
     *
     * @param common the words that occur in both strings
     * @param onlyA the words that occur only in the first string
     * @param onlyB the words that occur only in the second string
     */
    record Comparison(Words common, Words onlyA, Words onlyB) {}

    private final int[] text;
    /** Pairs of indexes in the text: of each word's first character, and of the first character after the word. */
    private int[] bounds;

    private int count;

    private Words(int[] text, int most) {
        this.text = text;
        bounds = new int[2 * most];
    }

    static Words of(int[] text) {
        Words words = split(text);
        if (words.count > FEW) {
            words.sort();
        } else {
            words.insert();
        }
        return words;
    }

    /** Returns the words in the order in which they occur in the string. */
    static List<Text> inOrder(int[] text) {
        Words words = split(text);
        return IntStream.range(0, words.count)
                .mapToObj(word -> Text.of(text, words.from(word), words.to(word)))
                .toList();
    }

    private static Words split(int[] text) {
        int bits = 0;
        for (int character : text) {
            bits |= character;
        }
        boolean wide = Integer.compareUnsigned(bits, LATIN_1) >= 0;
        Words words = new Words(text, FEW);
        int from = 0;
        for (int at = 0; at <= text.length; at++) {
            if (at == text.length || isSpace(text[at], wide)) {
                if (from < at) {
                    words.add(from, at);
                }
                from = at + 1;
            }
        }
        return words;
    }

    private void add(int from, int to) {
        if (2 * count == bounds.length) {
            TaskMemory.take((long) BYTES_OF_A_WORD * count, () -> "a string of over %,d words".formatted(count));
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        bounds[2 * count] = from;
        bounds[2 * count + 1] = to;
        count++;
    }

    private void insert() {
        for (int word = 1; word < count; word++) {
            int from = from(word);
            int to = to(word);
            int at = word;
            while (at > 0 && Arrays.compareUnsigned(text, from(at - 1), to(at - 1), text, from, to) > 0) {
                bounds[2 * at] = from(at - 1);
                bounds[2 * at + 1] = to(at - 1);
                at--;
            }
            bounds[2 * at] = from;
            bounds[2 * at + 1] = to;
        }
    }

    private void sort() {
        Cancellation cancellation = new Cancellation();
        int[] sorted = IntStream.range(0, count)
                .boxed()
                .sorted((a, b) -> {
                    cancellation.count(Math.min(length(a), length(b)));
                    return compare(a, this, b);
                })
                .flatMapToInt(word -> IntStream.of(from(word), to(word)))
                .toArray();
        bounds = sorted;
    }

    private static boolean isSpace(int character, boolean wide) {
        if (character <= ' ') {
            return character >= 0x1c || character >= '\t' && character <= '\r';
        }
        return wide
                && switch (character) {
                    case 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 -> true;
                    default -> character >= 0x2000 && character <= 0x200a;
                };
    }

    private int from(int word) {
        return bounds[2 * word];
    }

    private int to(int word) {
        return bounds[2 * word + 1];
    }

    private int length(int word) {
        return to(word) - from(word);
    }

    /** Compares two words by code points; characters that are not valid UTF-8 come last. */
    private int compare(int word, Words others, int other) {
        return Arrays.compareUnsigned(text, from(word), to(word), others.text, others.from(other), others.to(other));
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Returns the length of {@link #joined}. */
    int length() {
        int length = Math.max(0, count - 1);
        for (int word = 0; word < count; word++) {
            length += length(word);
        }
        return length;
    }

    /** Returns the words, separated by spaces. */
    int[] joined() {
        int length = length();
        TaskMemory.take((long) Integer.BYTES * length, () -> "a string of %,d characters".formatted(length));
        int[] joined = new int[length];
        int at = 0;
        for (int word = 0; word < count; word++) {
            if (at > 0) {
                joined[at++] = ' ';
            }
            System.arraycopy(text, from(word), joined, at, length(word));
            at += length(word);
        }
        return joined;
    }

    static Comparison compare(Words a, Words b) {
        Words common = new Words(a.text, FEW);
        Words onlyA = new Words(a.text, FEW);
        Words onlyB = new Words(b.text, FEW);
        int i = 0;
        int j = 0;
        while (i < a.count || j < b.count) {
            int order = i == a.count ? 1 : j == b.count ? -1 : a.compare(i, b, j);
            if (order > 0) {
                onlyB.add(b.from(j), b.to(j));
            } else {
                (order == 0 ? common : onlyA).add(a.from(i), a.to(i));
            }
            i = order <= 0 ? a.behind(i) : i;
            j = order >= 0 ? b.behind(j) : j;
        }
        return new Comparison(common, onlyA, onlyB);
    }

    /** Returns the index of the next word that differs from the word at {@code i}. */
    private int behind(int i) {
        int next = i + 1;
        while (next < count && compare(next, this, i) == 0) {
            next++;
        }
        return next;
    }
}
