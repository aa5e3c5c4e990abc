/**
 * Global alignment with arbitrary gap costs. {@code GapAlignment} is the problem, {@code GapTable} is its table; {@code
 * GapScores} derives from scores and costs which algorithms are correct.
 */
package dev.bellman.align.gap;
