/**
 * Series in segments: change points, bins, monotone and piecewise linear fits.
 *
 * <p>Sums are pairs of doubles, so the cost of a segment is its exact value, rounded once, as long as the largest
 * magnitude of a series exceeds its noise by less than about 2^25. Costs are added and compared in DOUBLE. The
 * strategies compare the same numbers in the same order, so the bits of an answer are defined.
 */
package dev.bellman.segment;
