/**
 * Global alignment under any gap costs. {@code GapAlignment} is the problem, {@code GapTable} its table; from scores
 * and costs {@code GapScores} tells which algorithms may be used.
 */
package dev.bellman.align.gap;
