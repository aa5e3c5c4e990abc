/**
 * Runs the Floyd-Warshall algorithm on a dense table, tile by tile: in the heap on a CPU, or in GPU memory. This
 * package works on lengths; it does not depend on graphs.
 */
package dev.bellman.graph.dense;
