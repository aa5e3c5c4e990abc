package dev.bellman.job.terminal;

import java.util.stream.Collectors;

/**
 * Makes text from inputs and job files safe to print on a terminal: escapes characters that move the cursor or change
 * the text direction.
 */
public final class Printable {
    private Printable() {}

    /** Escapes a name or value, which then takes a single line. */
    public static String text(String text) {
        return escaped(text, "");
    }

    /** Escapes a message or table that has several lines. */
    public static String lines(String text) {
        return escaped(text, "\n\t");
    }

    private static String escaped(String text, String allowed) {
        return text.codePoints()
                .mapToObj(character -> allowed.indexOf(character) < 0 && moves(character)
                        ? "\\u%04x".formatted(character)
                        : Character.toString(character))
                .collect(Collectors.joining());
    }

    /** Whether a character is a control character, a line separator, or a character that sets the text direction. */
    private static boolean moves(int character) {
        return Character.isISOControl(character)
                || character == 0x061c
                || character == 0x200e
                || character == 0x200f
                || character >= 0x2028 && character <= 0x202e
                || character >= 0x2066 && character <= 0x2069;
    }
}
