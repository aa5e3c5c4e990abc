package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Golden;
import dev.bellman.markov.HiddenMarkov.Strategy;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests hidden Markov models whose states emit points with normally distributed coordinates. */
class GaussianPointsTest {
    private static Object call(String name, Strategy strategy, Object... arguments) {
        return GaussianTest.call(name, 1, strategy, arguments);
    }

    private static Object callOfNumbers(String name, Strategy strategy, Object... arguments) {
        return GaussianTest.call(name, 2, strategy, arguments);
    }

    private static Object[] model(Map<String, String> row) {
        return new Object[] {
            Values.array(Golden.numbers(row.get("start"))),
            GaussianTest.matrix(row.get("transitions"), Integer.parseInt(row.get("states"))),
            GaussianTest.matrix(row.get("emissions"), 2 * Integer.parseInt(row.get("dimensions")))
        };
    }

    private static ArrayData points(Map<String, String> row, String sequence) {
        return GaussianTest.matrix(sequence, Integer.parseInt(row.get("dimensions")));
    }

    /** Compares decoded sequences with hmmlearn. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("hidden_markov_points.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(50);
        for (Map<String, String> row : rows) {
            Object[] arguments = Arrays.copyOf(model(row), 4);
            arguments[3] = points(row, row.get("sequences").split(";")[0]);
            GaussianTest.decodes(1, strategy, row, arguments);
        }
    }

    /** Compares trained models with hmmlearn: the density before each iteration, and the model after the last one. */
    @ParameterizedTest
    @EnumSource
    void goldenTraining(Strategy strategy) {
        for (Map<String, String> row : Golden.allRows("hidden_markov_points.gold")) {
            Object[] model = model(row);
            ArrayData sequences = Values.arrayOf(Stream.of(row.get("sequences").split(";"))
                    .map(each -> points(row, each))
                    .toArray());
            int iterations = Golden.numbers(row.get("log_probabilities")).length;
            Row fitted = (Row)
                    call("hmm_refit", strategy, sequences, model[0], model[1], model[2], iterations, false, 1e-12);
            GaussianTest.closeModel(row, fitted, false);
        }
    }

    private static ArrayData ofNumbers(double... numbers) {
        return Values.arrayOf(DoubleStream.of(numbers).mapToObj(Values::array).toArray());
    }

    /** Points with one coordinate have the results of numbers, bit for bit. */
    @ParameterizedTest
    @EnumSource
    void oneCoordinate(Strategy strategy) {
        double[][] numbers = {{0.5, -3, 2, 2, 1e6}, {2, 1, -0.0}};
        ArrayData sequences =
                Values.arrayOf(Stream.of(numbers).map(Values::array).toArray());
        ArrayData points = Values.arrayOf(
                Stream.of(numbers).map(GaussianPointsTest::ofNumbers).toArray());
        Row expected = (Row) callOfNumbers("hmm_fit", strategy, sequences, 3, 5, 6L, 1e-3);
        Row model = (Row) call("hmm_fit", strategy, points, 3, 5, 6L, 1e-3);
        assertThat(GaussianTest.flat(model.get(2))).containsExactly(GaussianTest.flat(expected.get(2)));
        assertThat((double[]) model.get(3)).containsExactly((double[]) expected.get(3));
        Object[] arguments = {
            Values.array((double[]) model.get(0)),
            Values.arrayOf(
                    Stream.of((double[][]) model.get(1)).map(Values::array).toArray()),
            Values.arrayOf(
                    Stream.of((double[][]) model.get(2)).map(Values::array).toArray()),
            points.getArray(0)
        };
        Object ofPoints = call("forward", strategy, arguments);
        arguments[3] = sequences.getArray(0);
        assertThat(ofPoints).isEqualTo(callOfNumbers("forward", strategy, arguments));
    }

    /** The states differ only in their second coordinate; the order of the sequences does not matter. */
    @Test
    void findsStates() {
        SplittableRandom random = new SplittableRandom(3);
        Object[] sequences = new Object[20];
        Arrays.setAll(sequences, s -> {
            Object[] points = new Object[200];
            int state = 0;
            for (int t = 0; t < points.length; t++) {
                state = random.nextInt(10) == 0 ? 1 - state : state;
                points[t] = Values.array(5 + random.nextGaussian(), 10 * state + 2 * random.nextGaussian());
            }
            return Values.arrayOf(points);
        });
        Row model = (Row) call("hmm_fit", Strategy.AUTO, Values.arrayOf(sequences), 2, 40, 4L, 1e-3);
        double[][] emissions = (double[][]) model.get(2);
        Arrays.sort(emissions, (a, b) -> Double.compare(a[2], b[2]));
        for (int state = 0; state < 2; state++) {
            assertThat(emissions[state][0]).isBetween(4.9, 5.1);
            assertThat(emissions[state][1]).isBetween(0.9, 1.1);
            assertThat(emissions[state][2]).isBetween(10 * state - 0.2, 10 * state + 0.2);
            assertThat(emissions[state][3]).isBetween(3.5, 4.5);
        }
        ArrayData reversed = Values.arrayOf(
                Stream.iterate(19, i -> i - 1).limit(20).map(i -> sequences[i]).toArray());
        assertThat(((Row) call("hmm_fit", Strategy.SERIAL, reversed, 2, 40, 4L, 1e-3)).get(3))
                .isEqualTo(model.get(3));
    }

    @Test
    void messages() {
        ArrayData one = Values.array(1.0);
        ArrayData certain = Values.arrayOf(one);
        ArrayData normal = Values.arrayOf(Values.array(0.0, 1.0, 0.0, 1.0));
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, certain, normal, certain))
                .hasMessageContaining(
                        "entry 1 of values (counted from 1) is an array of size 1; it must be an array " + "of size 2");
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, certain, normal, Values.arrayOf()))
                .hasMessageContaining("viterbi: the sequence is empty");
        assertThatThrownBy(() -> call(
                        "forward", Strategy.AUTO, one, certain, normal, Values.arrayOf(Values.array(0, Double.NaN))))
                .hasMessageContaining(
                        "entry 2 of row 1 of values (counted from 1) is NaN; it must be a number from -1e100 to 1e100");
        assertThatThrownBy(() -> call(
                        "posterior", Strategy.AUTO, one, certain, Values.arrayOf(Values.array(0, 1, 2.0)), certain))
                .hasMessageContaining("posterior: emissions has 3 columns; it must have a mean and a variance for each "
                        + "coordinate of a point");
        assertThatThrownBy(() -> call(
                        "posterior", Strategy.AUTO, one, certain, Values.arrayOf(Values.array(0, 1, 2, 0.0)), certain))
                .hasMessageContaining(
                        "entry 4 of row 1 of emissions (counted from 1) is 0.0; it must be a variance from 1e-80");
        assertThatThrownBy(() ->
                        call("hmm_fit", Strategy.AUTO, Values.arrayOf(Values.arrayOf(Values.arrayOf())), 1, 1, 0L, 1.0))
                .hasMessageContaining(
                        "hmm_fit: entry 1 of sequence 1 (counted from 1) is empty; it must be a nonempty array");
        assertThatThrownBy(() ->
                        call("hmm_fit", Strategy.AUTO, Values.arrayOf(certain, ofNumbers(1), normal), 1, 1, 0L, 1.0))
                .hasMessageContaining(
                        "entry 1 of sequence 3 (counted from 1) is an array of size 4; it must be an array of size 1");
    }
}
