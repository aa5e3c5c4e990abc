/**
 * Pair alignments with substitution scores and affine gaps: the score only, or the alignment. {@code Scoring} holds the
 * scores of letters and gaps; {@code SequenceAlignment} is the problem with its strategies.
 */
package dev.bellman.align.score;
