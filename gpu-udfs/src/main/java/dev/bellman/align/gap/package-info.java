/**
 * Computes global alignments with arbitrary gap costs. {@code GapAlignment} is the problem, {@code GapTable} is its
 * table, and {@code GapScores} determines from scores and costs which algorithms are correct.
 */
package dev.bellman.align.gap;
