/**
 * Computes alignments of pairs with substitution scores and affine gaps, or only their scores. {@code
 * SequenceAlignment} is the problem with its strategies; {@code dev.bellman.align.scoring} defines the scores of
 * letters and gaps.
 */
package dev.bellman.align.score;
