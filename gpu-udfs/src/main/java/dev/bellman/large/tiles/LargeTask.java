package dev.bellman.large.tiles;

/**
 * A task on large tiles in GPU memory. A large tile is an array of cells, row by row, with {@code pitch} rows; each
 * further value of the cells is stored in one more such array after it.
 *
 * <p>With {@link TileGpu#keepsLines}, rows and columns are lines that A, B and C store, each in its state at that step:
 * A writes both, B its rows and C its columns; the other lines belong to the sources. The cells of a column's line are
 * contiguous. Otherwise rows and columns belong to the sources themselves: A has none, B has columns and C has rows of
 * the pivot. With {@link Pattern#TRIANGLE}, the columns of B are the tile on the diagonal of its rows, and the rows of
 * B are the line of its columns. With {@link Pattern#PREFIXES}, a source above the target provides the rows, one to the
 * left the columns, and one above and to the left the corner.
 *
 * @param task the task, with the positions of the large tiles in their grid
 * @param pitch cells per row of each array
 * @param down rows of the target
 * @param across columns of the target
 * @param depth pivots: columns of the left source, rows of the source above
 * @param cells address of the target
 * @param rows address
 * @param columns address
 * @param corner address
 */
public record LargeTask(
        Task task, int pitch, int down, int across, int depth, long cells, long rows, long columns, long corner) {}
