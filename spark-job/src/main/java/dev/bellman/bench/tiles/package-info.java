/**
 * Benchmarks for tables that are computed in tiles: the suite that reproduces the experiments of Javanmard et al.,
 * inputs too large for the memory of one machine or GPU, and runs on several executors.
 */
package dev.bellman.bench.tiles;
