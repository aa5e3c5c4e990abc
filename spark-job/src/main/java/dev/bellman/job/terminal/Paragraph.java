package dev.bellman.job.terminal;

import java.util.ArrayList;
import java.util.List;

/** Wraps text into lines. */
public final class Paragraph {
    private static final int MAX_WIDTH = 100;

    private Paragraph() {}

    /**
     * Wraps text into lines that fit the terminal.
     *
     * @param first the indentation of the first line
     * @param others the indentation of the other lines
     */
    public static String of(String first, String others, String text) {
        int width = Math.min(MAX_WIDTH, TextTable.width());
        return String.join("\n", lines(first, others, text, width)) + "\n";
    }

    /** Wraps text into lines of at most {@code width} characters; a longer word has its own line. */
    public static List<String> lines(String first, String others, String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(first);
        for (String word : text.split(" ")) {
            boolean isStart = line.toString().isBlank();
            if (!isStart && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(others);
                isStart = true;
            }
            line.append(isStart ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
