/**
 * Benchmarks tables that are computed in tiles: the suite that reproduces Javanmard and others, instances too large for
 * one memory, and runs on several executors.
 */
package dev.bellman.bench.tiles;
