package dev.bellman.job.text;

/**
 * Neighbouring entries of a row of a matrix.
 *
 * @param row counted from 0
 * @param column of the first, counted from 0
 */
public record MatrixStrip(int row, int column, double[] values) {}
