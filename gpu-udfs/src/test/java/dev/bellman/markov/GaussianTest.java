package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.markov.HiddenMarkov.Strategy;
import dev.bellman.proof.Values;
import java.util.ArrayList;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Tests hidden Markov models whose states emit normally distributed numbers. */
class GaussianTest {
    private static final double RELATIVE = 1e-9;

    /** Calls the overload of a function for numbers. */
    private static Object call(String name, Strategy strategy, Object... arguments) {
        return call(name, 2, strategy, arguments);
    }

    /**
     * @param last which overload to call: 1 for the last one, which is for points, or 2 for the one before it, which is
     *     for numbers
     */
    @SuppressWarnings("unchecked")
    static Object call(String name, int last, Strategy strategy, Object... arguments) {
        BellmanFunction<Strategy> function =
                (BellmanFunction<Strategy>) Catalogue.named(name).orElseThrow();
        int overload = function.overloads().size() - last;
        Signature<Strategy> signature = function.signatures().stream()
                .filter(each -> each.overload() == overload)
                .findFirst()
                .orElseThrow();
        // omitted arguments have their defaults
        List<Object> all = new ArrayList<>(List.of(arguments));
        signature.parameters().stream()
                .skip(arguments.length)
                .forEach(each -> all.add(each.ifAbsent().orElseThrow().value()));
        return signature.call(strategy, FunctionOptions.DEFAULT).result(all.toArray());
    }

    static ArrayData matrix(String text, int columns) {
        double[] numbers = Golden.numbers(text);
        Object[] rows = new Object[numbers.length / columns];
        Arrays.setAll(rows, i -> Values.array(Arrays.copyOfRange(numbers, i * columns, (i + 1) * columns)));
        return Values.arrayOf(rows);
    }

    static double[] flat(Object rows) {
        return Stream.of((double[][]) rows).flatMapToDouble(Arrays::stream).toArray();
    }

    static void close(Map<String, String> row, String column, double... found) {
        double[] expected = Golden.numbers(row.get(column));
        double largest = DoubleStream.of(expected).map(Math::abs).reduce(1, Math::max);
        assertThat(found)
                .as("%s of row %s", column, row.get("id"))
                .containsExactly(expected, within(RELATIVE * largest));
    }

    private static Object[] model(Map<String, String> row, boolean logarithms) {
        ArrayData start = Values.array(Golden.numbers(row.get("start")));
        ArrayData transitions = matrix(row.get("transitions"), Integer.parseInt(row.get("states")));
        return new Object[] {
            logarithms ? logs(start) : start,
            logarithms ? logsOfRows(transitions) : transitions,
            matrix(row.get("emissions"), 2)
        };
    }

    /** Compares decoded sequences with hmmlearn. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("hidden_markov_gaussian.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(50);
        for (Map<String, String> row : rows) {
            for (boolean logarithms : new boolean[] {false, true}) {
                Object[] arguments = Arrays.copyOf(model(row, logarithms), 5);
                arguments[3] = Values.array(Golden.numbers(row.get("sequences").split(";")[0]));
                arguments[4] = logarithms;
                decodes(2, strategy, row, arguments);
            }
        }
    }

    private static ArrayData logs(ArrayData probabilities) {
        return Values.array(
                Arrays.stream(probabilities.toDoubleArray()).map(Math::log).toArray());
    }

    private static ArrayData logsOfRows(ArrayData matrix) {
        return Values.arrayOf(
                Stream.of(matrix.array()).map(each -> logs((ArrayData) each)).toArray());
    }

    private static double[] exponentials(double... logs) {
        return DoubleStream.of(logs).map(Math::exp).toArray();
    }

    /** @param last which overload to call, as for {@link #call(String, int, Strategy, Object...)} */
    static void decodes(int last, Strategy strategy, Map<String, String> row, Object... arguments) {
        Row path = (Row) call("viterbi", last, strategy, arguments);
        close(row, "viterbi", path.getDouble(0));
        assertThat(Arrays.toString((int[]) path.get(1)).replaceAll("[,\\[\\]]", ""))
                .isEqualTo(row.get("path"));
        close(row, "forward", (Double) call("forward", last, strategy, arguments));
        close(row, "posterior", flat(call("posterior", last, strategy, arguments)));
    }

    /**
     * The only transition to the state of the last two values has the probability exp(-2000), which is too small for
     * DOUBLE.
     */
    @ParameterizedTest
    @EnumSource
    void tinyProbabilities(Strategy strategy) {
        double never = Double.NEGATIVE_INFINITY;
        Object[] arguments = {
            Values.array(0.0, never),
            Values.arrayOf(Values.array(0.0, -2000.0), Values.array(never, 0.0)),
            Values.arrayOf(Values.array(0.0, 1.0), Values.array(1e3, 1.0)),
            Values.array(0.0, 0.0, 1e3, 1e3),
            true
        };
        double density = -2 * Math.log(2 * Math.PI) - 2000;
        assertThat((Double) call("forward", strategy, arguments)).isCloseTo(density, within(1e-9));
        Row path = (Row) call("viterbi", strategy, arguments);
        assertThat(path.getDouble(0)).isCloseTo(density, within(1e-9));
        assertThat((int[]) path.get(1)).containsExactly(0, 0, 1, 1);
        assertThat(flat(call("posterior", strategy, arguments))).containsExactly(1, 0, 1, 0, 0, 1, 0, 1);
    }

    /** Compares trained models with hmmlearn: the density before each iteration, and the model after the last one. */
    @ParameterizedTest
    @EnumSource
    void goldenTraining(Strategy strategy) {
        for (Map<String, String> row : Golden.allRows("hidden_markov_gaussian.gold")) {
            for (boolean logarithms : new boolean[] {false, true}) {
                Object[] model = model(row, logarithms);
                Row fitted = (Row) call(
                        "hmm_refit",
                        strategy,
                        sequences(Stream.of(row.get("sequences").split(";"))
                                .map(Golden::numbers)
                                .toArray(double[][]::new)),
                        model[0],
                        model[1],
                        model[2],
                        Golden.numbers(row.get("log_probabilities")).length,
                        logarithms,
                        1e-12);
                closeModel(row, fitted, logarithms);
            }
        }
    }

    static void closeModel(Map<String, String> row, Row fitted, boolean logarithms) {
        double[] start = (double[]) fitted.get(0);
        double[] transitions = flat(fitted.get(1));
        close(row, "fitted_start", logarithms ? exponentials(start) : start);
        close(row, "fitted_transitions", logarithms ? exponentials(transitions) : transitions);
        close(row, "fitted_emissions", flat(fitted.get(2)));
        close(row, "log_probabilities", (double[]) fitted.get(3));
    }

    private static ArrayData sequences(double[]... sequences) {
        return Values.arrayOf(Stream.of(sequences).map(Values::array).toArray());
    }

    /** Training finds the means, deviations and transitions of the three states that generated the sequences. */
    @Test
    void findsStates() {
        SplittableRandom random = new SplittableRandom(9);
        double[][] sequences = new double[20][200];
        for (double[] sequence : sequences) {
            int state = 0;
            for (int t = 0; t < sequence.length; t++) {
                state = random.nextInt(10) == 0 ? random.nextInt(3) : state;
                sequence[t] = 1e6 + 10 * state + (1 + state) * random.nextGaussian();
            }
        }
        Row model = (Row) call("hmm_fit", Strategy.AUTO, sequences(sequences), 3, 40, 0L, 1e-3);
        double[] logs = (double[]) model.get(3);
        for (int i = 1; i < logs.length; i++) {
            assertThat(logs[i]).isGreaterThan(logs[i - 1] - 1e-6);
        }
        double[][] emissions = (double[][]) model.get(2);
        double[][] transitions = (double[][]) model.get(1);
        for (int state = 0; state < 3; state++) {
            assertThat(emissions[state][0]).isCloseTo(1e6 + 10 * state, within(0.3));
            assertThat(Math.sqrt(emissions[state][1])).isCloseTo(1 + state, within(0.15));
            assertThat(transitions[state][state]).isCloseTo(0.933, within(0.03));
        }
    }

    /** A variance is at least the given minimum, without which the likelihood of equal values would be unbounded. */
    @Test
    void minimumVariance() {
        ArrayData constant = sequences(new double[] {3, 3, 3}, new double[] {3});
        for (double least : new double[] {1e-3, 1e-80, 7}) {
            Row model = (Row) call("hmm_fit", Strategy.AUTO, constant, 2, 3, 0L, least);
            assertThat(flat(model.get(2))).containsExactly(3, least, 3, least);
            assertThat(((double[]) model.get(3))[2]).isCloseTo(-2 * Math.log(2 * Math.PI * least), within(1e-9));
        }
    }

    /** The order of the sequences does not affect the model, which is finite even if values are very large. */
    @Test
    void extremeValues() {
        double[][] sequences = {{1e100, -1e100, 1, 2}, {1, 1e-300, 2, 1}, {-5, 1e50}};
        Row model = (Row) call("hmm_fit", Strategy.SERIAL, sequences(sequences), 4, 5, 3L, 1e-80);
        assertThat(DoubleStream.of(flat(model.get(2)))).allMatch(Double::isFinite);
        assertThat(DoubleStream.of((double[]) model.get(3))).allMatch(Double::isFinite);
        double[][] other = {sequences[2], sequences[0], sequences[1]};
        assertThat(flat(((Row) call("hmm_fit", Strategy.AUTO, sequences(other), 4, 5, 3L, 1e-80)).get(2)))
                .containsExactly(flat(model.get(2)));
    }

    /** The densities of outliers are far below the range of DOUBLE. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1e3, -1e9, 1e50, -1e100})
    void outliers(double outlier) {
        Object[] arguments = {
            Values.array(0.5, 0.5),
            Values.arrayOf(Values.array(0.9, 0.1), Values.array(0.1, 0.9)),
            Values.arrayOf(Values.array(-1.0, 1e-3), Values.array(1.0, 1e-3)),
            Values.array(-1.0, outlier, 1.0)
        };
        // far away, the rounded distances from both means are equal, so the neighbouring steps decide
        double isUpper = Math.abs(outlier) > 1e16 ? 0.5 : (Math.signum(outlier) + 1) / 2;
        double deviations = Math.pow(outlier + 1, 2) + Math.pow(outlier - 1, 2);
        for (Strategy strategy : Strategy.values()) {
            double[] posterior = flat(call("posterior", strategy, arguments));
            assertThat(posterior[2]).isCloseTo(1 - isUpper, within(1e-12));
            assertThat(posterior[3]).isCloseTo(isUpper, within(1e-12));
            assertThat(posterior[0]).isCloseTo(1, within(1e-12));
            double forward = (Double) call("forward", strategy, arguments);
            assertThat(forward).isFinite().isLessThan(0);
            assertThat(forward).isGreaterThan(-deviations / 1e-3 - 1e6);
            assertThat(((Row) call("viterbi", strategy, arguments)).getDouble(0))
                    .isLessThanOrEqualTo(forward);
        }
    }

    /** An outlier does not hide the differences between states at other steps. */
    @ParameterizedTest
    @EnumSource
    void statesAfterOutlier(Strategy strategy) {
        Object[] arguments = {
            Values.array(0.5, 0.5),
            Values.arrayOf(Values.array(0.9, 0.1), Values.array(0.1, 0.9)),
            Values.arrayOf(Values.array(-1.0, 1e-3), Values.array(1.0, 1e-3)),
            Values.array(-1.0, 1e12, -1.0, 1.0, 1.0, -1.0)
        };
        assertThat((int[]) ((Row) call("viterbi", strategy, arguments)).get(1)).containsExactly(0, 1, 0, 1, 1, 0);
    }

    /** A state that cannot be reached does not hide the differences between states, however close it is to an outlier. */
    @ParameterizedTest
    @EnumSource
    void impossibleStateNearOutlier(Strategy strategy) {
        Object[] arguments = {
            Values.array(0.5, 0.5, 0.0),
            Values.arrayOf(Values.array(0.9, 0.1, 0.0), Values.array(0.1, 0.9, 0.0), Values.array(0.0, 0.0, 1.0)),
            Values.arrayOf(Values.array(0.0, 1.0), Values.array(5.0, 1.0), Values.array(1e12, 1.0)),
            Values.array(1e12, 5.0, 5.0, 0.0, 0.0)
        };
        assertThat((int[]) ((Row) call("viterbi", strategy, arguments)).get(1)).containsExactly(1, 1, 1, 0, 0);
    }

    /**
     * A state that cannot be reached, or that no transition leaves, does not affect the results, however close it is to
     * an outlier.
     */
    @ParameterizedTest
    @EnumSource
    void stateOnNoPathNearOutlier(Strategy strategy) {
        ArrayData outliers = Values.array(5, 1e12, 5, 5, 0, 0);
        Object[] two = {Values.array(0.5, 0.25), matrix("0.75 0.125 0.125 0.75", 2), matrix("0 1 5 1", 2), outliers};
        Object[] unreachable = {
            Values.array(0.5, 0.25, 0.0),
            matrix("0.75 0.125 0 0.125 0.75 0 0.25 0.25 0.5", 3),
            matrix("0 1 5 1 1e12 1", 2),
            outliers
        };
        // state 2 leads to state 3, from which no transition leads further
        Object[] deadEnds = {
            Values.array(0.5, 0.25, 0.25, 0.0),
            matrix("0.75 0.125 0.125 0 0.125 0.75 0.125 0 0 0 0 1 0 0 0 0", 4),
            matrix("0 1 5 1 1e12 1 1e12 1", 2),
            outliers
        };
        double[] posterior = flat(call("posterior", strategy, two));
        assertThat(posterior[1]).isGreaterThan(0.9).isLessThan(1);
        Row path = (Row) call("viterbi", strategy, two);
        for (Object[] more : List.of(unreachable, deadEnds)) {
            int states = ((ArrayData) more[0]).numElements();
            double[] found = flat(call("posterior", strategy, more));
            for (int t = 0; t < outliers.numElements() - 2; t++) {
                for (int j = 0; j < states; j++) {
                    double expected = j < 2 ? posterior[2 * t + j] : 0;
                    assertThat(found[states * t + j]).isCloseTo(expected, within(1e-9));
                }
            }
            assertThat(call("forward", strategy, more)).isEqualTo(call("forward", strategy, two));
            assertThat((int[]) ((Row) call("viterbi", strategy, more)).get(1)).isEqualTo(path.get(1));
        }
    }

    /**
     * After two values, one state is about 1e-1086 times as likely as the other one; the remaining values make it more
     * likely.
     */
    @Test
    void unlikelyStates() {
        double far = 50;
        Object[] arguments = {
            Values.array(0.5, 0.5),
            Values.arrayOf(Values.array(1.0, 0.0), Values.array(0.0, 1.0)),
            Values.arrayOf(Values.array(0.0, 1.0), Values.array(far, 1.0)),
            Values.array(0.0, 0.0, far, far, far)
        };
        for (Strategy strategy : Strategy.values()) {
            assertThat(flat(call("posterior", strategy, arguments))).containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
            assertThat((Double) call("forward", strategy, arguments))
                    .isCloseTo(Math.log(0.5) - 2.5 * Math.log(2 * Math.PI) - far * far, within(1e-9));
        }
    }

    @Test
    void messages() {
        ArrayData one = Values.array(1.0);
        ArrayData certain = Values.arrayOf(one);
        ArrayData normal = Values.arrayOf(Values.array(0.0, 1.0));
        assertThatThrownBy(() -> call("viterbi", Strategy.AUTO, one, certain, normal, Values.array(new double[0])))
                .hasMessageContaining("viterbi: the sequence is empty");
        assertThatThrownBy(() -> call("forward", Strategy.AUTO, one, certain, normal, Values.array(0, Double.NaN)))
                .hasMessageContaining(
                        "entry 2 of values (counted from 1) is NaN; it must be a number from -1e100 to 1e100");
        assertThatThrownBy(() -> call(
                        "posterior",
                        Strategy.AUTO,
                        one,
                        certain,
                        Values.arrayOf(Values.array(0.0, 0.0)),
                        Values.array(0.0)))
                .hasMessageContaining(
                        "entry 2 of row 1 of emissions (counted from 1) is 0.0; it must be a variance from 1e-80");
        assertThatThrownBy(() -> call("forward", Strategy.AUTO, one, certain, normal, one, true))
                .hasMessageContaining(
                        "entry 1 of start (counted from 1) is 1.0; it must be from -1e9 to 0, or -Infinity");
        assertThatThrownBy(() -> call(
                        "viterbi",
                        Strategy.AUTO,
                        one,
                        certain,
                        Values.arrayOf(Values.array(0.0, 1.0, 2.0)),
                        Values.array(0.0)))
                .hasMessageContaining(
                        "entry 1 of emissions (counted from 1) is an array of size 3; it must be an array of size 2");
        assertThatThrownBy(() -> call("hmm_fit", Strategy.AUTO, sequences(new double[] {1}), 1, 1, 0L, 0.0))
                .hasMessageContaining("hmm_fit: min_variance is 0.0; it must be a variance from 1e-80 to 1e200");
        assertThatThrownBy(() -> call("hmm_fit", Strategy.AUTO, sequences(new double[0]), 1, 1, 0L, 1.0))
                .hasMessageContaining(
                        "entry 1 of sequences (counted from 1) is empty; it must be a nonempty array of numbers");
        assertThatThrownBy(() ->
                        call("hmm_refit", Strategy.AUTO, certain, Values.array(0.0), certain, normal, 1, false, 1.0))
                .hasMessageContaining("hmm_refit: sequence 1 (counted from 1) is impossible in the model");
        assertThatThrownBy(() -> call("posterior", Strategy.AUTO, Values.array(0.0), certain, normal, one))
                .hasMessageContaining("posterior: every state sequence has weight 0");
    }
}
