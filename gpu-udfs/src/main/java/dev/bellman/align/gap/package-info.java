/**
 * Global alignment under any gap costs. {@code GapAlignment} is the problem, {@code GapTable} its table; from scores
 * and costs {@code GapScores} determines which algorithms are correct.
 */
package dev.bellman.align.gap;
