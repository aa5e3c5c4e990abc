/** Floyd and Warshall's algorithm on one dense table, tile by tile: on the CPU in the heap, on a GPU in its memory. It knows lengths, and no graph. */
package dev.bellman.graph.dense;
