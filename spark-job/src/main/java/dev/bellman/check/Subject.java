package dev.bellman.check;

import dev.bellman.Strategies;
import java.util.List;

/**
 * An endless stream of numbered instances, one or several ways to solve them, and what the answers are compared with.
 * For one thread at a time.
 */
interface Subject {
    /** The name of the function. */
    String function();

    /** The names of the strategies, or of other ways to the same answers. */
    List<String> strategies();

    Engine engine();

    /** The maximum number of instances of the first batch. */
    int first();

    /** The assumed seconds of an instance, until some have run. */
    double seconds();

    /** Makes ready to compare, once, which takes longer than a few instances do. */
    default void prepare() {}

    /** Compares instances {@code from} to {@code to - 1}: a tally for each strategy. */
    List<Tally> compare(long from, long to);

    /** Why instances differ that {@link #compare} found, made as small as possible. */
    List<Finding> differences(List<Tally> tallies);

    /** Returns the finding of instances that fail. */
    Finding failure(long from, long to, Exception failure);

    /** Whether anything is left to compare after a difference or a failure. */
    default boolean goesOn() {
        return false;
    }

    /** Differences in how rows are rejected, as far as they are found in this time. */
    default List<Finding> rejections(double seconds) {
        return List.of();
    }

    /** Its text in a line of output: strategy and engine. */
    default String solver() {
        return "%s on %s".formatted(String.join(", ", strategies()), Strategies.name(engine()));
    }
}
