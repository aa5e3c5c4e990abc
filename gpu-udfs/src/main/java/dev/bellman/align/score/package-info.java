/**
 * Alignments of pairs by substitution scores and affine gaps: the score alone, or the alignment. {@code Scoring} is what letters and gaps
 * count, {@code SequenceAlignment} the problem with its strategies.
 */
package dev.bellman.align.score;
