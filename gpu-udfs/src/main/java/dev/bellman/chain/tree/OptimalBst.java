package dev.bellman.chain.tree;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.CostArithmetic;
import dev.bellman.chain.LongSumTable;
import dev.bellman.chain.ParenthesizationTable;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;

/**
 * Finds the binary search tree in which searches need the fewest comparisons. There are {@code n} keys in order. A
 * search for key {@code i}, counted from 1, has the frequency {@code p[i - 1]}, and a search that ends between the keys
 * {@code i} and {@code i + 1} has the frequency {@code q[i]}. Therefore, {@code q} has one entry more than {@code p}.
 * In the functions, {@code q} is named {@code gap_frequencies}, and {@code p} is named {@code key_frequencies}. A
 * search costs the number of nodes that it visits, including the empty node at which it ends, as in Cormen et al.,
 * "Introduction to Algorithms", section 15.5.
 *
 * <p>The gaps 0 to {@code n} are the leaves of a parenthesization, and the tree over the gaps {@code a} to {@code b}
 * costs
 *
 * <pre>{@code
 * cost(a, a) = q[a]
 * cost(a, b) = w(a, b) + min over a < r <= b of cost(a, r - 1) + cost(r, b)
 * w(a, b)    = q[a] + p[a] + q[a + 1] + ... + p[b - 1] + q[b]
 * }</pre>
 *
 * <p><b>Roots.</b> If several roots are optimal, each range of gaps uses the smallest, {@code root(a, b)}. Knuth,
 * "Optimum binary search trees", Acta Informatica 1 (1971), shows
 * {@code root(a, b - 1) <= root(a, b) <= root(a + 1, b)}, which yields all roots in O(n^2). This holds for the smallest
 * roots: costs obey the quadrangle inequality {@code cost(a, b) + cost(a', b') <= cost(a', b) + cost(a, b')} for
 * {@code a <= a' <= b <= b'} (Yao, 1980; counting {@code q} once more in every leaf changes both sides equally).
 * Therefore, from {@code (a, b)} to {@code (a, b + 1)}, the candidate of a root {@code r} never gains on the candidate
 * of a larger root {@code r'}: {@code cost(r, b) + cost(r', b + 1) <= cost(r', b) + cost(r, b + 1)}. If all roots below
 * {@code r'} are worse at {@code (a, b)}, they are also worse at {@code (a, b + 1)}. In the same way, a root that is as
 * good as all larger roots at {@code (a + 1, b)} is also as good at {@code (a, b)}, so the smallest root at
 * {@code (a, b)} is at most the smallest root at {@code (a + 1, b)}.
 *
 * <p><b>Overflow.</b> The optimal tree of a range, cut at any root, contains trees for both sides. Therefore,
 * {@code cost(a, r - 1) + cost(r, b)} is never more than {@code cost(a, b)}, and a candidate exceeds 63 bits only if
 * the total cost exceeds 63 bits.
 *
 * <p><b>Doubles.</b> Rounded sums would violate the inequality and change the ties. Therefore, doubles are first
 * rounded to the nearest multiple of a power of two that is about 2^-56 times their sum; ties are rounded to even. All
 * further computations are exact, and the cost is rounded to a double at the end. The result is about as close to the
 * exact cost as sums of doubles are, and does not depend on the order of additions. A cost beyond the largest double is
 * infinite.
 *
 * <p>The methods throw a {@link BellmanException}: {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code q} does not have
 * exactly one entry more than {@code p}, or an entry is negative, NaN or infinite; {@link ErrorCode#BELLMAN_OVERFLOW}
 * if an integer cost exceeds 2^63 - 1; {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap.
 */
public final class OptimalBst {
    /** All strategies return the same tree. */
    public enum Strategy {
        /** Uses {@link #KNUTH}. */
        AUTO,
        /** Uses Knuth's algorithm in O(n^2). */
        KNUTH,
        /**
         * Tries all roots of all ranges in O(n^3), tile by tile on several cores; on a GPU, with one thread per range.
         */
        TABLE,
        /**
         * Works like {@link #TABLE}, but by tiles in the order of the r-way recursion (Javanmard et al., 2019). On
         * a CPU, the recursion is 2-way.
         */
        R_WAY
    }

    /**
     * The cost, and the roots in preorder: the root of a range, then the roots of its left subtree, then the roots of
     * its right subtree.
     */
    public record LongSolution(long cost, int[] roots) {}

    /** Like {@link LongSolution}, but with a double cost. */
    public record DoubleSolution(double cost, int[] roots) {}

    /** The frequencies {@code round(p * 2^exponent)} and {@code round(q * 2^exponent)}. */
    private record Scaled(long[] p, long[] q, int exponent) {
        double value(long cost) {
            return Math.scalb((double) cost, -exponent);
        }
    }

    /**
     * The number of bits of the sum of scaled frequencies. A balanced tree of 2^29 keys costs at most 31 times as much
     * as that sum.
     */
    private static final int SCALED_BITS = 57;
    /** The number of bits to which the largest frequency is scaled when the sum is estimated. */
    private static final int ESTIMATE_BITS = 30;

    /** The number of levels of the largest balanced tree, including its empty nodes. */
    private static final int LEVELS = 32;

    private OptimalBst() {}

    public static long cost(long[] p, long[] q, Strategy strategy) {
        return solver("optimal_bst_cost", p, q, strategy, 1).cost();
    }

    public static double cost(double[] p, double[] q, Strategy strategy) {
        return cost(p, q, strategy, 1);
    }

    public static LongSolution solve(long[] p, long[] q, Strategy strategy) {
        return solve(p, q, strategy, 1);
    }

    public static DoubleSolution solve(double[] p, double[] q, Strategy strategy) {
        return solve(p, q, strategy, 1);
    }

    static long cost(long[] p, long[] q, Strategy strategy, int threads) {
        return solver("optimal_bst_cost", p, q, strategy, threads).cost();
    }

    static double cost(double[] p, double[] q, Strategy strategy, int threads) {
        Scaled scaled = scale("optimal_bst_cost", p, q);
        return scaled.value(solver("optimal_bst_cost", scaled.p(), scaled.q(), strategy, threads)
                .cost());
    }

    static LongSolution solve(long[] p, long[] q, Strategy strategy, int threads) {
        ChainSolver solver = solver("optimal_bst", p, q, strategy, threads);
        return new LongSolution(solver.cost(), solver.splits());
    }

    static DoubleSolution solve(double[] p, double[] q, Strategy strategy, int threads) {
        Scaled scaled = scale("optimal_bst", p, q);
        ChainSolver solver = solver("optimal_bst", scaled.p(), scaled.q(), strategy, threads);
        return new DoubleSolution(scaled.value(solver.cost()), solver.splits());
    }

    private static void checkLengths(String function, int p, int q) {
        if (q != p + 1) {
            throw BellmanException.inRow(
                    function,
                    ("key_frequencies has %d entries and gap_frequencies has %d; gap_frequencies needs one more entry "
                                    + "than key_frequencies, for the gaps before, between and after the keys")
                            .formatted(p, q));
        }
    }

    private static ChainSolver solver(String function, long[] p, long[] q, Strategy strategy, int threads) {
        checkLengths(function, p.length, q.length);
        TaskMemory.takeArguments(function, "key_frequencies and gap_frequencies", p.length + q.length);
        Costs.check(function, "key_frequencies", p);
        Costs.check(function, "gap_frequencies", q);
        long[] sums = sums(p, q);
        long total = sums[p.length];
        if (total < 0) {
            throw overflow(function, p.length);
        }
        boolean hasTable = strategy == Strategy.TABLE || strategy == Strategy.R_WAY;
        ParenthesizationTable.takeMemory(
                function,
                () -> "a tree of %d keys".formatted(p.length),
                q.length,
                Long.BYTES + (hasTable ? 0 : Integer.BYTES),
                "");
        ChainSolver solver = hasTable ? table(q, sums, strategy, threads) : new Knuth(q, sums);
        if (solver.cost() == ChainSolver.OVERFLOW) {
            throw overflow(function, p.length);
        }
        return solver;
    }

    private static BellmanException overflow(String function, int keys) {
        return Costs.overflow(function, "the best tree for these %d keys".formatted(keys));
    }

    /**
     * Returns, for each gap, the sum of the frequencies of all keys and gaps up to that gap. The last sum is negative
     * if it exceeds 63 bits.
     */
    private static long[] sums(long[] p, long[] q) {
        long[] sums = new long[q.length];
        sums[0] = q[0];
        for (int b = 1; b < q.length; b++) {
            sums[b] = CostArithmetic.sum(CostArithmetic.sum(sums[b - 1], p[b - 1]), q[b]);
        }
        return sums;
    }

    private static ChainSolver table(long[] q, long[] sums, Strategy strategy, int threads) {
        // leaf i is gap i - 1, so split k, which comes after gap k - 1, is at key k
        LongSumTable table = new LongSumTable(
                q, (i, j) -> sums[j - 1] - sums[i - 1] + q[i - 1], CostArithmetic.product(sums[q.length - 1], LEVELS));
        if (strategy == Strategy.R_WAY) {
            table.fillRWay(threads);
        } else {
            table.fill(threads);
        }
        return table;
    }

    private static Scaled scale(String function, double[] p, double[] q) {
        checkLengths(function, p.length, q.length);
        TaskMemory.takeArguments(function, "key_frequencies and gap_frequencies", p.length + q.length);
        double[] keys = Costs.checked(function, "key_frequencies", p, Double.MAX_VALUE);
        double[] gaps = Costs.checked(function, "gap_frequencies", q, Double.MAX_VALUE);
        int exponent = Math.max(exponent(keys), exponent(gaps));
        long estimate = estimate(keys, ESTIMATE_BITS - 1 - exponent) + estimate(gaps, ESTIMATE_BITS - 1 - exponent);
        // the sum is below 2^bits times 2^(exponent + 1 - ESTIMATE_BITS)
        int bits = Long.SIZE - Long.numberOfLeadingZeros(estimate);
        int shift = SCALED_BITS - bits - (exponent + 1 - ESTIMATE_BITS);
        return new Scaled(scaled(keys, shift), scaled(gaps, shift), shift);
    }

    /** Returns an exponent {@code e} such that all values are below {@code 2^(e + 1)}. */
    private static int exponent(double[] values) {
        int exponent = Double.MIN_EXPONENT - 1;
        for (double value : values) {
            exponent = Math.max(exponent, Math.getExponent(value));
        }
        return exponent;
    }

    private static long estimate(double[] values, int shift) {
        long sum = 0;
        for (double value : values) {
            sum += (long) Math.ceil(Math.scalb(value, shift));
        }
        return sum;
    }

    private static long[] scaled(double[] values, int shift) {
        long[] scaled = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            scaled[i] = (long) Math.rint(Math.scalb(values[i], shift));
        }
        return scaled;
    }

    /**
     * Knuth's algorithm. Computes the rows from the last gap to the first, and each row from its shortest range to its
     * longest, because the bounds of a root come from neighbouring ranges.
     */
    private static final class Knuth implements ChainSolver {
        private final int gaps;
        /** The roots. The root of the range from gap {@code a} to gap {@code b} is at {@code [a][b - a]}. */
        private final int[][] roots;

        private final long cost;

        Knuth(long[] q, long[] sums) {
            gaps = q.length;
            roots = new int[gaps][];
            cost = solve(q, sums);
        }

        private long solve(long[] q, long[] sums) {
            long[][] costs = new long[gaps][];
            Cancellation cancellation = new Cancellation();
            for (int a = gaps - 1; a >= 0; a--) {
                cancellation.count(gaps - a);
                long[] row = new long[gaps - a];
                int[] own = new int[gaps - a];
                row[0] = q[a];
                costs[a] = row;
                roots[a] = own;
                for (int b = a + 1; b < gaps; b++) {
                    int first = b == a + 1 ? b : own[b - 1 - a];
                    int last = b == a + 1 ? b : roots[a + 1][b - a - 1];
                    long best = row[first - 1 - a] + costs[first][b - first];
                    int root = first;
                    for (int r = first + 1; r <= last; r++) {
                        long candidate = row[r - 1 - a] + costs[r][b - r];
                        if (candidate < best) {
                            best = candidate;
                            root = r;
                        }
                    }
                    long total = best + (sums[b] - sums[a] + q[a]);
                    if (best < 0 || total < 0) {
                        return OVERFLOW;
                    }
                    row[b - a] = total;
                    own[b - a] = root;
                }
            }
            return costs[0][gaps - 1];
        }

        @Override
        public long cost() {
            return cost;
        }

        @Override
        public int[] splits() {
            int[] preorder = new int[gaps - 1];
            int[] first = new int[gaps];
            int[] last = new int[gaps];
            int depth = 0;
            last[0] = gaps - 1;
            for (int count = 0; count < preorder.length; ) {
                int a = first[depth];
                int b = last[depth];
                if (a == b) {
                    depth--;
                    continue;
                }
                int root = roots[a][b - a];
                preorder[count++] = root;
                first[depth] = root;
                depth++;
                first[depth] = a;
                last[depth] = root - 1;
            }
            return preorder;
        }
    }
}
