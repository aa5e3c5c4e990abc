package dev.bellman.markov;

import static dev.bellman.TextbookAnswers.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.BellmanException;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests aligning tokens with the frames of a recording. */
class CtcTest {
    private static final int ROUNDS = 200;
    private static final int WIDTH = 3;
    private static final int MOST_FRAMES = 7;

    private static final double NONE = Double.NEGATIVE_INFINITY;

    /**
     * Enumerates all paths, that is, one token or blank per frame. From each path, repeated tokens are removed first,
     * then blanks.
     */
    @ParameterizedTest
    @EnumSource
    void equalsAllPaths(Ctc.Strategy strategy) {
        SplittableRandom random = new SplittableRandom(2006);
        for (int round = 0; round < ROUNDS; round++) {
            double[][] logs = new double[1 + random.nextInt(MOST_FRAMES)][WIDTH];
            for (double[] frame : logs) {
                Arrays.setAll(frame, k -> Math.log(1 - random.nextDouble()));
            }
            int[] tokens = random.ints(random.nextInt(4), 1, WIDTH).toArray();
            double sum = 0;
            double best = NONE;
            for (int code = 0; code < Math.pow(WIDTH, logs.length); code++) {
                int[] path = new int[logs.length];
                double log = 0;
                int rest = code;
                for (int t = 0; t < path.length; t++, rest /= WIDTH) {
                    path[t] = rest % WIDTH;
                    log += logs[t][path[t]];
                }
                if (Arrays.equals(collapsed(path), tokens)) {
                    sum += Math.exp(log);
                    best = Math.max(best, log);
                }
            }
            compare(logs, tokens, strategy, best, sum);
        }
    }

    private static void compare(double[][] logs, int[] tokens, Ctc.Strategy strategy, double best, double sum) {
        Object[] arguments = arguments(logs, tokens, 0);
        double score = (Double) call("ctc_score", strategy, arguments);
        if (sum == 0) {
            assertThat(score).isEqualTo(NONE);
            assertThatThrownBy(() -> call("ctc_align", strategy, arguments))
                    .isInstanceOf(BellmanException.class)
                    .hasMessageContaining("no path of %d frames contains these %d tokens", logs.length, tokens.length);
            return;
        }
        assertThat(score).isCloseTo(Math.log(sum), within(1e-12));
        Row alignment = (Row) call("ctc_align", strategy, arguments);
        int[] path = (int[]) alignment.get(1);
        assertThat(alignment.getDouble(0)).isCloseTo(best, within(1e-12));
        assertThat(collapsed(path)).containsExactly(tokens);
        Row[] spans = (Row[]) alignment.get(2);
        assertThat(spans).hasSize(tokens.length);
        int covered = 0;
        for (int i = 0; i < spans.length; i++) {
            assertThat(spans[i].getInt(0)).isEqualTo(tokens[i]);
            int[] frames = Arrays.copyOfRange(path, spans[i].getInt(1), spans[i].getInt(2));
            assertThat(frames).isNotEmpty().containsOnly(tokens[i]);
            covered += frames.length;
        }
        assertThat(Arrays.stream(path).filter(token -> token != 0).count()).isEqualTo(covered);
    }

    private static int[] collapsed(int... path) {
        StringBuilder text = new StringBuilder();
        for (int t = 0; t < path.length; t++) {
            if (path[t] != 0 && (t == 0 || path[t] != path[t - 1])) {
                text.append((char) path[t]);
            }
        }
        return text.chars().toArray();
    }

    @Test
    void anyBlank() {
        double[][] logs = {{Math.log(0.9), Math.log(0.1)}, {Math.log(0.2), Math.log(0.8)}};
        Row alignment = (Row) call("ctc_align", Ctc.Strategy.AUTO, arguments(logs, new int[] {0}, 1));
        assertThat((int[]) alignment.get(1)).containsExactly(0, 1);
        assertThat((Row[]) alignment.get(2))
                .singleElement()
                .satisfies(span -> assertThat(span.toSeq().mkString(",")).isEqualTo("0,0,1"));
    }

    /** The probability, e^-2,000,000, is far below the smallest DOUBLE. */
    @Test
    void smallProbabilities() {
        double[][] logs = new double[2_000][WIDTH];
        for (double[] frame : logs) {
            Arrays.fill(frame, -1_000);
        }
        Object[] arguments = arguments(logs, new int[0], 0);
        assertThat((Double) call("ctc_score", Ctc.Strategy.AUTO, arguments)).isCloseTo(-2e6, within(1e-6));
    }

    @Test
    void ties() {
        double[][] logs = new double[4][WIDTH];
        Row alignment = (Row) call("ctc_align", Ctc.Strategy.AUTO, arguments(logs, new int[] {1, 2}, 0));
        assertThat((int[]) alignment.get(1)).containsExactly(1, 2, 2, 2);
    }

    @Test
    void invalidTokens() {
        double[][] logs = new double[4][WIDTH];
        for (int token : new int[] {-1, 0, WIDTH}) {
            assertThatThrownBy(() -> call("ctc_align", Ctc.Strategy.AUTO, arguments(logs, new int[] {1, token}, 0)))
                    .hasMessageContaining(
                            "entry 2 of tokens (counted from 1) is %d; it must be the index (counted from 0) of one "
                                    + "of the %d entries in a frame, but not the blank, 0",
                            token, WIDTH);
        }
    }

    private static Object[] arguments(double[][] logs, int[] tokens, int blank) {
        ArrayData frames = Values.arrayOf(Arrays.stream(logs).map(Values::array).toArray());
        return new Object[] {frames, Values.array(tokens), blank};
    }
}
