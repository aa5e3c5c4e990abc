/**
 * Represents tables of pairs as bit vectors of differences between neighbouring cells. On the CPU, {@code BitTable}
 * computes them for a {@code BitRecurrence}. On the GPU, a problem requests a number ({@code PairScores}) or a path
 * through the table ({@code PairPaths}).
 */
package dev.bellman.align.bits;
