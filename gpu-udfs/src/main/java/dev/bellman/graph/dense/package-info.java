/**
 * The Floyd-Warshall algorithm on a dense table, tile by tile: on the CPU in the heap, on a GPU in its memory. This
 * package knows lengths, not graphs.
 */
package dev.bellman.graph.dense;
