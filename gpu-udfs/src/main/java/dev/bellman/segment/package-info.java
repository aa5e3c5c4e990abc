/**
 * Computes segmentations of series: change points, bins, and monotone and piecewise linear fits.
 *
 * <p>Sums are pairs of doubles, so the sum of the deviations in a segment is its exact value, rounded once, unless the
 * largest magnitude in a series is more than about 2^25 times the noise of the series. Costs are added and compared in
 * DOUBLE. The strategies compare the same numbers in the same order, so results are bit-for-bit reproducible.
 */
package dev.bellman.segment;
