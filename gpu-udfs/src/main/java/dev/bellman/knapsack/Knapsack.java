package dev.bellman.knapsack;

import dev.bellman.BellmanException;
import dev.bellman.CallMemory;
import dev.bellman.CellCounter;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;

/**
 * Chooses one option from each class so that the total weight does not exceed a capacity and the total value is
 * maximal. Ties: classes are considered from the last to the first, and in each class, the first possible option wins.
 *
 * <p>The choice is the traceback through the {@link CapacityTable}. If the table's rows have few steps,
 * {@link StateLists} are faster and do not limit the capacity. DOUBLE values require these lists, because halving the
 * table would change the order of additions. The values are added in the order of the classes.
 */
public final class Knapsack {
    /** Both strategies make the same choice. */
    public enum Strategy {
        /** Uses {@link StateLists} if the lists are short, otherwise the table. */
        AUTO,
        /** Uses {@link StateLists}. */
        SERIAL
    }

    /** The cost of a state, relative to a table cell. */
    private static final int CELLS_OF_A_STATE = 16;

    private Knapsack() {}

    /**
     * Returns the index of the chosen option of each class.
     *
     * @param capacity at least 0
     * @throws BellmanException if the lightest options exceed the capacity, if the value exceeds 64 bits, or if neither
     *     the lists nor the table fit in memory
     */
    static int[] choose(String function, Options given, long capacity, Strategy strategy, CellCounter cells) {
        return choose(function, given, capacity, strategy, 0, cells);
    }

    /**
     * Like {@link #choose(String, Options, long, Strategy, CellCounter)}, but does not begin with lists that would not
     * fit.
     *
     * @param minStates a lower bound on the number of states in the lists
     */
    static int[] choose(
            String function, Options given, long capacity, Strategy strategy, long minStates, CellCounter cells) {
        Options.Reduced reduced = given.reduced(function, capacity);
        Options options = reduced.options();
        long width = reduced.capacity();
        cells.add((long) Math.min(Long.MAX_VALUE, options.classes() * (width + 1.0)));
        int[] chosen = new int[options.classes()];
        long mostStates = TaskMemory.left() / StateLists.BYTES_OF_A_STATE;
        boolean hasTable = strategy == Strategy.AUTO
                && !options.real()
                && width <= CapacityTable.MAX_CAPACITY
                && CapacityTable.bytes(options, (int) width) <= TaskMemory.left();
        if (hasTable) {
            mostStates = Math.min(mostStates, options.weights().length * (width + 1) / CELLS_OF_A_STATE);
        }
        boolean done = false;
        if (minStates <= mostStates) {
            long bytes = mostStates * StateLists.BYTES_OF_A_STATE;
            TaskMemory.take(function, bytes, "", () -> "lists of states");
            done = new StateLists(function, options, width).choose(mostStates, chosen);
            TaskMemory.release(bytes);
        }
        if (!done && !hasTable) {
            throw tooLarge(function, mostStates, options, width);
        }
        if (!done) {
            new CapacityTable(function, options, (int) width, CapacityTable.MAX_KEPT_BYTES)
                    .choose(0, options.classes(), (int) width, chosen);
        }
        return chosen;
    }

    private static BellmanException tooLarge(String function, long mostStates, Options options, long width) {
        String table = options.real() ? "" : ", and a table of %,d capacities does not fit either".formatted(width);
        return new BellmanException(
                ErrorCode.BELLMAN_LIMIT,
                ("%1$s: %2$,d items or classes have more than %3$,d partial solutions, which do not fit in the task's "
                                + "memory%4$s. Use a smaller capacity, larger units, %5$s")
                        .formatted(function, options.classes(), mostStates, table, CallMemory.REMEDY));
    }
}
