package dev.bellman.order;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The best join of each set of relations. If the graph is large and few sets are connected, a hash table contains only
 * the connected sets; otherwise, arrays contain all sets, and a set's number is its index.
 */
final class JoinSets {
    /** The maximum number of relations for which there are arrays of all sets. */
    private static final int INDEXED = 25;

    private static final int MAX_SETS = 1 << INDEXED;
    /** The maximum number of relations for which arrays of all sets are always used, because they are small. */
    private static final int SMALL = 12;
    /** A hash table is used if there are at least this many times as many sets as connected sets. */
    private static final int SPARSE = 8;

    private static final int BYTES_OF_A_SET = 2 * Double.BYTES + Long.BYTES;
    /** A multiplier that spreads numbers with few set bits over the places: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** The sets in the hash table, where 0 marks a free place; empty if a set's number is its index. */
    private final long[] table;

    final double[] rows;
    final double[] costs;
    /** For each set, the part of its best split that contains the lowest-numbered relation. */
    final long[] parts;

    private JoinSets(long[] table, double[] rows) {
        this.table = table;
        this.rows = rows;
        costs = new double[rows.length];
        parts = new long[rows.length];
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
    }

    /** Returns a table that contains either the connected sets or all sets. */
    static JoinSets ofConnected(JoinGraph graph, boolean isBlock) {
        int relations = graph.relations();
        if (relations <= SMALL) {
            return ofAll(graph, isBlock);
        }
        boolean isIndex = relations <= INDEXED;
        int limit = isIndex ? (1 << relations) / SPARSE : MAX_SETS;
        int connected = count(graph, limit);
        if (connected <= limit) {
            return hashed(graph, connected);
        }
        if (isIndex) {
            return ofAll(graph, isBlock);
        }
        throw tooManySets(
                isBlock
                        ? "a block of %d subtrees has more than %,d connected sets; decrease block_size, for example "
                                + "to 12"
                        : "the graph of %d relations has more than %,d connected sets; set block_size, for example to "
                                + "12",
                relations);
    }

    /** Returns a table of all sets. */
    static JoinSets ofAll(JoinGraph graph, boolean isBlock) {
        int relations = graph.relations();
        if (relations > INDEXED) {
            throw tooManySets(
                    isBlock
                            ? "the strategy serial tries all sets of a block's %d subtrees, which are more than %,d "
                                    + "sets; use the strategy auto, or decrease block_size, for example to 12"
                            : "the strategy serial tries all sets of %d relations, which are more than %,d sets; use "
                                    + "the strategy auto",
                    relations);
        }
        reserve((long) BYTES_OF_A_SET << relations, relations);
        return new JoinSets(new long[0], graph.rows());
    }

    private static BellmanException tooManySets(String problem, int relations) {
        return new BellmanException(
                ErrorCode.BELLMAN_LIMIT, "join_order: %s".formatted(problem.formatted(relations, MAX_SETS)));
    }

    private static void reserve(long bytes, int relations) {
        TaskMemory.take(bytes, () -> "the table for the subsets of %d relations".formatted(relations));
    }

    private static JoinSets hashed(JoinGraph graph, int connected) {
        int places = Integer.highestOneBit(Math.max(1, connected)) << 2;
        reserve((long) (BYTES_OF_A_SET + Long.BYTES) * places, graph.relations());
        JoinSets sets = new JoinSets(new long[places], new double[places]);
        Cancellation cancellation = new Cancellation();
        graph.forEachConnectedSet(set -> {
            int at = sets.indexOf(set);
            sets.table[at] = set;
            sets.rows[at] = graph.rows(set);
            cancellation.count(graph.relations());
            return true;
        });
        return sets;
    }

    /** Returns the number of connected sets, or a number above the limit if there are more. */
    private static int count(JoinGraph graph, int limit) {
        int[] found = new int[1];
        Cancellation cancellation = new Cancellation();
        graph.forEachConnectedSet(set -> {
            cancellation.count(1);
            return found[0]++ < limit;
        });
        return found[0];
    }

    int size() {
        return table.length == 0
                ? rows.length
                : (int) Arrays.stream(table).filter(set -> set != 0).count();
    }

    int indexOf(long set) {
        if (table.length == 0) {
            return (int) set;
        }
        int at = (int) (set * SPREAD >>> Long.numberOfLeadingZeros(table.length) + 1);
        while (table[at] != set && table[at] != 0) {
            at = at + 1 & table.length - 1;
        }
        return at;
    }
}
