package dev.bellman.join.measure;

import dev.bellman.align.Text;
import dev.bellman.align.distance.JaroWinkler;

/**
 * The condition that a Jaro or Jaro-Winkler similarity is at least {@code least}. The order of the strings does not
 * matter.
 *
 * <p>Let the strings have {@code a} and {@code b} characters. Jaro's {@code m} matches are characters that both strings
 * contain. Therefore, {@code (m / a + m / b + 1) / 3} is at least the similarity, and a similarity of {@code j}
 * requires {@code m} to be at least {@code (3 j - 1) a b / (a + b)}. With a common prefix of {@code p} characters,
 * Winkler's similarity is {@code w = j + p / 10 (1 - j)} if {@code j} is more than 0.7; otherwise, it is {@code j}.
 * Therefore, if {@code w} exceeds 0.7, {@code j} exceeds 0.7 and is at least {@code (w - p / 10) / (1 - p / 10)}.
 */
public record Jaro(boolean winkler, double least) implements LetterMeasure {
    private static final double BOOST_THRESHOLD = 0.7;
    private static final double PREFIX_WEIGHT = 0.1;
    private static final int MAX_PREFIX = 4;

    /** A tolerance that exceeds all rounding errors. */
    private static final double SLACK = 1e-6;

    @Override
    public int prefixes() {
        return winkler ? MAX_PREFIX : 0;
    }

    @Override
    public int common(int shorter, int longer, int prefix) {
        double bonus = PREFIX_WEIGHT * prefix;
        double jaro = least <= BOOST_THRESHOLD ? least : Math.max(BOOST_THRESHOLD, (least - bonus) / (1 - bonus));
        double matches = (3 * jaro - 1) * shorter * longer / Math.max(1, shorter + longer);
        return (int) Math.max(1, Math.ceil(matches - SLACK));
    }

    @Override
    public boolean isPair(Text x, Text y) {
        return similarity(x, y) >= least;
    }

    private double similarity(Text x, Text y) {
        return winkler
                ? JaroWinkler.similarity(x, y, JaroWinkler.Strategy.AUTO)
                : JaroWinkler.jaro(x, y, JaroWinkler.Strategy.AUTO);
    }

    @Override
    public boolean isPairWithItself(int length) {
        return least <= 1;
    }

    @Override
    public String toString() {
        return (winkler ? "jaro_winkler_similarity >= " : "jaro_similarity >= ") + least;
    }
}
