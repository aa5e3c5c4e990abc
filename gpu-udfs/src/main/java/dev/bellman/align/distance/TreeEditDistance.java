package dev.bellman.align.distance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.align.distance.LabelTree.Ordered;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * The edit distance between ordered trees with labels. The algorithm is by K. Zhang and D. Shasha, "Simple fast
 * algorithms for the editing distance between trees and related problems" (1989).
 *
 * <p>A forest is a range of nodes in postorder. For each pair of key roots, a table contains the distances between all
 * forests that begin at the leftmost leaves of the two key roots. The distances between whole subtrees are stored for
 * the tables of later key roots.
 *
 * <pre>{@code
 * d(..i, ..j) = min(d(..i - 1, ..j) + delete, d(..i, ..j - 1) + insert,
 *                   d(..left(i) - 1, ..left(j) - 1) + tree(i, j))
 * }</pre>
 *
 * <p>Here, {@code left(i)} is the leftmost leaf in the subtree of {@code i}. If both forests are trees, the last
 * candidate is instead {@code d(..i - 1, ..j - 1)} plus the cost of renaming {@code i} to {@code j}.
 */
public final class TreeEditDistance {
    /** Both strategies return the same distances. */
    public enum Strategy {
        /** Solves either the trees or their mirror images, whichever need fewer cells. */
        AUTO,
        /** Solves the trees from left to right. */
        SERIAL
    }

    static final String BRACKETS = "brackets";
    private static final String JSON = "json";

    /** The position of the argument {@code format}. */
    private static final int FORMAT = 5;

    private static final int MAX_CELLS = Integer.MAX_VALUE - 8;

    private final Ordered a;
    private final Ordered b;
    private final long insert;
    private final long delete;
    private final long rename;
    private final int columns;
    /** The distances between subtrees, row by row. */
    private final long[] trees;
    /** The distances between forests; row 0 and column 0 represent empty forests. */
    private final long[] forests;

    private final Cancellation cancellation = new Cancellation();

    private TreeEditDistance(Ordered a, Ordered b, long insert, long delete, long rename) {
        this.a = a;
        this.b = b;
        this.insert = insert;
        this.delete = delete;
        this.rename = rename;
        int rows = a.labels().length;
        columns = b.labels().length;
        long cells = (rows + 1L) * (columns + 1L);
        String instance = "the table for %,d by %,d nodes".formatted(rows, columns);
        if (cells > MAX_CELLS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "tree_edit_distance: %s exceeds %,d cells, the limit for one row".formatted(instance, MAX_CELLS));
        }
        TaskMemory.take("tree_edit_distance", 2 * Long.BYTES * cells, "", () -> instance);
        trees = new long[rows * columns];
        forests = new long[(int) cells];
    }

    static void checkCost(String function, int cost) {
        if (cost < 0) {
            throw BellmanException.inSetting(function, "a cost is %,d; costs must not be negative".formatted(cost));
        }
    }

    static Object solve(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        for (int k = 2; k < FORMAT; k++) {
            checkCost(function, arguments.integer(k));
        }
        Map<String, Integer> numbers = new HashMap<>();
        LabelTree a = tree(arguments, 0, "a", numbers);
        LabelTree b = tree(arguments, 1, "b", numbers);
        Ordered left = a.ordered(false);
        Ordered leftOther = b.ordered(false);
        Ordered right = a.ordered(true);
        Ordered rightOther = b.ordered(true);
        boolean isMirrored = strategy == Strategy.AUTO
                && (double) right.work() * rightOther.work() < (double) left.work() * leftOther.work();
        Ordered of = isMirrored ? right : left;
        Ordered to = isMirrored ? rightOther : leftOther;
        options.cells().add((long) Math.min(Long.MAX_VALUE, (double) of.work() * to.work()));
        return new TreeEditDistance(of, to, arguments.integer(2), arguments.integer(3), arguments.integer(4))
                .distance();
    }

    private static LabelTree tree(Arguments arguments, int place, String name, Map<String, Integer> numbers) {
        String function = arguments.function();
        String format = arguments.string(FORMAT).toString();
        return isJson(function, format)
                ? JsonTreeParser.parse(function, name, arguments.string(place), numbers)
                : BracketParser.parse(function, name, arguments.string(place), numbers);
    }

    /** Whether trees in this format are JSON values. Throws an exception unless the format is known. */
    static boolean isJson(String function, String format) {
        boolean isJson = format.equals(JSON);
        if (!isJson && !format.equals(BRACKETS)) {
            throw BellmanException.inSetting(
                    function, "format is '%s'; it must be %s or %s".formatted(format, BRACKETS, JSON));
        }
        return isJson;
    }

    private long distance() {
        for (int rootA : a.keyRoots()) {
            for (int rootB : b.keyRoots()) {
                fill(rootA, rootB);
            }
        }
        return trees[trees.length - 1];
    }

    /** Fills the table for a pair of key roots. */
    private void fill(int rootA, int rootB) {
        int firstA = a.leftmost()[rootA];
        int firstB = b.leftmost()[rootB];
        int width = columns + 1;
        for (int j = firstB; j <= rootB; j++) {
            forests[j - firstB + 1] = (j - firstB + 1) * insert;
        }
        for (int i = firstA; i <= rootA; i++) {
            cancellation.count(rootB - firstB + 1L);
            int row = (i - firstA + 1) * width;
            // the row of the forest that ends before the subtree of node i
            int before = (a.leftmost()[i] - firstA) * width;
            boolean isTree = a.leftmost()[i] == firstA;
            forests[row] = (i - firstA + 1) * delete;
            for (int j = firstB; j <= rootB; j++) {
                int column = j - firstB + 1;
                long edited = Math.min(forests[row - width + column] + delete, forests[row + column - 1] + insert);
                int place = i * columns + j;
                if (isTree && b.leftmost()[j] == firstB) {
                    long renamed = a.labels()[i] == b.labels()[j] ? 0 : rename;
                    edited = Math.min(edited, forests[row - width + column - 1] + renamed);
                    trees[place] = edited;
                } else {
                    edited = Math.min(edited, forests[before + b.leftmost()[j] - firstB] + trees[place]);
                }
                forests[row + column] = edited;
            }
        }
    }
}
