/**
 * Contains distances between two strings, and an alignment for the edit distance.
 *
 * <p>A problem consists of the algorithm in plain Java, a catalogue entry ({@code DistanceFunctions}), the GPU launch
 * ({@code ...Kernel}), the kernels ({@code src/gpu/cuda/align/distance}) and the tests, whose oracle is the textbook
 * recurrence ({@code DistanceTextbook}).
 */
package dev.bellman.align.distance;
