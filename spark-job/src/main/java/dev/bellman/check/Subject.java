package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import java.util.List;

/**
 * An endless stream of numbered instances, one or more ways to solve them, and a reference for the results. Not
 * thread-safe.
 */
interface Subject {
    String function();

    /** Returns the names of the strategies, or of other ways to compute the same results. */
    List<String> strategies();

    Engine engine();

    /**
     * Returns the query that the subject shares with other subjects, of which only one may run at a time; null if there
     * is none.
     */
    default Object query() {
        return null;
    }

    /** Returns the maximum number of instances in the first batch. */
    int first();

    /** Returns the number of seconds per instance to assume until some instances have run. */
    double seconds();

    /**
     * Prepares for comparisons before each batch. The first call may take longer than solving a few instances, so its
     * time does not count.
     */
    default void prepare() {}

    /** Compares instances {@code from} to {@code to - 1}. Returns one tally per strategy. */
    List<Tally> compare(long from, long to);

    /**
     * Explains differences that {@link #compare} has found, using minimized instances if the subject can minimize them.
     */
    List<Finding> differences(List<Tally> tallies);

    /** Returns the finding for a range of instances that fails. */
    Finding failure(long from, long to, Exception failure);

    /** Whether the subject can continue after a difference or failure has been found. */
    default boolean goesOn() {
        return false;
    }

    /** Searches for differences in how rows are rejected, for this many seconds, and returns those found. */
    default List<Finding> rejections(double seconds) {
        return List.of();
    }

    /** Returns the strategies and the engine in printed form. */
    default String solver() {
        return "%s on %s".formatted(String.join(", ", strategies()), Strategies.name(engine()));
    }
}
