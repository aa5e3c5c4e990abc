/**
 * Distances of time series by dynamic programming: time warping, edit distances of numbers, the discrete Fréchet
 * distance.
 * A series is an array of finite numbers, or of points of several dimensions. All but soft-DTW are a {@link
 * dev.bellman.series.SeriesTable} with a {@link dev.bellman.series.CellRule}.
 *
 * <p>The bits of an answer are defined: its rule fixes a cell's operations and their order, each rounded once,
 * and do not depend
 * on the order in which the cells of a table are computed.
 */
package dev.bellman.series;
