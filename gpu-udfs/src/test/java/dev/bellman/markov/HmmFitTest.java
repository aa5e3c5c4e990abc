package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.function.Catalogue;
import dev.bellman.markov.HiddenMarkov.Strategy;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the training of hidden Markov models. */
class HmmFitTest {
    private static final int INSTANCES = Thorough.rounds(200, 800);

    private static Row fit(Strategy strategy, Object... arguments) {
        return (Row) TextbookAnswers.call(arguments.length == 4 ? "hmm_fit" : "hmm_refit", strategy, arguments);
    }

    private static ArrayData sequences(String text) {
        return Values.arrayOf(Stream.of(text.split(";"))
                .map(each -> Values.array(
                        Stream.of(each.split(" ")).mapToInt(Integer::parseInt).toArray()))
                .toArray());
    }

    @Test
    void equalsTheTextbook() {
        TextbookAnswers.compare(Catalogue.named("hmm_fit").orElseThrow(), 1970, INSTANCES, 60);
        TextbookAnswers.compare(Catalogue.named("hmm_refit").orElseThrow(), 1970, INSTANCES, 60);
    }

    /** Compares with hmmlearn: the probability before each iteration, and the model after the last one. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("hidden_markov_training.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        rows.forEach(row -> golden(row, strategy, 1, false));
    }

    /**
     * If every sequence is repeated 16 times, so that sequences form blocks, the model is the same, and the logarithm
     * of the probability is 16 times as large.
     */
    @Test
    void goldenBlocks() {
        Golden.allRows("hidden_markov_training.gold").forEach(row -> golden(row, Strategy.AUTO, 16, false));
    }

    /** Logarithms of probabilities, which may be 0, train the same model as the probabilities. */
    @ParameterizedTest
    @EnumSource
    void goldenLogarithms(Strategy strategy) {
        Golden.allRows("hidden_markov_training.gold").forEach(row -> golden(row, strategy, 1, true));
    }

    private static void golden(Map<String, String> row, Strategy strategy, int copies, boolean logarithms) {
        double[] start = Golden.numbers(row.get("start"));
        ArrayData transitions = GaussianTest.matrix(row.get("transitions"), Integer.parseInt(row.get("states")));
        ArrayData emissions = GaussianTest.matrix(row.get("emissions"), Integer.parseInt(row.get("letters")));
        Row model = fit(
                strategy,
                sequences(String.join(";", Collections.nCopies(copies, row.get("sequences")))),
                Values.array(logarithms ? logs(start) : start),
                logarithms ? logs(transitions) : transitions,
                logarithms ? logs(emissions) : emissions,
                Golden.numbers(row.get("log_probabilities")).length,
                logarithms);
        UnaryOperator<double[]> probabilities = found -> logarithms ? exponentials(found) : found;
        GaussianTest.close(row, "fitted_start", probabilities.apply((double[]) model.get(0)));
        GaussianTest.close(row, "fitted_transitions", probabilities.apply(GaussianTest.flat(model.get(1))));
        GaussianTest.close(row, "fitted_emissions", probabilities.apply(GaussianTest.flat(model.get(2))));
        double[] found = (double[]) model.get(3);
        GaussianTest.close(
                row,
                "log_probabilities",
                DoubleStream.of(found).map(each -> each / copies).toArray());
    }

    private static double[] logs(double... probabilities) {
        return DoubleStream.of(probabilities).map(Math::log).toArray();
    }

    private static ArrayData logs(ArrayData matrix) {
        return Values.arrayOf(Stream.of(matrix.array())
                .map(row -> Values.array(logs(((ArrayData) row).toDoubleArray())))
                .toArray());
    }

    private static double[] exponentials(double... logs) {
        return DoubleStream.of(logs).map(Math::exp).toArray();
    }

    /** In the only state in which a sequence can be, its second symbol has the probability exp(-2000). */
    @ParameterizedTest
    @EnumSource
    void tinyProbabilities(Strategy strategy) {
        double never = Double.NEGATIVE_INFINITY;
        Row model = fit(
                strategy,
                Values.arrayOf(Values.array(0, 1)),
                Values.array(0.0, never),
                Values.arrayOf(Values.array(Math.log(0.5), Math.log(0.5)), Values.array(-3.0, -4.0)),
                Values.arrayOf(Values.array(0.0, -2000.0), Values.array(-7.0, never)),
                1,
                true);
        assertThat((double[]) model.get(3)).containsExactly(Math.log(0.5) - 2000);
        assertThat((double[]) model.get(0)).containsExactly(0, never);
        // the second state is not reached and keeps its numbers
        assertThat(GaussianTest.flat(model.get(1))).containsExactly(0, never, -3, -4);
        assertThat(GaussianTest.flat(model.get(2))).containsExactly(Math.log(0.5), Math.log(0.5), -7, never);
    }

    /**
     * Sequences are generated by a model with two states that seldom change. Of the models that are trained from four
     * seeds, the best one has these states.
     */
    @Test
    void findsStates() {
        SplittableRandom random = new SplittableRandom(8);
        Object[] sequences = new Object[40];
        Arrays.setAll(sequences, i -> {
            int[] symbols = new int[100];
            int state = random.nextInt(2);
            for (int t = 0; t < symbols.length; t++) {
                state = random.nextInt(10) == 0 ? 1 - state : state;
                symbols[t] = random.nextInt(10) == 0 ? 1 - state : state;
            }
            return Values.array(symbols);
        });
        Row best = null;
        for (long seed = 0; seed < 4; seed++) {
            Row model = fit(Strategy.AUTO, Values.arrayOf(sequences), 2, 100, seed);
            double[] logs = (double[]) model.get(3);
            for (int i = 1; i < logs.length; i++) {
                assertThat(logs[i]).isGreaterThan(logs[i - 1] - 1e-9);
            }
            best = best == null || last(model) > last(best) ? model : best;
        }
        double[] emissions = GaussianTest.flat(best.get(2));
        assertThat(Math.max(emissions[0], emissions[1])).isCloseTo(0.9, within(0.03));
        assertThat(Math.max(emissions[2], emissions[3])).isCloseTo(0.9, within(0.03));
        double[] transitions = GaussianTest.flat(best.get(1));
        assertThat(transitions[0]).isCloseTo(0.9, within(0.03));
        assertThat(transitions[3]).isCloseTo(0.9, within(0.03));
    }

    private static double last(Row model) {
        double[] logs = (double[]) model.get(3);
        return logs[logs.length - 1];
    }

    @Test
    void messages() {
        ArrayData one = Values.arrayOf(Values.array(0, 1));
        ArrayData certain = Values.array(1.0);
        ArrayData matrix = Values.arrayOf(certain);
        assertFails("hmm_fit: states is 0; it must be at least 1", one, 0, 1, 0L);
        assertFails(
                "entry 2 of sequence 1 (counted from 1) is -1; it must be from 0 to 2,147,483,646",
                Values.arrayOf(Values.array(0, -1)),
                1,
                1,
                0L);
        assertFails(
                "sequence 1 (counted from 1) is impossible or almost impossible in the model",
                one,
                certain,
                matrix,
                Values.arrayOf(Values.array(1.0, 0.0)),
                1,
                false);
        assertFails(
                "entry 1 of row 1 of emissions (counted from 1) is 2.0; it must be a number from 0",
                one,
                certain,
                matrix,
                Values.arrayOf(Values.array(2.0, 0.0)),
                1,
                false);
        ArrayData logs = Values.arrayOf(Values.array(0.0));
        ArrayData never = Values.arrayOf(Values.array(0.0, Double.NEGATIVE_INFINITY));
        assertFails(
                "hmm_refit: sequence 1 (counted from 1) is impossible in the model",
                one,
                Values.array(0.0),
                logs,
                never,
                1,
                true);
        assertFails(
                "entry 1 of start (counted from 1) is 0.5; it must be from -1e9 to 0",
                one,
                Values.array(0.5),
                logs,
                never,
                1,
                true);
        assertFails("BELLMAN_LIMIT", Values.arrayOf(Values.array(Integer.MAX_VALUE - 1)), 2, 1, 0L);
    }

    private static void assertFails(String message, Object... arguments) {
        assertThatThrownBy(() -> fit(Strategy.AUTO, arguments)).hasMessageContaining(message);
    }
}
