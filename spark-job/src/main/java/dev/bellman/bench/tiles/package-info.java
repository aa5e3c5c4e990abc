/** Tables in tiles: the suite of Javanmard and others, instances beyond one memory, and runs on several executors. */
package dev.bellman.bench.tiles;
