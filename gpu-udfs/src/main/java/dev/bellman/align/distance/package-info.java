/**
 * Distances of pairs, and an alignment for one of them.
 *
 * <p>A problem consists of the algorithm in plain Java, the Spark function ({@code ...Udf}), the GPU launch ({@code ...Kernel}), the kernels
 * ({@code src/gpu/cuda/align/distance}) and the tests, whose oracle is the textbook recurrence ({@code DistanceTextbook}).
 */
package dev.bellman.align.distance;
