package dev.bellman.chain.matrix;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;

/**
 * Finds a triangulation of a convex polygon with the minimum cost. The vertices have weights, and a triangle costs the
 * product of the weights at its corners. The problem is equivalent to the matrix-chain problem whose dimensions are
 * the weights (Hu and Shing, SIAM Journal on Computing 11(2), 1982). The product of the matrices {@code i} to {@code
 * j} is the part of the polygon beyond the chord between the vertices {@code i - 1} and {@code j}. A split {@code k}
 * is the triangle on that chord with its third corner at vertex {@code k}. Therefore, {@link MatrixChain}'s strategies
 * also solve this problem.
 *
 * <p>The methods throw a {@link BellmanException}: {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code weights} has fewer
 * than two entries or an entry below 1, {@link ErrorCode#BELLMAN_OVERFLOW} if the cost exceeds 2^63 - 1, and {@link
 * ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap. Two vertices form a side, which has no triangle and
 * costs nothing.
 */
public final class Triangulation {
    /** The vertices of a triangle, counted from 0: {@code a < b < c}. */
    public record Triangle(int a, int b, int c) {}

    /**
     * An optimal triangulation of a polygon with {@code n} vertices: its {@code n - 2} triangles. The triangle on the
     * side between the first and the last vertex comes first; each triangle is followed by the triangles beyond its
     * side {@code (a, b)}, then by the triangles beyond {@code (b, c)}. In case of ties, each triangle uses the
     * smallest {@code b}; Hu and Shing's algorithm may return a different optimal triangulation, which is always the
     * same.
     */
    public record Solution(long cost, Triangle[] triangles) {}

    private Triangulation() {}

    /** Returns the minimum cost. */
    public static long cost(long[] weights, MatrixChain.Strategy strategy) {
        return MatrixChain.costSolver("triangulation_cost", weights, strategy, 1)
                .cost();
    }

    /** Returns the minimum cost and the triangles. */
    public static Solution solve(long[] weights, MatrixChain.Strategy strategy) {
        return solve(weights, strategy, 1);
    }

    /** @param threads the number of threads that may fill a table ({@code ParenthesizationTable.fill}) */
    static Solution solve(long[] weights, MatrixChain.Strategy strategy, int threads) {
        ChainSolver solver = MatrixChain.solver("triangulation", weights, strategy, threads);
        return new Solution(solver.cost(), triangles(weights.length, solver.splits()));
    }

    /** Whether a function takes the weights of a polygon rather than the dimensions of matrices. */
    static boolean takesWeights(String function) {
        return function.startsWith("triangulation");
    }

    private static Triangle[] triangles(int vertices, int[] splits) {
        Triangle[] triangles = new Triangle[splits.length];
        // a stack of the right ends of enclosing chords, whose right parts are still to be processed
        int[] right = new int[vertices];
        int depth = 0;
        right[0] = vertices - 1;
        int left = 0;
        for (int i = 0; i < splits.length; i++) {
            while (left + 1 == right[depth]) {
                left = right[depth--];
            }
            triangles[i] = new Triangle(left, splits[i], right[depth]);
            right[++depth] = splits[i];
        }
        return triangles;
    }
}
