package dev.bellman.check;

import dev.bellman.Strategies;
import java.util.List;

/**
 * An endless stream of numbered instances, a way to solve them, and what the answers are compared with. For one thread
 * at a time.
 */
interface Subject {
    /** The name of the function. */
    String function();

    /** The name of the strategy, or of another way to the same answers. */
    String strategy();

    Engine engine();

    /** The most instances of the first batch. */
    int first();

    /** The assumed seconds of an instance, until some have run. */
    double seconds();

    /** Whether the answers are compared with the textbook's. */
    boolean hasOracle();

    /** Makes ready to compare, once, which takes longer than a few instances do. */
    default void prepare() {}

    /** Compares instances {@code from} to {@code to - 1}. */
    Tally compare(long from, long to);

    /** Why an instance differs, made as small as possible. */
    Finding difference(long number);

    /** Why these instances fail. */
    Finding failure(long from, long to, Exception failure);

    /** Differences in how rows are rejected, as far as they are found in this time. */
    default List<Finding> rejections(double seconds) {
        return List.of();
    }

    /** Its form in a line of output: strategy and engine. */
    default String solver() {
        return "%s on %s".formatted(strategy(), Strategies.name(engine()));
    }
}
