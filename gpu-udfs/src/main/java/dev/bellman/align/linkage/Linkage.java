package dev.bellman.align.linkage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the distance between two clusters follows from the distances between their strings. */
public enum Linkage {
    /** The minimum distance: clusters are connected components. */
    SINGLE,
    /** The maximum distance: it limits the diameter of clusters. */
    COMPLETE,
    /** The mean distance, also known as UPGMA. */
    AVERAGE;

    /** The valid linkages, for messages. */
    public static final String NAMES = "single, complete or average";

    /** Returns the linkage with this name, if there is one. */
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
