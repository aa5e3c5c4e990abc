package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes the results of {@code hmm_fit} and {@code hmm_refit} for sequences of numbers or points. */
final class GaussianTraining {
    /** The number of bytes for a number that is sorted, or for a coordinate and its share of a boxed index. */
    private static final int BYTES_OF_A_SORTED_NUMBER = 24;

    private final String function;
    private final FunctionOptions options;
    private final Strategy strategy;
    private final int dimensions;
    /** The numbers of each sequence, or the coordinates of all its points. */
    private final double[][] sequences;

    private GaussianTraining(
            FunctionOptions options, Strategy strategy, Arguments arguments, int dimensions, double[]... sequences) {
        function = arguments.function();
        this.options = options;
        this.strategy = strategy;
        this.dimensions = dimensions;
        this.sequences = sequences;
    }

    /** Computes the result for the arguments {@code (sequences, states, iterations, seed, min_variance)}. */
    static Object fromSeed(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return fromSeed(strategy, options, arguments, false);
    }

    /** Like {@link #fromSeed}, but for points. */
    static Object pointsFromSeed(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return fromSeed(strategy, options, arguments, true);
    }

    private static Object fromSeed(Strategy strategy, FunctionOptions options, Arguments arguments, boolean ofPoints) {
        String function = arguments.function();
        int states = HmmTraining.atLeastOne(function, "states", arguments.integer(1));
        int iterations = HmmTraining.atLeastOne(function, "iterations", arguments.integer(2));
        double minVariance = minVariance(function, arguments.number(4));
        ArrayData arrays = arguments.array(0);
        double[][] sequences = ofPoints ? points(function, arrays, -1) : values(function, arrays);
        int dimensions = sequences[0].length / arrays.getArray(0).numElements();
        HmmModel.take(function, states, GaussianFit.sums(dimensions));
        GaussianTraining training = new GaussianTraining(options, strategy, arguments, dimensions, sequences);
        return training.fit(training.first(states, arguments.bigint(3), minVariance), iterations, minVariance);
    }

    private GaussianModel first(int states, long seed, double minVariance) {
        long numbers = Stream.of(sequences).mapToLong(each -> each.length).sum();
        TaskMemory.take(function, BYTES_OF_A_SORTED_NUMBER * numbers, "", () -> "%,d sorted values".formatted(numbers));
        double[] values = Stream.of(sequences).flatMapToDouble(Arrays::stream).toArray();
        GaussianStart start = GaussianStart.of(dimensions, values);
        if (dimensions == 1) {
            Arrays.sort(values);
            return start.model(states, seed, minVariance, place -> new double[] {values[(int) place]});
        }
        Integer[] order = new Integer[values.length / dimensions];
        Arrays.setAll(order, i -> i * dimensions);
        Arrays.sort(order, (i, j) -> compare(values, i, j));
        return start.model(
                states,
                seed,
                minVariance,
                place -> Arrays.copyOfRange(values, order[(int) place], order[(int) place] + dimensions));
    }

    /** Compares two points by their first different coordinate. */
    private int compare(double[] values, int i, int j) {
        int different = 0;
        for (int d = 0; d < dimensions && different == 0; d++) {
            // turns -0.0 into 0.0
            different = Double.compare(values[i + d] + 0.0, values[j + d] + 0.0);
        }
        return different;
    }

    /**
     * Computes the result for the arguments {@code (sequences, start, transitions, emissions, iterations, logarithms,
     * min_variance)}.
     */
    static Object fromModel(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return fromModel(strategy, options, arguments, false);
    }

    /** Like {@link #fromModel}, but for points. */
    static Object pointsFromModel(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return fromModel(strategy, options, arguments, true);
    }

    private static Object fromModel(Strategy strategy, FunctionOptions options, Arguments arguments, boolean ofPoints) {
        String function = arguments.function();
        int iterations = HmmTraining.atLeastOne(function, "iterations", arguments.integer(4));
        double minVariance = minVariance(function, arguments.number(6));
        GaussianModel first = GaussianModel.of(function, HmmTraining.chain(arguments), arguments.array(3), ofPoints);
        int dimensions = first.dimensions();
        HmmModel.take(function, first.states(), GaussianFit.sums(dimensions));
        ArrayData arrays = arguments.array(0);
        double[][] sequences = ofPoints ? points(function, arrays, dimensions) : values(function, arrays);
        return new GaussianTraining(options, strategy, arguments, dimensions, sequences)
                .fit(first, iterations, minVariance);
    }

    static double minVariance(String function, double given) {
        if (!GaussianModel.isVariance(given)) {
            throw BellmanException.inSetting(
                    function, "min_variance is %s; it must be a variance from 1e-80 to 1e200".formatted(given));
        }
        return given;
    }

    private static double[][] values(String function, ArrayData arrays) {
        double[][] sequences = new double[HmmTraining.count(function, arrays, "a nonempty array of numbers")][];
        for (int i = 0; i < sequences.length; i++) {
            sequences[i] = GaussianModel.values(function, name(i), arrays.getArray(i));
        }
        return sequences;
    }

    /** @param required the number of coordinates; negative if the first point determines it */
    private static double[][] points(String function, ArrayData arrays, int required) {
        double[][] sequences = new double[HmmTraining.count(function, arrays, "a nonempty array of points")][];
        int dimensions = required < 0 ? dimensions(function, arrays.getArray(0)) : required;
        for (int i = 0; i < sequences.length; i++) {
            sequences[i] = GaussianModel.points(function, name(i), arrays.getArray(i), dimensions);
        }
        return sequences;
    }

    private static String name(int sequence) {
        return "sequence %,d".formatted(sequence + 1);
    }

    /** Returns the number of coordinates of the first point, which must have at least one. */
    private static int dimensions(String function, ArrayData first) {
        int dimensions = first.isNullAt(0) ? 0 : first.getArray(0).numElements();
        if (dimensions == 0) {
            throw ArrayArguments.invalid(
                    function, name(0), 0, first.isNullAt(0) ? "NULL" : "empty", "a nonempty array of numbers");
        }
        return dimensions;
    }

    private Object fit(GaussianModel first, int iterations, double minVariance) {
        int states = first.states();
        int longest = Stream.of(sequences).mapToInt(each -> each.length).max().orElseThrow() / dimensions;
        GaussianFit.take(function, states, dimensions, longest);
        TaskMemory.takeArgument(function, "log_probabilities", iterations);
        double[] logProbabilities = new double[iterations];
        GaussianModel model = first;
        for (int i = 0; i < iterations; i++) {
            GaussianFit step = new GaussianFit(model, strategy, problem -> BellmanException.inRow(function, problem));
            for (int s = 0; s < sequences.length; s++) {
                step.count(HmmTraining.name(s), sequences[s]);
                options.cells().add((long) sequences[s].length / dimensions * states * states);
            }
            logProbabilities[i] = step.counts().logProbability();
            model = model.improved(step.counts(), minVariance);
        }
        return RowFactory.create(model.start(), model.transitions(), model.emissions(), logProbabilities);
    }
}
