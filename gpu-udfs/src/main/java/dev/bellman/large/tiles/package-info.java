/**
 * Represents tables as grids of square tiles, and defines how tiles are stored and in what order they are processed. A
 * problem supplies the kernels; this package is independent of the problem's recurrence and cell type.
 */
package dev.bellman.large.tiles;
