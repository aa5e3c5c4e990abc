/**
 * Distances of pairs, and an alignment for one of them.
 *
 * <p>A problem consists of the algorithm in plain Java, an entry of the catalogue ({@code DistanceFunctions}), the GPU
 * launch ({@code ...Kernel}), the kernels ({@code src/gpu/cuda/align/distance}) and the tests, whose oracle is the
 * textbook recurrence ({@code DistanceTextbook}).
 */
package dev.bellman.align.distance;
