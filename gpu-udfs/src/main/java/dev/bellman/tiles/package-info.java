/**
 * Tables as grids of square tiles: in what order tiles are touched, where they are, and what that costs. A problem gives the kernels that run on
 * tiles; nothing here knows its recurrence or the type of its cells.
 */
package dev.bellman.tiles;
