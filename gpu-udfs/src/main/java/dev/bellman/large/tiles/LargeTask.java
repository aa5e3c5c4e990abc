package dev.bellman.large.tiles;

/**
 * A task on large tiles in GPU memory. A large tile is an array of cells, row by row, with {@code pitch} rows; each
 * additional value of the cells is stored in another such array that follows.
 *
 * <p>With {@link TileGpu#keepsLines}, rows and columns are lines. A, B and C store lines in the state that they have at
 * the respective step: A writes rows and columns, B writes rows, and C writes columns. All other lines belong to the
 * sources. The cells of a column's line are contiguous. Otherwise, rows and columns belong to the sources themselves: A
 * has none, B has columns and C has rows of the pivot. With {@link Pattern#TRIANGLE}, the columns of B are the diagonal
 * tile in B's rows, and the rows of B are the line of B's columns. With {@link Pattern#PREFIXES}, a source above the
 * target provides the rows, a source to the left provides the columns, and a source above and to the left provides the
 * corner.
 *
 * @param task the task, with the positions of the large tiles in their grid
 * @param pitch the number of cells per row of each array
 * @param down the number of rows of the target
 * @param across the number of columns of the target
 * @param depth the number of pivots: the columns of the left source, or the rows of the source above
 * @param cells the address of the target
 * @param rows the address of the rows
 * @param columns the address of the columns
 * @param corner the address of the corner
 */
public record LargeTask(
        Task task, int pitch, int down, int across, int depth, long cells, long rows, long columns, long corner) {}
