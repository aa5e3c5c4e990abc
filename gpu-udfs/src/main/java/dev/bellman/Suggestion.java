package dev.bellman;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests known names that are similar to an unknown name. */
public final class Suggestion {
    /**
     * The maximum edit distance at which an unknown name is treated as a misspelling of a known name. It is smaller for
     * names of fewer than four characters.
     */
    private static final int NEAR = 3;

    private Suggestion() {}

    /** Returns {@code did you mean 'a', 'b' or 'c'?}, or empty if no known name is close. */
    public static Optional<String> of(String name, Collection<String> known) {
        List<String> nearest = known.stream()
                .filter(candidate -> distance(name, candidate) <= Math.min(NEAR, Math.max(1, name.length() - 1)))
                .sorted(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .limit(3)
                .toList();
        // keep only names that are almost as close as the nearest name
        List<String> near = nearest.stream()
                .filter(candidate -> distance(name, candidate) <= distance(name, nearest.get(0)) + 1)
                .toList();
        String names = near.stream().collect(Collectors.joining("', '", "did you mean '", "'?"));
        return near.isEmpty() ? Optional.empty() : Optional.of(names.replaceFirst(", ('[^']*'[?])$", " or $1"));
    }

    /**
     * Returns a space and {@code (did you mean 'a'?)}, to append to a message, or an empty string if no known name is
     * close.
     */
    public static String hint(String name, Collection<String> known) {
        return of(name, known).map(question -> " (" + question + ")").orElse("");
    }

    /** Returns {@code unknown command 'rnu'; expected one of run, show (did you mean 'run'?)}. */
    public static String unknown(String what, String name, Collection<String> known) {
        return "unknown %s '%s'; expected one of %s%s"
                .formatted(what, name, String.join(", ", known), hint(name, known));
    }

    /**
     * Returns the edit distance regardless of case, or {@link Integer#MAX_VALUE} if the lengths differ by more than
     * {@link #NEAR}. Returns 0 if the name is a prefix of the candidate, or is the part of the candidate after a hyphen
     * or a dot, as in {@code --mode} for {@code --output-mode}.
     */
    private static int distance(String unknown, String known) {
        String name = unknown.toLowerCase(Locale.ROOT);
        String candidate = known.toLowerCase(Locale.ROOT);
        String words = name.replaceFirst("^-+", "");
        boolean isPart = !words.isEmpty()
                && (candidate.startsWith(name) || candidate.endsWith("-" + words) || candidate.endsWith("." + words));
        if (isPart) {
            return 0;
        }
        return Math.abs(name.length() - candidate.length()) <= NEAR ? edits(name, candidate) : Integer.MAX_VALUE;
    }

    /**
     * Computes the edit distance row by row; it does not call Bellman's own function, because this package must not
     * depend on the packages that define functions.
     */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (i > 0 && a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = i == 0 ? j : Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
