package dev.bellman.chain;

import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.function.Function;

/**
 * The table of {@code cost(i, j) = w(i, j) + min over k of cost(i, k) + cost(k + 1, j)}, divided into tiles that may be
 * in memory, in files or on other machines. The costs of leaves and {@code w} are written into the tiles before the
 * computation. The results are bit-for-bit the same as those of {@link LongSumTable} or {@link DoubleSumTable}.
 *
 * @param <T> the type of a tile
 */
public interface SumTiles<T> extends TiledProblem<T> {
    /**
     * Creates the tiles of a table of integers or doubles.
     *
     * @param largest the largest of the given integers; 2^63 - 1 if unknown
     */
    static SumTiles<?> of(int leaves, boolean doubles, long largest) {
        return doubles ? new DoubleSumTiles(leaves) : new LongSumTiles(leaves, largest);
    }

    /**
     * Sets the cost of a leaf or the weight of a range of leaves.
     *
     * @param i the number of leaves before the range
     * @param j the number of leaves up to the end of the range
     * @param bits an integer, or the bits of a double
     */
    void set(T tile, int i, int j, long bits);

    /** Returns the cost of a range from its tile, in the same form as {@link #cost(Function)}. */
    Number cell(T tile, int i, int j);

    /**
     * Returns the minimum cost of a tree over all leaves as a {@link Long} or {@link Double}, or
     * {@link ChainSolver#OVERFLOW} if the cost exceeds 63 bits.
     */
    Number cost(Function<Tile, T> tiles);

    /** Returns the splits of an optimal tree, as {@link ParenthesizationTiles#splits} does. */
    int[] splits(Function<Tile, T> tiles);
}
