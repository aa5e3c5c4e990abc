/**
 * Benchmarks tables in tiles: the suite that reproduces Javanmard and others, instances that exceed one memory, and
 * runs on several executors.
 */
package dev.bellman.bench.tiles;
