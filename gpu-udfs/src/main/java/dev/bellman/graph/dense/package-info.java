/**
 * Floyd and Warshall's algorithm on one dense table, tile by tile: on the CPU in the heap, on a GPU in its memory. It
 * knows only lengths, not graphs.
 */
package dev.bellman.graph.dense;
