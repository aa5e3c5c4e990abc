package dev.bellman.align.names;

import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The words of a string, in ascending order of their characters. Words are separated by white space as defined by
 * Python, with one peculiarity that rapidfuzz adds: U+0085 and U+00A0 separate words only in a string with characters
 * beyond U+00FF.
 */
final class Words {
    private static final int LATIN_1 = 0x100;

    /** The number of bytes that a word takes in total: in the list that collects the words, and in the sorted list. */
    private static final int BYTES_OF_A_WORD = 40;

    /** A word, which is a part of a string. */
    private record Word(int[] text, int from, int to) {
        int length() {
            return to - from;
        }

        /** Compares by code points; characters that are not valid UTF-8 come last. */
        int compareTo(Word other) {
            return Arrays.compareUnsigned(text, from, to, other.text, other.from, other.to);
        }
    }

    /**
     * The distinct words of two strings.
     *
     * @param common the words that occur in both strings
     * @param onlyA the words that occur only in the first string
     * @param onlyB the words that occur only in the second string
     */
    record Comparison(Words common, Words onlyA, Words onlyB) {}

    private final List<Word> words;

    private Words(List<Word> words) {
        this.words = words;
    }

    static Words of(int[] text) {
        List<Word> words = split(text);
        Cancellation cancellation = new Cancellation();
        words.sort((a, b) -> {
            cancellation.count(Math.min(a.length(), b.length()));
            return a.compareTo(b);
        });
        return new Words(words);
    }

    /** Returns the words in the order in which they occur in the string. */
    static List<Text> inOrder(int[] text) {
        return split(text).stream()
                .map(word -> Text.of(text, word.from, word.to))
                .toList();
    }

    private static List<Word> split(int[] text) {
        int bits = 0;
        for (int character : text) {
            bits |= character;
        }
        boolean wide = Integer.compareUnsigned(bits, LATIN_1) >= 0;
        List<Word> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at <= text.length; at++) {
            if (at == text.length || isSpace(text[at], wide)) {
                if (from < at) {
                    words.add(new Word(text, from, at));
                }
                from = at + 1;
            }
        }
        TaskMemory.take((long) BYTES_OF_A_WORD * words.size(), () -> "a string of %,d words".formatted(words.size()));
        return words;
    }

    private static boolean isSpace(int character, boolean wide) {
        return character >= '\t' && character <= '\r'
                || character >= 0x1c && character <= ' '
                || wide
                        && switch (character) {
                            case 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 -> true;
                            default -> character >= 0x2000 && character <= 0x200a;
                        };
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    int count() {
        return words.size();
    }

    /** Returns the length of {@link #joined}. */
    int length() {
        int length = Math.max(0, words.size() - 1);
        for (Word word : words) {
            length += word.length();
        }
        return length;
    }

    /** Returns the words, separated by spaces. */
    int[] joined() {
        int length = length();
        TaskMemory.take((long) Integer.BYTES * length, () -> "a string of %,d characters".formatted(length));
        int[] joined = new int[length];
        int at = 0;
        for (Word word : words) {
            if (at > 0) {
                joined[at++] = ' ';
            }
            System.arraycopy(word.text, word.from, joined, at, word.length());
            at += word.length();
        }
        return joined;
    }

    static Comparison compare(Words a, Words b) {
        List<Word> common = new ArrayList<>();
        List<Word> onlyA = new ArrayList<>();
        List<Word> onlyB = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < a.count() || j < b.count()) {
            int order =
                    i == a.count() ? 1 : j == b.count() ? -1 : a.words.get(i).compareTo(b.words.get(j));
            (order == 0 ? common : order < 0 ? onlyA : onlyB).add(order <= 0 ? a.words.get(i) : b.words.get(j));
            i = order <= 0 ? a.behind(i) : i;
            j = order >= 0 ? b.behind(j) : j;
        }
        return new Comparison(new Words(common), new Words(onlyA), new Words(onlyB));
    }

    /** Returns the index of the next word that differs from the word at {@code i}. */
    private int behind(int i) {
        int next = i + 1;
        while (next < words.size() && words.get(next).compareTo(words.get(i)) == 0) {
            next++;
        }
        return next;
    }
}
