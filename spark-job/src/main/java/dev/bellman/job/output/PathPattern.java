package dev.bellman.job.output;

/** Patterns in paths, with the syntax of Spark's readers: {@code *}, {@code ?}, {@code [ab]} and {@code {a,b}}. */
public final class PathPattern {
    private static final String SPECIAL = "[\\\\{}\\[\\]*?]";

    private PathPattern() {}

    /** Returns a pattern that matches exactly this path. */
    public static String literal(String path) {
        return path.replaceAll(SPECIAL, "\\\\$0");
    }

    static boolean isPattern(String path) {
        return !path.equals(literal(path));
    }
}
