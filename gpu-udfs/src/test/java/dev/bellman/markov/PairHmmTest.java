package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.Strategies;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the likelihoods of reads. */
class PairHmmTest {
    private static final int ROUNDS = 100;
    private static final double TOLERANCE = 1e-4;

    /** Compares with GATK's native library, which also computes in FLOAT and, for small likelihoods, in DOUBLE. */
    @ParameterizedTest
    @EnumSource
    void golden(PairHmm.Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("pair_hmm.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(100);
        for (Map<String, String> row : rows) {
            assertThat(log10(
                            strategy,
                            row.get("read"),
                            row.get("qualities"),
                            row.get("haplotype"),
                            row.get("insertion_qualities"),
                            row.get("deletion_qualities"),
                            row.get("continuation")))
                    .as(row.toString())
                    .isCloseTo(Double.parseDouble(row.get("log10")), within(TOLERANCE));
        }
    }

    /** Compares likelihoods with the sum of the probabilities of all paths through the model. */
    @ParameterizedTest
    @EnumSource
    void equalsAllPaths(PairHmm.Strategy strategy) {
        SplittableRandom random = new SplittableRandom(2017);
        for (int round = 0; round < ROUNDS; round++) {
            String read = word(random, "ACN", 1 + random.nextInt(5));
            String haplotype = word(random, "ACN", 1 + random.nextInt(5));
            String qualities = word(random, "#+5?I", read.length());
            String insertions = word(random, "+5", read.length());
            String deletions = word(random, "+5", read.length());
            String continuations = word(random, "&+", read.length());
            Paths paths = new Paths(read, haplotype, List.of(qualities, insertions, deletions, continuations));
            double sum = 0;
            for (int j = 0; j <= haplotype.length(); j++) {
                sum += paths.from('D', 0, j) / haplotype.length();
            }
            assertThat(log10(strategy, read, qualities, haplotype, insertions, deletions, continuations))
                    .isCloseTo(Math.log10(sum), within(1e-6));
        }
    }

    private record Paths(String read, String haplotype, List<String> qualities) {
        private double error(int kind, int i) {
            return Math.pow(10, -(qualities.get(kind).charAt(i - 1) - '!') / 10.0);
        }

        /** Returns the probability of the rest of the read after state {@code last} at row i and column j. */
        double from(char last, int i, int j) {
            double sum = i == read.length() && (last != 'D') ? 1 : 0;
            boolean isMatch = last == 'M';
            if (i < read.length() && j < haplotype.length()) {
                double move = isMatch ? 1 - error(1, i + 1) - error(2, i + 1) : 1 - error(3, i + 1);
                char a = read.charAt(i);
                char b = haplotype.charAt(j);
                boolean equal = a == b || a == 'N' || b == 'N';
                double emission = equal ? 1 - error(0, i + 1) : error(0, i + 1) / 3;
                sum += move * emission * from('M', i + 1, j + 1);
            }
            if (i > 0 && i < read.length() && last != 'D') {
                sum += (isMatch ? error(1, i + 1) : error(3, i + 1)) * from('I', i + 1, j);
            }
            if (i > 0 && j < haplotype.length() && last != 'I') {
                sum += (isMatch ? error(2, i) : error(3, i)) * from('D', i, j + 1);
            }
            return sum;
        }
    }

    /** The strategies agree on long reads, whose probabilities are outside the range of DOUBLE or near its limit. */
    @Test
    void longReads() {
        SplittableRandom random = new SplittableRandom(1998);
        List<Boolean> narrow = new ArrayList<>();
        for (int length = 480; length <= 620; length += 20) {
            String haplotype = word(random, "ACGT", 60);
            String read = word(random, "ACGT", length);
            String qualities = word(random, "I~", length);
            double expected = log10(PairHmm.Strategy.SERIAL, read, qualities, haplotype, "N", "N", "+");
            assertThat(log10(PairHmm.Strategy.AUTO, read, qualities, haplotype, "N", "N", "+"))
                    .isEqualTo(expected)
                    .isFinite();
            narrow.add(PairHmm.isNarrow(
                    PairHmmRead.of("", text(read), text(qualities), text("N"), text("N"), text("+")), 60));
        }
        assertThat(narrow).startsWith(true).endsWith(false);
    }

    @Test
    void impossible() {
        assertThat(log10(PairHmm.Strategy.AUTO, "A", "!", "A", "N", "N", "+")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(log10(PairHmm.Strategy.AUTO, "a", "!", "c", "N", "N", "+"))
                .isNegative()
                .isFinite();
    }

    private static String word(SplittableRandom random, String letters, int length) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < length; i++) {
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    private static UTF8String text(String text) {
        return UTF8String.fromString(text);
    }

    private static double log10(PairHmm.Strategy strategy, String... arguments) {
        BellmanFunction<?> function = MarkovFunctions.list().stream()
                .filter(each -> each.name().equals("pair_hmm"))
                .findFirst()
                .orElseThrow();
        Object[] values = new Object[arguments.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = text(arguments[i]);
        }
        return (Double) TextbookAnswers.call(function, Strategies.name(strategy), FunctionOptions.DEFAULT, values);
    }
}
