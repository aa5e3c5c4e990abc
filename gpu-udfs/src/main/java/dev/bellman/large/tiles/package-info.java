/**
 * Tables as grids of square tiles: the order in which tiles are processed, where they are stored, and what that costs.
 * A problem supplies the kernels; nothing here knows its recurrence or its cell type.
 */
package dev.bellman.large.tiles;
