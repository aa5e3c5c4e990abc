package dev.bellman.align.scoring;

/**
 * The cost of a gap: {@code open} for its first letter and {@code extend}, which must not exceed {@code open}, for each
 * further letter.
 *
 * @param open from 0 to {@link Scoring#MAX_COST}
 * @param extend from 0 to {@code open}
 */
public record GapCosts(int open, int extend) {
    /** Returns the cost of a gap with this number of letters. */
    public long of(long letters) {
        return letters == 0 ? 0 : open + (letters - 1) * extend;
    }
}
