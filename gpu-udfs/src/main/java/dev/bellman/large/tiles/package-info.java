/**
 * Represents tables as grids of square tiles, and defines the order in which tiles are processed and their storage. A
 * problem supplies the kernels; this package is independent of its recurrence and cell type.
 */
package dev.bellman.large.tiles;
