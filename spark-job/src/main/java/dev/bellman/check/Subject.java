package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import java.util.List;

/**
 * An endless stream of numbered instances, with one or more ways to solve them and a reference for their results. Not
 * thread-safe.
 */
interface Subject {
    /** Returns the name of the function. */
    String function();

    /** Returns the names of the strategies, or of other ways to compute the same results. */
    List<String> strategies();

    Engine engine();

    /** Returns the query that the subject shares with others, of which only one may run at a time; null if none. */
    default Object query() {
        return null;
    }

    /** Returns the maximum number of instances of the first batch. */
    int first();

    /** Returns the seconds per instance to assume until some have run. */
    double seconds();

    /** Prepares for comparisons. This method is called once, because it takes longer than solving a few instances. */
    default void prepare() {}

    /** Compares instances {@code from} to {@code to - 1}. Returns one tally per strategy. */
    List<Tally> compare(long from, long to);

    /** Explains the differences that {@link #compare} found, with minimized instances. */
    List<Finding> differences(List<Tally> tallies);

    /** Returns the finding for instances that fail. */
    Finding failure(long from, long to, Exception failure);

    /** Whether the subject can continue after a difference or a failure. */
    default boolean goesOn() {
        return false;
    }

    /** Returns differences in the rejection of rows, after searching for this many seconds. */
    default List<Finding> rejections(double seconds) {
        return List.of();
    }

    /** Returns the strategy and the engine in their printed form. */
    default String solver() {
        return "%s on %s".formatted(String.join(", ", strategies()), Strategies.name(engine()));
    }
}
