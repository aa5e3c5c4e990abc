/**
 * Global alignment under any cost of gaps. {@code GapAlignment} is the problem, {@code GapTable} its table, {@code GapScores} what scores and
 * costs say of the algorithms that may be used.
 */
package dev.bellman.align.gap;
