package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes the results of {@code hmm_fit} and {@code hmm_refit} for sequences of numbers. */
final class GaussianTraining {
    private final String function;
    private final FunctionOptions options;
    private final Strategy strategy;
    private final double[][] sequences;

    private GaussianTraining(FunctionOptions options, Strategy strategy, Arguments arguments) {
        function = arguments.function();
        this.options = options;
        this.strategy = strategy;
        sequences = sequences(function, arguments.array(0));
    }

    /** Computes the result for the arguments {@code (sequences, states, iterations, seed, min_variance)}. */
    static Object fromSeed(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int states = HmmTraining.atLeastOne(function, "states", arguments.integer(1));
        int iterations = HmmTraining.atLeastOne(function, "iterations", arguments.integer(2));
        double minVariance = minVariance(function, arguments.number(4));
        GaussianTraining training = new GaussianTraining(options, strategy, arguments);
        HmmModel.take(function, states, GaussianFit.SUMS);
        long steps =
                Stream.of(training.sequences).mapToLong(each -> each.length).sum();
        TaskMemory.take(function, Double.BYTES * steps, "", () -> "%,d sorted values".formatted(steps));
        double[] values =
                Stream.of(training.sequences).flatMapToDouble(Arrays::stream).toArray();
        GaussianStart start = GaussianStart.of(values);
        Arrays.sort(values);
        return training.fit(
                start.model(states, arguments.bigint(3), minVariance, place -> values[(int) place]),
                iterations,
                minVariance);
    }

    /**
     * Computes the result for the arguments {@code (sequences, start, transitions, emissions, iterations, logarithms,
     * min_variance)}.
     */
    static Object fromModel(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int iterations = HmmTraining.atLeastOne(function, "iterations", arguments.integer(4));
        double minVariance = minVariance(function, arguments.number(6));
        GaussianModel first = GaussianModel.of(function, HmmTraining.chain(arguments), arguments.array(3));
        HmmModel.take(function, first.states(), GaussianFit.SUMS);
        return new GaussianTraining(options, strategy, arguments).fit(first, iterations, minVariance);
    }

    private static double minVariance(String function, double given) {
        if (!GaussianModel.isVariance(given)) {
            throw BellmanException.inRow(
                    function, "min_variance is %s; it must be a variance from 1e-80 to 1e200".formatted(given));
        }
        return given;
    }

    private static double[][] sequences(String function, ArrayData arrays) {
        double[][] sequences = new double[HmmTraining.count(function, arrays, "an array of numbers")][];
        for (int i = 0; i < sequences.length; i++) {
            sequences[i] = GaussianModel.values(function, "sequence %,d".formatted(i + 1), arrays.getArray(i));
        }
        return sequences;
    }

    private Object fit(GaussianModel first, int iterations, double minVariance) {
        int states = first.states();
        int longest = Stream.of(sequences).mapToInt(each -> each.length).max().orElseThrow();
        GaussianFit.take(function, states, longest);
        TaskMemory.takeArgument(function, "log_probabilities", iterations);
        double[] logProbabilities = new double[iterations];
        GaussianModel model = first;
        for (int i = 0; i < iterations; i++) {
            GaussianFit step = new GaussianFit(model, strategy, problem -> BellmanException.inRow(function, problem));
            for (int s = 0; s < sequences.length; s++) {
                step.count(HmmTraining.name(s), sequences[s]);
                options.cells().add((long) sequences[s].length * states * states);
            }
            logProbabilities[i] = step.counts().logProbability();
            model = model.improved(step.counts(), minVariance);
        }
        return RowFactory.create(model.start(), model.transitions(), model.emissions(), logProbabilities);
    }
}
