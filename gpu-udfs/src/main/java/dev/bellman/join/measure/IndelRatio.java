package dev.bellman.join.measure;

import dev.bellman.align.Text;
import dev.bellman.align.names.Ratios;

/**
 * The condition that {@code ratio} is at least {@code least}. The ratio is the percentage of characters that are in a
 * longest common subsequence of both strings. For strings of {@code a} and {@code b} characters, and {@code share =
 * least / 100}, this subsequence has at least {@code share (a + b) / 2} characters, but not more characters than the
 * shorter string. Therefore, the shorter string has at least {@code share / (2 - share)} times as many characters as
 * the longer string. The edit distance is at most the number of characters outside the subsequence.
 */
public record IndelRatio(double least) implements Measure {
    private static final double MAX = 100;

    /** A tolerance that exceeds all rounding errors. */
    private static final double SLACK = 1e-6;

    private double share() {
        return least / MAX;
    }

    @Override
    public boolean isPair(Text x, Text y) {
        return Ratios.ratio(x.characters(), y.characters(), Ratios.Strategy.AUTO) >= least;
    }

    @Override
    public boolean isPairWithItself(int length) {
        return least <= MAX;
    }

    @Override
    public int deletions(int longer) {
        return longer - (int) Math.min(longer, Math.ceil(share() * longer / (2 - share()) - SLACK));
    }

    @Override
    public int edits(int longer) {
        return (int) Math.min(longer, Math.floor((1 - share()) * 2 * longer + SLACK));
    }

    @Override
    public String toString() {
        return "ratio >= " + least;
    }
}
