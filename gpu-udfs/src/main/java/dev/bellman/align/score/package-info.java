/**
 * Alignments of pairs by substitution scores and affine gaps: the score alone, or the alignment. {@code Scoring} holds
 * the scores of letters and gaps, {@code SequenceAlignment} is the problem with its strategies.
 */
package dev.bellman.align.score;
