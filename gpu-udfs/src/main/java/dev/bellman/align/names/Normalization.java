package dev.bellman.align.names;

import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Normalizes strings as {@code rapidfuzz.utils.default_process} does: all characters except letters, digits and numbers
 * become spaces, letters become lowercase, and spaces at both ends are removed. The number of characters changes only
 * because spaces at the ends are removed. The Unicode version of the Java runtime determines character classes and
 * lowercase letters.
 */
final class Normalization {
    private static final int ASCII = 128;
    private static final int[] OF_ASCII = new int[ASCII];

    static {
        Arrays.setAll(OF_ASCII, Normalization::compute);
    }

    private Normalization() {}

    /** Returns the normalized characters of a string. */
    static int[] of(int[] text) {
        int from = 0;
        int to = text.length;
        while (from < to && normalized(text[from]) == ' ') {
            from++;
        }
        while (from < to && normalized(text[to - 1]) == ' ') {
            to--;
        }
        int length = to - from;
        TaskMemory.take((long) Integer.BYTES * length, () -> "a string of %,d characters".formatted(length));
        int[] normalized = new int[length];
        for (int i = 0; i < length; i++) {
            normalized[i] = normalized(text[from + i]);
        }
        return normalized;
    }

    /** Returns the character that replaces a character: a lowercase letter, a number, or a space. */
    static int normalized(int character) {
        return Integer.compareUnsigned(character, ASCII) < 0 ? OF_ASCII[character] : compute(character);
    }

    private static int compute(int character) {
        return switch (Character.getType(character)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> Character.toLowerCase(character);
            default -> ' ';
        };
    }
}
