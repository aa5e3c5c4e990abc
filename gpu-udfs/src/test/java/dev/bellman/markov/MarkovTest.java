package dev.bellman.markov;

import static dev.bellman.TextbookAnswers.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.markov.HiddenMarkov.Strategy;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions for hidden Markov models. */
class MarkovTest {
    private static final int INSTANCES = Thorough.rounds(100, 300);
    private static final double RELATIVE = 1e-11;

    static List<BellmanFunction<?>> functions() {
        return MarkovFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1967, INSTANCES, 40);
    }

    /**
     * Compares with hmmlearn. A path may differ from hmmlearn's if the probabilities differ only by rounding errors.
     */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> rows = Golden.rows("hidden_markov.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(100);
        rows.values().forEach(row -> compare(row, strategy));
    }

    private static void compare(Map<String, String> row, Strategy strategy) {
        Object[] model = {
            Values.array(Golden.numbers(row.get("start"))),
            matrix(row, "transitions", "states"),
            matrix(row, "emissions", "letters"),
            Values.array(integers(row.get("symbols"))),
            false
        };
        Row path = (Row) call("viterbi", strategy, model);
        close(row, "viterbi", path.getDouble(0));
        close(row, "viterbi", logWeight(row, (int[]) path.get(1)));
        close(row, "forward", (Double) call("forward", strategy, model));
        double[][] posterior = (double[][]) call("posterior", strategy, model);
        assertThat(Arrays.stream(posterior).flatMapToDouble(Arrays::stream).toArray())
                .containsExactly(Golden.numbers(row.get("posterior")), within(RELATIVE));
        Object[] logs = {logs(model[0]), logs(model[1]), logs(model[2]), model[3], true};
        Row ofLogs = (Row) call("viterbi", strategy, logs);
        assertThat(ofLogs.getDouble(0)).isEqualTo(path.getDouble(0));
        assertThat((int[]) ofLogs.get(1)).isEqualTo((int[]) path.get(1));
        close(row, "forward", (Double) call("forward", strategy, logs));
        assertThat(Arrays.stream((double[][]) call("posterior", strategy, logs))
                        .flatMapToDouble(Arrays::stream)
                        .toArray())
                .containsExactly(Golden.numbers(row.get("posterior")), within(RELATIVE));
    }

    /** Returns the logarithms of an array, or of an array of arrays. */
    private static ArrayData logs(Object numbers) {
        return numbers instanceof UnsafeArrayData plain
                ? Values.array(Arrays.stream(plain.toDoubleArray())
                        .map(StrictMath::log)
                        .toArray())
                : Values.arrayOf(Arrays.stream(((ArrayData) numbers).array())
                        .map(MarkovTest::logs)
                        .toArray());
    }

    private static double logWeight(Map<String, String> row, int... path) {
        double[] transitions = Golden.numbers(row.get("transitions"));
        double[] emissions = Golden.numbers(row.get("emissions"));
        int[] symbols = integers(row.get("symbols"));
        int states = Integer.parseInt(row.get("states"));
        int letters = Integer.parseInt(row.get("letters"));
        double sum = Math.log(Golden.numbers(row.get("start"))[path[0]]);
        for (int t = 0; t < path.length; t++) {
            sum += Math.log(emissions[path[t] * letters + symbols[t]]);
            sum += t > 0 ? Math.log(transitions[path[t - 1] * states + path[t]]) : 0;
        }
        return sum;
    }

    private static void close(Map<String, String> row, String column, double found) {
        double expected = Double.parseDouble(row.get(column));
        assertThat(found)
                .as("%s of row %s", column, row.get("id"))
                .isCloseTo(expected, within(RELATIVE * Math.max(1, Math.abs(expected))));
    }

    private static int[] integers(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    private static ArrayData matrix(Map<String, String> row, String column, String width) {
        return GaussianTest.matrix(row.get(column), Integer.parseInt(row.get(width)));
    }

    /**
     * After two steps, the probability of a state is below the range of DOUBLE; then the state becomes the only
     * possible one.
     */
    @Test
    void unlikelyStates() {
        Object[] model = {
            Values.array(0.5, 0.5),
            Values.arrayOf(Values.array(1.0, 0.0), Values.array(0.0, 1.0)),
            Values.arrayOf(Values.array(1.0, 1e-300), Values.array(1.0, 1e-300), Values.array(0.0, 1.0)),
            false
        };
        for (Strategy strategy : Strategy.values()) {
            assertThat((Double) call("forward", strategy, model))
                    .isCloseTo(2 * Math.log(1e-300) + Math.log(0.5), within(1e-9));
            assertThat((double[][]) call("posterior", strategy, model))
                    .isDeepEqualTo(new double[][] {{0, 1}, {0, 1}, {0, 1}});
        }
    }

    /** Tests logarithms of numbers that are slightly or far outside the range of DOUBLE. */
    @ParameterizedTest
    @ValueSource(doubles = {-9e8, -1e5, -745.5, 710, 1e5, 9e8})
    void logarithmsBeyondTheRangeOfDouble(double each) {
        Object[] model = {
            Values.array(each, each - 2),
            Values.arrayOf(Values.array(-0.0, -3), Values.array(Double.NEGATIVE_INFINITY, 0)),
            Values.arrayOf(Values.array(each, each), Values.array(each, each + 1), Values.array(each, each + 2)),
            true
        };
        for (Strategy strategy : Strategy.values()) {
            Row path = (Row) call("viterbi", strategy, model);
            assertThat(path.getDouble(0)).isCloseTo(4 * each + 1, within(1e-6));
            assertThat((int[]) path.get(1)).containsExactly(1, 1, 1);
            double forward = (Double) call("forward", strategy, model);
            // the paths 000, 001, 011 and 111
            double sum = 1 + Math.exp(-1) + Math.exp(0) + Math.exp(1);
            assertThat(forward).isCloseTo(4 * each + Math.log(sum), within(2e-6));
            double[][] posterior = (double[][]) call("posterior", strategy, model);
            assertThat(posterior[0])
                    .containsExactly(new double[] {1 - Math.exp(1) / sum, Math.exp(1) / sum}, within(1e-6));
            assertThat(posterior[2]).containsExactly(new double[] {1 / sum, 1 - 1 / sum}, within(1e-6));
        }
    }

    @Test
    void messages() {
        ArrayData one = Values.array(1.0);
        ArrayData matrix = Values.arrayOf(one);
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, matrix, matrix, Values.array(0, 1), false))
                .hasMessage("[BELLMAN_INPUT_VALUE] viterbi: entry 2 of symbols (counted from 1) is 1; it must be from "
                        + "0 to 0, because emissions has 1 columns. Correct the row, or use "
                        + "try_viterbi, which returns NULL");
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, matrix, Values.arrayOf(Values.array(-1.0)), false))
                .hasMessageContaining("entry 1 of row 1 of emissions (counted from 1) is -1.0; it must be a finite");
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, matrix, Values.arrayOf(Values.array(0.0)), false))
                .hasMessageContaining("viterbi: every state sequence has weight 0");
        assertThatThrownBy(() -> call("forward", Strategy.AUTO, one, matrix, Values.arrayOf(Values.array(2e9)), true))
                .hasMessageContaining(
                        "entry 1 of row 1 of emissions (counted from 1) is 2.0E9; it must be from -1e9 to "
                                + "1e9, or -Infinity");
    }
}
