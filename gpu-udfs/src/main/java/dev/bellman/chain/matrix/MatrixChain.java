package dev.bellman.chain.matrix;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.CostArithmetic;
import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.chain.matrix.paper.ChainPipeline;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import dev.bellman.columns.TaskMemory;
import java.util.Optional;

/**
 * Finds the order in which to multiply a chain of matrices with the fewest scalar multiplications.
 *
 * <p>{@code dims} has one entry more than the chain has matrices: matrix {@code i}, counted from 1, has
 * {@code dims[i - 1]} rows and {@code dims[i]} columns. A tree is given by its <em>splits</em> in preorder (a product,
 * then its left part, then its right part): for each product of two or more matrices, the last matrix of its left part,
 * counted from 1. There are {@code n - 1} splits.
 *
 * <p>The methods that solve a chain throw a {@link BellmanException}: {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code
 * dims} has fewer than two entries or an entry below 1, {@link ErrorCode#BELLMAN_OVERFLOW} if the cost of the best
 * order exceeds 2^63 - 1, and {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap. Methods may be
 * called from any thread.
 */
public final class MatrixChain {
    /**
     * The algorithms. All strategies return the same costs, and all except {@link #HU_SHING} return the same orders.
     * The strategies from {@link #SOLOMON} on are published GPU algorithms, included for comparison; on a CPU, they run
     * like {@link #TABLE}.
     */
    public enum Strategy {
        /**
         * Uses {@link #HU_SHING} if only the cost is needed. If the order is also needed, uses {@link #TILED} or, on a
         * GPU, a table of only those ranges that an optimal order may contain. If this table is too large or a cost may
         * exceed 2^60, a GPU uses the one of {@link #TABLE} and {@link #TILED} that is probably faster.
         */
        AUTO,
        /** Computes the textbook table in O(n^3). Each product uses its smallest optimal split. */
        TABLE,
        /**
         * Computes the same table and the same order as {@link #TABLE}, tile by tile. A CPU uses several cores and
         * skips splits that cannot be optimal; a GPU uses the whole device even for short chains.
         */
        TILED,
        /**
         * Computes the same table and the same order as {@link #TABLE}, by tiles in the order of a 2-way recursion or,
         * on a GPU, of an r-way recursion (Javanmard et al., 2019).
         */
        R_WAY,
        /**
         * Uses Hu and Shing's algorithm in O(n log n). If several orders are optimal, this strategy always returns the
         * same one.
         */
        HU_SHING,
        /**
         * Runs one kernel for each diagonal of the table, with one thread per cell, after Solomon and Thulasiraman
         * (2010).
         */
        SOLOMON(PaperStrategy.SOLOMON),
        /** Works like {@link #SOLOMON}, but cells that threads read together are adjacent in memory. */
        SOLOMON_COALESCED(PaperStrategy.SOLOMON_COALESCED),
        /**
         * Uses the {@link AdaptiveMapping} by Wu et al. (2011), with the layout that is the fastest in our tests:
         * type 2.
         */
        ADAPTIVE(PaperStrategy.ADAPTIVE),
        /** Works like {@link #ADAPTIVE}, but with the layout of type 0: a row for each last matrix. */
        ADAPTIVE_TYPE_0(PaperStrategy.ADAPTIVE_TYPE_0),
        /**
         * Works like {@link #ADAPTIVE}, but with the layout of type 1: a row for each number of matrices. Type 2 is its
         * transpose.
         */
        ADAPTIVE_TYPE_1(PaperStrategy.ADAPTIVE_TYPE_1),
        /** Works like {@link #SOLOMON}, but stores the table by rows, after Wani and Quadri (2013). */
        DIAGONAL(PaperStrategy.DIAGONAL),
        /** Uses the {@link ChainPipeline} by Matsumae and Miyazaki (2018), with splits from the middle outwards. */
        PIPELINE(PaperStrategy.PIPELINE),
        /** Works like {@link #PIPELINE}, but with splits in the paper's order, for which each diagonal is delayed. */
        PIPELINE_DELAYED(PaperStrategy.PIPELINE_DELAYED);

        private final PaperStrategy paper;

        Strategy() {
            this(null);
        }

        Strategy(PaperStrategy paper) {
            this.paper = paper;
        }

        /** Returns the corresponding published strategy, or empty if there is none. */
        public Optional<PaperStrategy> paper() {
            return Optional.ofNullable(paper);
        }
    }

    /**
     * An optimal order: the number of scalar multiplications, the order as text, such as {@code ((A1A2)A3)}, and the
     * splits in preorder.
     */
    public record Solution(long cost, String order, int[] splits) {}

    /** The number of bytes per matrix for chords, brackets or triangles, including their copies in Spark. */
    private static final int BYTES_OF_A_RESULT = 256;

    private MatrixChain() {}

    /** Returns the minimum number of scalar multiplications for the product. */
    public static long cost(long[] dims, Strategy strategy) {
        return costSolver("matrix_chain_cost", dims, strategy, 1).cost();
    }

    /** Returns an optimal order as text, such as {@code ((A1A2)A3)}, or {@code A1} for a single matrix. */
    public static String order(long[] dims, Strategy strategy) {
        return order(dims, strategy, 1);
    }

    /** @param threads the number of threads that may fill a table ({@code ParenthesizationTable.fill}) */
    static String order(long[] dims, Strategy strategy, int threads) {
        return text(
                dims.length - 1,
                solver("matrix_chain_order", dims, strategy, threads).splits());
    }

    /** Returns the cost, the order as text, and the splits of an optimal order. */
    public static Solution solve(long[] dims, Strategy strategy) {
        return solve(dims, strategy, 1);
    }

    /** @param threads the number of threads that may fill a table ({@code ParenthesizationTable.fill}) */
    static Solution solve(long[] dims, Strategy strategy, int threads) {
        ChainSolver solver = solver("matrix_chain", dims, strategy, threads);
        int[] splits = solver.splits();
        return new Solution(solver.cost(), text(dims.length - 1, splits), splits);
    }

    /**
     * Returns the number of candidates that are compared to fill the table of a chain of {@code n = dims.length - 1}
     * matrices: {@code (n^3 - n) / 6}, or 2^63 - 1 for more than about 2.6 million matrices.
     */
    public static long relaxations(long[] dims) {
        return CostArithmetic.relaxations(Math.max(1, dims.length - 1));
    }

    /** Returns a solver for the cost only. Hu and Shing's algorithm is the fastest at every length. */
    static ChainSolver costSolver(String function, long[] dims, Strategy strategy, int threads) {
        return solver(function, dims, strategy == Strategy.AUTO ? Strategy.HU_SHING : strategy, threads);
    }

    /** Solves the chain; the returned solver contains the solution. */
    static ChainSolver solver(String function, long[] dims, Strategy strategy, int threads) {
        TaskMemory.takeArgument(function, Triangulation.takesWeights(function) ? "weights" : "dims", dims.length);
        check(function, dims);
        ChainSolver solver =
                switch (strategy) {
                    case AUTO, TILED -> ChainTable.tiled(function, dims, threads);
                    case R_WAY -> ChainTable.rWay(function, dims, threads);
                    case HU_SHING -> huShing(function, dims);
                    default -> ChainTable.of(function, dims);
                };
        if (solver.cost() == ChainSolver.OVERFLOW) {
            throw overflow(function, dims);
        }
        return solver;
    }

    private static HuShing huShing(String function, long[] dims) {
        TaskMemory.take(
                function,
                dims.length * (HuShing.BYTES_OF_A_VERTEX + (function.endsWith("_cost") ? 0L : BYTES_OF_A_RESULT)),
                "",
                () -> "a polygon of %,d vertices".formatted(dims.length));
        return new HuShing(dims);
    }

    /** Returns the exception for a cost beyond 63 bits. */
    static BellmanException overflow(String function, long[] dims) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                "%s: the best %s; use smaller %s%s"
                        .formatted(
                                function,
                                Triangulation.takesWeights(function)
                                        ? ("triangulation of this polygon with %d vertices costs more than %d, the "
                                                        + "maximum BIGINT value")
                                                .formatted(dims.length, Long.MAX_VALUE)
                                        : ("order for this chain of %d matrices requires more than %d scalar "
                                                        + "multiplications, the maximum BIGINT value")
                                                .formatted(dims.length - 1, Long.MAX_VALUE),
                                Triangulation.takesWeights(function) ? "weights" : "dimensions",
                                isJob(function) ? "" : " or try_%s, which returns NULL".formatted(function)));
    }

    private static boolean isJob(String function) {
        return function.equals(MatrixChainFunctions.ONE_CHAIN.name());
    }

    private static String correction(String function) {
        return isJob(function)
                ? "Correct the input"
                : "Correct the row, or use try_%s, which returns NULL".formatted(function);
    }

    /** @throws BellmanException if the dimensions are not valid */
    static void check(String function, long[] dims) {
        if (dims.length < 2) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: %s has too few entries (%d); it needs at least 2, %s. %s"
                            .formatted(
                                    function,
                                    Triangulation.takesWeights(function) ? "weights" : "dims",
                                    dims.length,
                                    Triangulation.takesWeights(function)
                                            ? "one for each vertex"
                                            : "one more than the number of matrices",
                                    correction(function)));
        }
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 1) {
                throw invalidEntry(function, i, Long.toString(dims[i]));
            }
        }
    }

    /**
     * Returns the exception for an entry that is not a valid dimension or vertex weight; {@code index} counts from 0.
     */
    static BellmanException invalidEntry(String function, int index, String value) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: entry %d of %s (counted from 1) is %s; a %s must be at least 1. %s"
                        .formatted(
                                function,
                                index + 1,
                                Triangulation.takesWeights(function) ? "weights" : "dims",
                                value,
                                Triangulation.takesWeights(function) ? "weight" : "dimension",
                                correction(function)));
    }

    /**
     * Returns the text of an order. To place the brackets, counts how many products begin and how many end at each
     * matrix.
     */
    static String text(int matrices, int[] splits) {
        int[] opened = new int[matrices + 1];
        int[] closed = new int[matrices + 1];
        // a stack of the last matrices of the enclosing products: right parts wait until left parts are done
        int[] last = new int[matrices];
        int depth = 0;
        int first = 1;
        last[0] = matrices;
        for (int split : splits) {
            while (first == last[depth]) {
                depth--;
                first++;
            }
            opened[first]++;
            closed[last[depth]]++;
            depth++;
            last[depth] = split;
        }
        StringBuilder text = new StringBuilder(8 * matrices);
        for (int i = 1; i <= matrices; i++) {
            text.append("(".repeat(opened[i])).append('A').append(i).append(")".repeat(closed[i]));
        }
        return text.toString();
    }
}
