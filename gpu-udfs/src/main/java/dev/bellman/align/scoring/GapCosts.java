package dev.bellman.align.scoring;

/**
 * The cost of a gap: {@code open} for its first letter, {@code extend}, which is not more, for each further one.
 *
 * @param open from 0 to {@link Scoring#MAX_COST}
 * @param extend from 0 to {@code open}
 */
public record GapCosts(int open, int extend) {
    /** The cost of a gap of this many letters. */
    public long of(long letters) {
        return letters == 0 ? 0 : open + (letters - 1) * extend;
    }
}
