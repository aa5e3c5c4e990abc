package dev.bellman.align.names;

import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Prepares a text as {@code rapidfuzz.utils.default_process} does: everything that is no letter, digit or number
 * becomes a space, letters become small ones, and spaces at both ends are left out. The number of characters between
 * the ends stays. Classes and small letters are as in Java's Unicode.
 */
final class DefaultProcess {
    private static final int ASCII = 128;
    private static final int[] OF_ASCII = new int[ASCII];

    static {
        Arrays.setAll(OF_ASCII, DefaultProcess::character);
    }

    private DefaultProcess() {}

    static int[] of(int[] text) {
        int from = 0;
        int to = text.length;
        while (from < to && processed(text[from]) == ' ') {
            from++;
        }
        while (from < to && processed(text[to - 1]) == ' ') {
            to--;
        }
        int length = to - from;
        TaskMemory.take((long) Integer.BYTES * length, () -> "a text of %,d characters".formatted(length));
        int[] processed = new int[length];
        for (int i = 0; i < length; i++) {
            processed[i] = processed(text[from + i]);
        }
        return processed;
    }

    private static int processed(int character) {
        return Integer.compareUnsigned(character, ASCII) < 0 ? OF_ASCII[character] : character(character);
    }

    private static int character(int character) {
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
