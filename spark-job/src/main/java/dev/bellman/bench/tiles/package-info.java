/**
 * Tables in tiles: the suite that reproduces Javanmard and others, instances larger than one memory, and runs on
 * several executors.
 */
package dev.bellman.bench.tiles;
