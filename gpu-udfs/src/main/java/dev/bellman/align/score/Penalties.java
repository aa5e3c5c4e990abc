package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Expresses the scoring of a global alignment as penalties, which are 0 for equal letters and positive for everything
 * else. The penalties follow Eizenga and Paten, "Improving the time and space complexity of the WFA algorithm and
 * generalizing its scoring" (2022).
 *
 * <p>Let a global alignment of sequences with {@code m} and {@code n} letters have {@code M} pairs of equal letters,
 * {@code X} pairs of different letters, and {@code G} letters in gaps. Then {@code m + n = 2M + 2X + G}, so its score
 * {@code S} satisfies
 *
 * <pre>
 * match * (m + n) - 2S = X * 2(match - mismatch) + the sum over its gaps of (2 * cost + match * letters)
 * </pre>
 *
 * <p>The left-hand side decreases as the score increases, and the right-hand side is a sum of penalties: for a
 * mismatch, for the first letter of a gap, and for each further letter. The same holds for prefixes of both sequences,
 * so values that tie as scores also tie as penalties. All penalties are divided by their greatest common divisor, the
 * {@code unit}.
 *
 * @param match the score of equal letters
 */
record Penalties(
        int match, int unit, int mismatch, int insertOpen, int insertExtend, int deleteOpen, int deleteExtend) {
    /**
     * Returns the penalties; empty if the mode is not global, if the score of equal or of different letters depends on
     * the letters, if gap costs have two pieces, or if a penalty is not positive.
     */
    static Optional<Penalties> of(AlignmentMode mode, Scoring scoring) {
        if (mode != AlignmentMode.GLOBAL || !scoring.isUniform() || scoring.hasTwoPieces()) {
            return Optional.empty();
        }
        int match = scoring.match();
        int[] all = {
            2 * (match - scoring.mismatch()),
            2 * scoring.insert().open() + match,
            2 * scoring.insert().extend() + match,
            2 * scoring.delete().open() + match,
            2 * scoring.delete().extend() + match
        };
        if (IntStream.of(all).anyMatch(penalty -> penalty <= 0)) {
            return Optional.empty();
        }
        int unit = IntStream.of(all).reduce(0, Penalties::divisor);
        return Optional.of(
                new Penalties(match, unit, all[0] / unit, all[1] / unit, all[2] / unit, all[3] / unit, all[4] / unit));
    }

    private static int divisor(int x, int y) {
        return y == 0 ? x : divisor(y, x % y);
    }

    /**
     * Returns the score, rounded down, of an alignment with this penalty; {@code letters} is the total number of
     * letters in both sequences.
     */
    long score(long penalty, long letters) {
        return Math.floorDiv(match * letters - unit * penalty, 2);
    }

    /** Returns the largest penalty whose score is at least {@code least}, or a negative number if there is none. */
    long most(long least, long letters) {
        // clamped to the range of scores, so that nothing overflows
        long bound = 4L * Scoring.MAX_COST * (letters + 1);
        return Math.floorDiv(match * letters - 2 * Math.max(-bound, Math.min(bound, least)), unit);
    }

    int largest() {
        return Math.max(mismatch, Math.max(insertOpen, deleteOpen));
    }
}
