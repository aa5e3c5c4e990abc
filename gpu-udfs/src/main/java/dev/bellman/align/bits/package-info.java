/**
 * Represents the tables of string pairs as bit vectors of differences between neighbouring cells. On the CPU,
 * {@code BitTable} computes them for a {@code BitRecurrence}. On the GPU, a problem uses {@code PairScores} if it needs
 * only a number, or {@code PairPaths} if it needs a path through the table.
 */
package dev.bellman.align.bits;
