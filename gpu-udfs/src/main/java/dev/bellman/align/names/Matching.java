package dev.bellman.align.names;

import dev.bellman.BellmanException;
import dev.bellman.align.Text;
import dev.bellman.align.score.AlignmentMode;
import dev.bellman.align.score.SequenceAlignment;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Computes the similarity with affine gaps, and functions that apply a {@link Metric} to the pairs of strings from two
 * lists.
 */
public final class Matching {
    /** Both strategies return the same result. */
    public enum Strategy {
        /** Uses the metric's fastest strategy. */
        AUTO,
        /** Uses the metric's simplest strategy. */
        SERIAL
    }

    static final String AFFINE_GAP = "affine_gap_similarity";

    /**
     * The scoring in which a match scores 1, and a gap costs 1 plus 0.5 for each further character. All numbers are
     * doubled, which makes them integers.
     */
    private static final Scoring HALVES = Scoring.of(AFFINE_GAP, "match 2 mismatch 0 open 2 extend 1");

    private Matching() {}

    /**
     * Returns the score of the best global alignment with affine gaps, as in Monge and Elkan (1996), with the costs of
     * py_stringmatching. The score is 0 if either string is empty. py_stringmatching allows no gap directly after a gap
     * in the other string. Such gaps are never optimal: a mismatch costs nothing and consumes a character of each
     * string.
     */
    static double affineGap(Text a, Text b, Strategy strategy) {
        if (a.length() == 0 || b.length() == 0) {
            return 0;
        }
        SequenceAlignment.Strategy its =
                strategy == Strategy.AUTO ? SequenceAlignment.Strategy.AUTO : SequenceAlignment.Strategy.SERIAL;
        return SequenceAlignment.score(AFFINE_GAP, a, b, AlignmentMode.GLOBAL, HALVES, SequenceAlignment.ANY, its)
                        .getAsLong()
                / 2.0;
    }

    /**
     * Returns the mean, over the words of {@code a}, of the similarity to the most similar word of {@code b}: Monge and
     * Elkan, "The field matching problem: algorithms and applications" (1996). The mean is 0 if either string has no
     * words.
     */
    static double mongeElkan(Text a, Text b, Metric metric, Strategy strategy) {
        List<Text> words = Words.inOrder(a.characters());
        List<Text> others = Words.inOrder(b.characters());
        if (words.isEmpty() || others.isEmpty()) {
            return 0;
        }
        Cancellation cancellation = new Cancellation();
        double sum = 0;
        for (Text word : words) {
            double most = 0;
            for (Text other : others) {
                cancellation.count(word.length());
                most = Math.max(most, metric.of(word, other, strategy == Strategy.SERIAL));
            }
            sum += most;
        }
        return sum / words.size();
    }

    /**
     * Returns the minimum or maximum of the metric over all pairs of a string in {@code a} and a string in {@code b}.
     */
    static double extreme(List<Text> a, List<Text> b, Metric metric, boolean smallest, Strategy strategy) {
        Cancellation cancellation = new Cancellation();
        double best = smallest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        for (Text left : a) {
            for (Text right : b) {
                cancellation.count(left.length());
                double value = metric.of(left, right, strategy == Strategy.SERIAL);
                best = smallest ? Math.min(best, value) : Math.max(best, value);
            }
        }
        return best;
    }

    /**
     * @throws BellmanException if the name is unknown, or if {@code similarity} is true and the metric is a distance
     */
    static Metric metric(String function, boolean similarity, String name) {
        return Metric.named(name)
                .filter(metric -> metric.isSimilarity() || !similarity)
                .orElseThrow(() -> BellmanException.inSetting(
                        function, "metric is '%s'; it must be one of %s".formatted(name, names(similarity))));
    }

    private static String names(boolean similarity) {
        Stream<Metric> all = Arrays.stream(Metric.values());
        return Metric.names(all.filter(metric -> metric.isSimilarity() || !similarity));
    }
}
