package dev.bellman.chain;

import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.function.Function;

/**
 * The table of {@code cost(i, j) = w(i, j) + min over k of cost(i, k) + cost(k + 1, j)} as tiles, wherever they are
 * stored. The costs of leaves and {@code w} are given as tiles, too. The results equal those of {@link LongSumTable} or
 * {@link DoubleSumTable}, bit for bit.
 *
 * @param <T> a tile
 */
public interface SumTiles<T> extends TiledProblem<T> {
    /**
     * The tiles of integers or doubles.
     *
     * @param largest the largest of the given integers; 2^63 - 1 before it is known
     */
    static SumTiles<?> of(int leaves, boolean doubles, long largest) {
        return doubles ? new DoubleSumTiles(leaves) : new LongSumTiles(leaves, largest);
    }

    /**
     * Sets the cost of a leaf or the weight of a part.
     *
     * @param i the number of leaves before the part
     * @param j the sum up to its end
     * @param bits an integer, or the bits of a double
     */
    void set(T tile, int i, int j, long bits);

    /** The cost of a part in its tile, as {@link #cost(Function)}. */
    Number cell(T tile, int i, int j);

    /**
     * The cost of all leaves, a {@link Long} or a {@link Double}; {@link ChainSolver#OVERFLOW} if it exceeds 63 bits.
     */
    Number cost(Function<Tile, T> tiles);

    /** See {@link ParenthesizationTiles#splits}. */
    int[] splits(Function<Tile, T> tiles);
}
