package dev.bellman.large.tiles;

/**
 * A task on large tiles in the memory of a GPU. A large tile is an array of cells, row by row, with {@code pitch} rows;
 * each further value of the cells has one more such array after it.
 *
 * <p>With {@link TileGpu#keepsLines}, rows and columns are lines that A, B and C store, each as it was at its step: A
 * writes both, B its rows and C its columns; the others belong to the sources. The line of a column has its cells in
 * sequence. Otherwise rows and columns belong to the sources themselves: A has none, B has columns and C has rows of
 * the pivot. With {@link Pattern#TRIANGLE}, B has the tile on the diagonal of its rows as columns, and the line of its
 * columns as rows. With {@link Pattern#PREFIXES}, a source above the target is its rows, one left of it its columns,
 * and one above left its corner.
 *
 * @param task the task, with the places of the large tiles in their grid
 * @param pitch cells per row of each array
 * @param down rows of the target
 * @param across columns of the target
 * @param depth pivots: columns of the left source, rows of the one above
 * @param cells address of the target
 * @param rows address
 * @param columns address
 * @param corner address
 */
public record LargeTask(
        Task task, int pitch, int down, int across, int depth, long cells, long rows, long columns, long corner) {}
