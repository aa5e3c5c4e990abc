package dev.bellman.align.score;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Computes the significance of a local alignment's score, after Karlin and Altschul, "Methods for assessing the
 * statistical significance of molecular sequence features by using general scoring schemes" (1990); for gaps, Altschul
 * and Gish, "Local alignment statistics" (1996). Unrelated sequences of {@code m} and {@code n} letters have
 *
 * <pre>
 * E = K * m * n * exp(-lambda * score) = m * n / 2^bits,     bits = (lambda * score - ln K) / ln 2
 * </pre>
 *
 * alignments with at least that score. The numbers {@code lambda} and {@code K} depend on the scoring; for scorings
 * with gaps, they come from simulations.
 *
 * @param matrix the name of the substitution matrix
 * @param gap the gap costs in both sequences
 */
public record ScoreStatistics(String matrix, GapCosts gap, double lambda, double k) {
    /** Both strategies return the same numbers. */
    public enum Strategy {
        /** Uses the GPU if possible. */
        AUTO,
        /** Computes row by row on the CPU. */
        SERIAL
    }

    private static final double LN_2 = StrictMath.log(2);

    /** The parameters that the thread looked up last, cached because most rows have the same scoring. */
    private static final ThreadLocal<Known> LAST = new ThreadLocal<>();

    private record Known(UTF8String scoring, ScoreStatistics statistics) {}

    /** NCBI's parameters, from {@code statistics.txt}. */
    static final List<ScoreStatistics> ALL = read();

    private static List<ScoreStatistics> read() {
        try (InputStream file = ScoreStatistics.class.getResourceAsStream("statistics.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> {
                        String[] fields = line.split(" ");
                        int extension = Integer.parseInt(fields[2]);
                        return new ScoreStatistics(
                                fields[0],
                                new GapCosts(Integer.parseInt(fields[1]) + extension, extension),
                                Double.parseDouble(fields[3]),
                                Double.parseDouble(fields[4]));
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the parameters of a scoring.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are no parameters for this scoring
     */
    static ScoreStatistics of(String function, String scoringText) {
        Scoring scoring = Scoring.of(function, scoringText);
        Optional<String> matrix = scoring.matrixName();
        List<ScoreStatistics> ofMatrix = ALL.stream()
                .filter(each -> matrix.filter(each.matrix::equalsIgnoreCase).isPresent())
                .toList();
        return ofMatrix.stream()
                .filter(each -> each.gap.equals(scoring.insert()) && each.gap.equals(scoring.delete()))
                .findFirst()
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        "%s: no statistics are published for '%s'; expected %s"
                                .formatted(
                                        function,
                                        scoringText,
                                        ofMatrix.isEmpty()
                                                ? ALL.stream()
                                                        .map(ScoreStatistics::matrix)
                                                        .distinct()
                                                        .collect(Collectors.joining(", "))
                                                : matrix.get() + " with "
                                                        + ofMatrix.stream()
                                                                .map(each -> "open %d extend %d"
                                                                        .formatted(each.gap.open(), each.gap.extend()))
                                                                .collect(Collectors.joining(", ")))));
    }

    /** Returns the parameters for the scoring that a row specifies. */
    static ScoreStatistics of(String function, UTF8String scoring) {
        Known last = LAST.get();
        if (last == null || !last.scoring().equals(scoring)) {
            last = new Known(scoring.clone(), of(function, scoring.toString()));
            LAST.set(last);
        }
        return last.statistics();
    }

    double bitScore(long score) {
        return (lambda * score - logOfK()) / LN_2;
    }

    /** Returns the expected number of chance alignments with at least this score. */
    double expected(long score, long queryLetters, long targetLetters) {
        return k * queryLetters * targetLetters * StrictMath.exp(-(lambda * score));
    }

    double logOfK() {
        return StrictMath.log(k);
    }

    /**
     * Checks that a number from a row is not negative.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if it is negative
     */
    static void check(String function, String argument, long value) {
        if (value < 0) {
            throw BellmanException.inRow(
                    function,
                    "%s is %d; it must be at least 0%s"
                            .formatted(
                                    argument,
                                    value,
                                    argument.equals("score")
                                            ? ", because the score of a local alignment is never negative"
                                            : ""));
        }
    }
}
