package dev.bellman.align.score;

/**
 * What a gap costs: {@code open} for the first letter in it, {@code extend} for each further one, which is not more.
 *
 * @param open from 0 to {@link Scoring#LARGEST}
 * @param extend from 0 to {@code open}
 */
public record GapCosts(int open, int extend) {
    /** Of a gap of so many letters. */
    long of(long letters) {
        return letters == 0 ? 0 : open + (letters - 1) * extend;
    }
}
