/**
 * Computes global alignments with arbitrary gap costs. {@code GapAlignment} is the problem, {@code GapTable} is its
 * table, and {@code GapScores} determines which algorithms are correct for the scores and costs.
 */
package dev.bellman.align.gap;
