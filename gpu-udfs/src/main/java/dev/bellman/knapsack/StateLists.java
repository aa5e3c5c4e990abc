package dev.bellman.knapsack;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Represents the rows of the {@link CapacityTable} as lists of their steps, which are the weights at which the value
 * increases, after Nemhauser and Ullmann, "Discrete dynamic programming and capital allocation" (1969). Regardless of
 * the capacity, a list is short if there are few options or if the best options are both lighter and more valuable than
 * others. A rounded sum never decreases as a value grows, so omitting states does not change sums of doubles.
 */
final class StateLists {
    /** The memory that a list takes in addition to its states, as a number of states. */
    private static final int STATES_OF_A_LIST = 6;

    /** The number of bytes per state, in its list and while two lists are merged. */
    static final int BYTES_OF_A_STATE = 64;

    /** Weights and values, both in ascending order. */
    private record States(long[] weights, long[] values) {
        static final States START = new States(new long[1], new long[1]);

        int length() {
            return weights.length;
        }

        /** Returns the value at a capacity of at least 0. */
        long at(long capacity) {
            int place = Arrays.binarySearch(weights, capacity);
            return values[place >= 0 ? place : -place - 2];
        }
    }

    private final String function;
    private final Options options;
    private final long capacity;
    private final Cancellation cancellation = new Cancellation();

    StateLists(String function, Options options, long capacity) {
        this.function = function;
        this.options = options;
        this.capacity = capacity;
    }

    /**
     * Sets the index of the chosen option of each class.
     *
     * @param mostStates the approximate maximum number of states in all lists together
     * @return false if there are more states, in which case no options are set
     */
    boolean choose(long mostStates, int[] chosen) {
        States[] lists = new States[options.classes() + 1];
        lists[0] = States.START;
        long left = mostStates;
        for (int k = 0; k < options.classes(); k++) {
            States states = null;
            for (int o = options.starts()[k]; o < options.starts()[k + 1]; o++) {
                if (options.weights()[o] <= capacity) {
                    States with = with(lists[k], options.weights()[o], options.values()[o]);
                    states = states == null ? with : merged(states, with);
                    if (states.length() > left) {
                        return false;
                    }
                }
            }
            lists[k + 1] = states;
            left -= states.length() + STATES_OF_A_LIST;
        }
        long c = capacity;
        for (int k = options.classes() - 1; k >= 0; k--) {
            long value = lists[k + 1].at(c);
            int o = options.starts()[k];
            while (options.weights()[o] > c
                    || options.sum(lists[k].at(c - options.weights()[o]), options.values()[o]) != value) {
                o++;
            }
            chosen[k] = o - options.starts()[k];
            c -= options.weights()[o];
        }
        return true;
    }

    /** Returns the states after adding an option, without those that exceed the capacity. */
    private States with(States before, long weight, long value) {
        if (weight == 0 && value == 0) {
            return before;
        }
        int place = Arrays.binarySearch(before.weights(), capacity - weight);
        int count = place >= 0 ? place + 1 : -place - 1;
        cancellation.count(count);
        long[] weights = new long[count];
        long[] values = new long[count];
        for (int s = 0; s < count; s++) {
            weights[s] = before.weights()[s] + weight;
        }
        if (options.real()) {
            Arrays.setAll(values, s -> Options.realSum(before.values()[s], value));
        } else {
            for (int s = 0; s < count; s++) {
                values[s] = TableRow.checked(function, before.values()[s] + value);
            }
        }
        return new States(weights, values);
    }

    /**
     * Merges two lists, without states for which another state has at most the same weight and at least the same value.
     */
    private States merged(States a, States b) {
        cancellation.count(4L * (a.length() + b.length()));
        long[] weights = new long[a.length() + b.length()];
        long[] values = new long[weights.length];
        int count = 0;
        int i = 0;
        int j = 0;
        long best = -1;
        while (i < a.length() || j < b.length()) {
            boolean first = j == b.length()
                    || i < a.length()
                            && (a.weights()[i] < b.weights()[j]
                                    || a.weights()[i] == b.weights()[j] && a.values()[i] >= b.values()[j]);
            States from = first ? a : b;
            int at = first ? i++ : j++;
            if (from.values()[at] > best) {
                best = from.values()[at];
                weights[count] = from.weights()[at];
                values[count++] = best;
            }
        }
        return new States(Arrays.copyOf(weights, count), Arrays.copyOf(values, count));
    }
}
