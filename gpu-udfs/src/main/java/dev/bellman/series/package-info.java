/**
 * Computes distances between time series by dynamic programming: time warping, edit distances on numbers, and the
 * discrete Fréchet distance. A series is an array of finite numbers, or of points of several dimensions. All distances
 * except soft-DTW use a {@link dev.bellman.series.SeriesTable} with a {@link dev.bellman.series.CellRule}.
 *
 * <p>Results are bit-for-bit reproducible: the rule defines a cell's operations and their order, and each operation is
 * rounded once; the order in which cells are computed does not matter.
 */
package dev.bellman.series;
