package dev.bellman.check;

import dev.bellman.Strategies;
import dev.bellman.check.Lane.Engine;
import java.util.List;
import java.util.Optional;

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

    /** A subject with one strategy and large instances, which are compared one by one and cannot be minimized. */
    abstract class Numbered implements Subject {
        private final String noun;
        private final String function;
        private final String strategy;
        private final Engine engine;
        final long seed;

        /** @param noun what messages call an instance, such as {@code table} */
        Numbered(String noun, String function, String strategy, Engine engine, long seed) {
            this.noun = noun;
            this.function = function;
            this.strategy = strategy;
            this.engine = engine;
            this.seed = seed;
        }

        /**
         * An instance that has been solved.
         *
         * @param instance a description of the instance
         * @param difference a description of a difference from the expected result; empty if there is none
         */
        record Compared(String instance, Optional<String> difference) {}

        /** Generates and solves an instance. */
        abstract Compared compared(long number);

        /** Whether the textbook computes the expected results. */
        abstract boolean isByTextbook();

        @Override
        public String function() {
            return function;
        }

        @Override
        public List<String> strategies() {
            return List.of(strategy);
        }

        @Override
        public Engine engine() {
            return engine;
        }

        @Override
        public int first() {
            return 1;
        }

        @Override
        public double seconds() {
            return 1;
        }

        @Override
        public List<Tally> compare(long from, long to) {
            Tally tally = new Tally();
            for (long number = from; number < to; number++) {
                tally.add(number, false, compared(number).difference().isPresent(), isByTextbook());
            }
            return List.of(tally);
        }

        @Override
        public List<Finding> differences(List<Tally> tallies) {
            long number = tallies.get(0).numbers().get(0);
            Compared compared = compared(number);
            return List.of(Finding.of(
                    this,
                    "%s %d with seed %d: %s".formatted(noun, number, seed, compared.instance()),
                    compared.difference().orElse("correct when repeated")));
        }

        @Override
        public Finding failure(long from, long to, Exception failure) {
            return Finding.of(this, "%ss %d to %d with seed %d".formatted(noun, from, to - 1, seed), failure);
        }
    }
}
