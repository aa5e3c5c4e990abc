package dev.bellman.align.linkage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far two clusters are from each other, by the distances between a string of one and a string of the other. */
public enum Linkage {
    /** The smallest distance: clusters are connected components. */
    SINGLE,
    /** The largest distance: it limits the diameter of clusters. */
    COMPLETE,
    /** The mean distance, also known as UPGMA. */
    AVERAGE;

    /** The valid linkages, for messages. */
    public static final String NAMES = "single, complete or average";

    /** The linkage of that name, if there is one. */
    public static Optional<Linkage> named(String name) {
        return Arrays.stream(values())
                .filter(linkage -> linkage.sqlName().equals(name))
                .findFirst();
    }

    /** The name in SQL. */
    public String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
