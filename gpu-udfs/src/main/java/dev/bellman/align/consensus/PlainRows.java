package dev.bellman.align.consensus;

import dev.bellman.align.scoring.GapCosts;

final class PlainRows implements RowSteps {
    @Override
    public int steps() {
        return 1;
    }

    @Override
    public void first(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete) {
        first(best, skip, bestBefore, skipBefore, profile, delete, 1);
    }

    /** Does the same as {@link RowSteps#first}, starting at column {@code begin}. */
    static void first(
            int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete, int begin) {
        int open = delete.open();
        int extend = delete.extend();
        for (int j = begin; j < best.length; j++) {
            int skipped = Math.max(bestBefore[j] - open, skipBefore[j] - extend);
            skip[j] = skipped;
            best[j] = Math.max(bestBefore[j - 1] + profile[j], skipped);
        }
    }

    @Override
    public void next(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete) {
        next(best, skip, bestBefore, skipBefore, profile, delete, 1);
    }

    /** Does the same as {@link RowSteps#next}, starting at column {@code begin}. */
    static void next(
            int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete, int begin) {
        int open = delete.open();
        int extend = delete.extend();
        for (int j = begin; j < best.length; j++) {
            int skipped = Math.max(bestBefore[j] - open, skipBefore[j] - extend);
            skip[j] = Math.max(skip[j], skipped);
            best[j] = Math.max(best[j], Math.max(bestBefore[j - 1] + profile[j], skipped));
        }
    }

    @Override
    public void skip(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, GapCosts delete) {
        skip(best, skip, bestBefore, skipBefore, delete, 1);
    }

    /** Does the same as {@link RowSteps#skip}, starting at column {@code begin}. */
    static void skip(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, GapCosts delete, int begin) {
        int open = delete.open();
        int extend = delete.extend();
        for (int j = begin; j < best.length; j++) {
            skip[j] = Math.max(skip[j], Math.max(bestBefore[j] - open, skipBefore[j] - extend));
            best[j] = Math.max(best[j], skip[j]);
        }
    }

    @Override
    public void insert(int[] best, GapCosts insert) {
        insert(best, insert, 1, best[0] - insert.open());
    }

    /**
     * Does the same as {@link RowSteps#insert}, starting at column {@code begin}.
     *
     * @param last the best score of an alignment that ends with a gap opposite the character of column {@code begin}
     */
    static void insert(int[] best, GapCosts insert, int begin, int last) {
        int open = insert.open();
        int extend = insert.extend();
        int inserted = last;
        for (int j = begin; j < best.length; j++) {
            // opening a gap right after another gap opposite characters costs at least as much as extending that gap,
            // so a gap is opened only after other alignments
            int other = best[j];
            best[j] = Math.max(other, inserted);
            inserted = Math.max(other - open, inserted - extend);
        }
    }
}
