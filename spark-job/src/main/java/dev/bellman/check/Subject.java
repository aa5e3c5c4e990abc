package dev.bellman.check;

import dev.bellman.Strategies;
import java.util.List;

/**
 * An endless stream of numbered instances, one or more ways to solve them, and the reference for their answers. Not
 * thread-safe.
 */
interface Subject {
    /** Returns the name of the function. */
    String function();

    /** Returns the names of the strategies, or of other ways to compute the same answers. */
    List<String> strategies();

    Engine engine();

    /** Returns the maximum number of instances of the first batch. */
    int first();

    /** Returns the assumed seconds per instance, until some have run. */
    double seconds();

    /** Prepares for comparing, once. This takes longer than solving a few instances. */
    default void prepare() {}

    /** Compares instances {@code from} to {@code to - 1}; returns one tally per strategy. */
    List<Tally> compare(long from, long to);

    /** Explains the differences that {@link #compare} found, with minimized instances. */
    List<Finding> differences(List<Tally> tallies);

    /** Returns the finding for instances that fail. */
    Finding failure(long from, long to, Exception failure);

    /** Whether anything is left to compare after a difference or a failure. */
    default boolean goesOn() {
        return false;
    }

    /** Returns differences in how rows are rejected, as far as they are found in this time. */
    default List<Finding> rejections(double seconds) {
        return List.of();
    }

    /** Returns the strategy and the engine, as printed in a line of output. */
    default String solver() {
        return "%s on %s".formatted(String.join(", ", strategies()), Strategies.name(engine()));
    }
}
