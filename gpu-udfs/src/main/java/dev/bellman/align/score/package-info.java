/**
 * Alignments of pairs by substitution scores and affine gaps: only the score, or the alignment. {@code Scoring} holds
 * the scores of letters and gaps, {@code SequenceAlignment} is the problem with its strategies.
 */
package dev.bellman.align.score;
