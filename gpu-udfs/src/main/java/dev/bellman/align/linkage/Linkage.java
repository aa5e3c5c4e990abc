package dev.bellman.align.linkage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Defines the distance between two clusters in terms of the distances between their strings. */
public enum Linkage {
    /** Uses the minimum distance, so that clusters are connected components. */
    SINGLE,
    /** Uses the maximum distance, which limits the diameter of clusters. */
    COMPLETE,
    /** Uses the mean distance, also known as UPGMA. */
    AVERAGE;

    /** The valid linkages, for messages. */
    public static final String NAMES = "single, complete or average";

    /** Returns the linkage with the given name, or empty if there is none. */
    public static Optional<Linkage> named(String name) {
        return Arrays.stream(values())
                .filter(linkage -> linkage.sqlName().equals(name))
                .findFirst();
    }

    /** Returns the name in SQL. */
    public String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
