package dev.bellman.job.progress;

import java.util.Locale;

/** Formats numbers for messages and reports. */
public final class Quantity {
    private static final String[] PREFIXES = {"", " k", " M", " G", " T", " P"};

    private Quantity() {}

    /**
     * Formats a number with three significant digits and a prefix for the unit, as in {@code 12.3 M}; integers below
     * 1,000 have no decimals.
     */
    public static String scaled(double value) {
        int at = 0;
        double rest = value;
        while (rest >= 999.5 && at < PREFIXES.length - 1) {
            rest /= 1000;
            at++;
        }
        boolean whole = at == 0 && rest == Math.rint(rest);
        int decimals = whole || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f%s", rest, PREFIXES[at]);
    }

    /** Returns a count with its noun, as in {@code 1 row} or {@code 1,200 rows}. */
    public static String count(long count, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    /** Formats a number of bytes with a unit, as in {@code 12.3 MB}. */
    public static String bytes(long bytes) {
        String text = scaled(bytes);
        return text.contains(" ") ? text + "B" : text + " B";
    }

    /** Formats a duration, as in {@code 0.42 s}, {@code 12 s}, {@code 3 min 5 s} or {@code 2 h 7 min}. */
    public static String duration(double seconds) {
        if (seconds < 9.95) {
            return String.format(Locale.ROOT, seconds < 0.995 ? "%.2f s" : "%.1f s", seconds);
        }
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? "%d min %d s".formatted(whole / 60, whole % 60)
                : "%d h %d min".formatted(whole / 3600, whole % 3600 / 60);
    }
}
