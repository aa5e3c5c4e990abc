package dev.bellman.chain.matrix.paper;

import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * The pipeline by Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation on GPU"
 * (2018), for a matrix chain. This class models the work of the pipeline's threads in each step.
 *
 * <p>The products form a sequence that starts with the products of two matrices; there are {@code n - d} products with
 * {@code d} splits each. In each step the head advances by one product, and stage {@code t}, counted from 0, processes
 * one split of the product {@code t} positions before the head. The paper processes splits from the left and therefore
 * reads costs before they are final. The right part of the first split has only one split fewer than the product, so in
 * a long product, this part is not final yet when the product begins. Either of two changes fixes this:
 *
 * <ul>
 * <li>Splits are processed from the middle outwards, so that the longest parts are read last. The number of steps is
 * the paper's, {@code n (n - 1) / 2 + n - 2}; in a few cases, two threads read the same cost at once.
 * <li>Each diagonal is delayed so that its products read only final costs, which takes about {@code 3 n^2 / 4} steps;
 * no two threads read the same cost at once.
 * </ul>
 */
public final class ChainPipeline {
    /**
     * The quantities that the paper analyses.
     *
     * @param steps the number of steps of the whole computation
     * @param earlyReads the number of reads of costs that were not final in the previous step
     * @param concurrentReads the number of reads of a cost that another thread reads in the same substep: left parts
     *     are read in the first substep, right parts in the second
     */
    public record Analysis(long steps, long earlyReads, long concurrentReads) {}

    private final int matrices;
    private final IntBinaryOperator order;
    /** The step in which the first product with a given number of splits begins, indexed by the number of splits. */
    private final int[] begins;

    /**
     * @param order maps a product's number of splits, and a stage, to the number of matrices in the left part
     * @param slots maps the number of splits of a diagonal's products to the number of steps from the beginning of this
     *     diagonal to the beginning of the next
     */
    ChainPipeline(int matrices, IntBinaryOperator order, IntUnaryOperator slots) {
        this.matrices = matrices;
        this.order = order;
        begins = new int[matrices + 1];
        for (int splits = 1; splits < matrices; splits++) {
            begins[splits + 1] = begins[splits] + slots.applyAsInt(splits);
        }
    }

    /**
     * Orders splits by ascending {@code max(left - 1, right - 1)}, where {@code left} and {@code right} are the numbers
     * of matrices in both parts.
     */
    public static ChainPipeline middleOutwards(int matrices) {
        return new ChainPipeline(
                matrices,
                (splits, stage) -> {
                    int side = (splits & 1) == (stage & 1) ? -1 : 1;
                    return (splits + 1) / 2 + side * ((stage + 1) / 2);
                },
                splits -> matrices - splits);
    }

    public static ChainPipeline delayed(int matrices) {
        return new ChainPipeline(
                matrices, (splits, stage) -> stage + 1, splits -> Math.max(matrices - splits, splits + 1));
    }

    public long steps() {
        return matrices < 2 ? 0 : begins[matrices - 1] + matrices - 1L;
    }

    /** Simulates all steps in O(n^3). */
    public Analysis analyse() {
        long early = 0;
        long concurrent = 0;
        long[] lefts = new long[matrices * matrices];
        long[] rights = new long[matrices * matrices];
        Arrays.fill(lefts, -1);
        Arrays.fill(rights, -1);
        for (int step = 0; step < steps(); step++) {
            for (int splits = 1; splits < matrices && begins[splits] <= step; splits++) {
                for (int start = first(step, splits); start <= last(step, splits); start++) {
                    int split = order.applyAsInt(splits, step - begins[splits] - start);
                    int middle = start + split;
                    early += finished(start, middle - 1) < step ? 0 : 1;
                    early += finished(middle, start + splits) < step ? 0 : 1;
                    concurrent += lefts[start * matrices + middle - 1] == step ? 1 : 0;
                    concurrent += rights[middle * matrices + start + splits] == step ? 1 : 0;
                    lefts[start * matrices + middle - 1] = step;
                    rights[middle * matrices + start + splits] = step;
                }
            }
        }
        return new Analysis(steps(), early, concurrent);
    }

    /**
     * Returns the table: the cost of the matrices {@code i} to {@code j}, counted from 0, is at {@code [i][j]}. In each
     * step, all threads read, then all threads write. Overflow is not checked.
     */
    long[][] solve(long[] dims) {
        long[][] costs = new long[matrices][matrices];
        long[] found = new long[matrices];
        for (int step = 0; step < steps(); step++) {
            // one iteration per thread, that is, per stage
            for (int splits = 1; splits < matrices && begins[splits] <= step; splits++) {
                for (int start = first(step, splits); start <= last(step, splits); start++) {
                    int stage = step - begins[splits] - start;
                    int middle = start + order.applyAsInt(splits, stage);
                    found[stage] = costs[start][middle - 1]
                            + costs[middle][start + splits]
                            + dims[start] * dims[middle] * dims[start + splits + 1];
                }
            }
            for (int splits = 1; splits < matrices && begins[splits] <= step; splits++) {
                for (int start = first(step, splits); start <= last(step, splits); start++) {
                    int stage = step - begins[splits] - start;
                    long before = stage == 0 ? Long.MAX_VALUE : costs[start][start + splits];
                    costs[start][start + splits] = Math.min(before, found[stage]);
                }
            }
        }
        return costs;
    }

    /**
     * Returns the first product with the given number of splits on which a stage works. Earlier products are complete,
     * because their last splits have been processed.
     */
    private int first(int step, int splits) {
        return Math.max(0, step - begins[splits] - splits + 1);
    }

    private int last(int step, int splits) {
        return Math.min(matrices - splits - 1, step - begins[splits]);
    }

    /** Returns the step that processes the last split of the matrices from start to end. */
    private int finished(int start, int end) {
        int splits = end - start;
        return splits == 0 ? -1 : begins[splits] + start + splits - 1;
    }
}
