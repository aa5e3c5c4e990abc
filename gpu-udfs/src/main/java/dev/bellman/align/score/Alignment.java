package dev.bellman.align.score;

/**
 * An alignment of {@code a[beginA, endA)} with {@code b[beginB, endB)}, in characters, counted from 0.
 *
 * @param cigar {@code =} and {@code X} consume a letter of both sequences, {@code I} consumes a letter of {@code a},
 *     and {@code D} consumes a letter of {@code b}
 * @param identities the number of columns in which two equal letters are aligned
 * @param gaps the number of letters aligned with a gap
 */
public record Alignment(
        long score, int beginA, int endA, int beginB, int endB, String cigar, int identities, int gaps) {}
