package dev.bellman.job.terminal;

import java.util.stream.Collectors;

/**
 * Makes text from inputs and job files safe for a terminal: escapes characters that move the cursor or change the
 * direction of the text.
 */
public final class Printable {
    private Printable() {}

    /** A name or a value, kept on one line. */
    public static String text(String text) {
        return escaped(text, "");
    }

    /** A message or a table of several lines. */
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

    /** Control characters, line separators and characters that set the direction of writing. */
    private static boolean moves(int character) {
        return Character.isISOControl(character)
                || character == 0x061c
                || character == 0x200e
                || character == 0x200f
                || character >= 0x2028 && character <= 0x202e
                || character >= 0x2066 && character <= 0x2069;
    }
}
