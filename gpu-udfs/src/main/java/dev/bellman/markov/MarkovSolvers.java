package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Kind;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of the functions on hidden Markov models, frames and reads from their arguments. */
final class MarkovSolvers {
    static final StructType PATH = new StructType()
            .add("log_probability", DataTypes.DoubleType, false)
            .add("states", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    private static final StructType SPAN = new StructType()
            .add("token", DataTypes.IntegerType, false)
            .add("begin", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false);

    static final StructType ALIGNMENT = new StructType()
            .add("score", DataTypes.DoubleType, false)
            .add("path", DataTypes.createArrayType(DataTypes.IntegerType, false), false)
            .add("spans", DataTypes.createArrayType(SPAN, false), false);

    /** The number of bytes per number in a result, including its copies in Spark, which boxes numbers. */
    private static final int BYTES_OF_A_NUMBER = 64;

    private MarkovSolvers() {}

    /** Reads a model. The call's last argument determines whether the model contains logarithms. */
    private static HiddenMarkov model(FunctionOptions options, Arguments arguments) {
        int last = arguments.count() - 1;
        HiddenMarkov model = HiddenMarkov.of(
                arguments.function(),
                arguments.array(0),
                arguments.array(1),
                arguments.array(2),
                last > 3 ? arguments.array(3) : null,
                arguments.flag(last) ? Kind.LOGARITHMS : Kind.WEIGHTS);
        options.cells().add((long) model.steps() * model.transitions().length);
        return model;
    }

    static Object viterbi(Strategy strategy, FunctionOptions options, Arguments arguments) {
        HiddenMarkov model = model(options, arguments);
        takeResult("viterbi", model.steps());
        Viterbi.Path path = Viterbi.of("viterbi", model, strategy);
        return RowFactory.create(path.logWeight(), path.states());
    }

    static Object forward(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return Forward.logWeight(model(options, arguments), strategy);
    }

    static Object posterior(Strategy strategy, FunctionOptions options, Arguments arguments) {
        HiddenMarkov model = model(options, arguments);
        int states = model.states();
        takeResult("posterior", (long) model.steps() * (states + 2));
        return rows(Forward.posterior(model, strategy), states);
    }

    /** @param probabilities null if every state sequence has weight 0 */
    private static double[][] rows(double[] probabilities, int states) {
        if (probabilities == null) {
            throw impossible("posterior");
        }
        double[][] rows = new double[probabilities.length / states][];
        Arrays.setAll(rows, t -> Arrays.copyOfRange(probabilities, t * states, (t + 1) * states));
        return rows;
    }

    /** Computes a result for numbers or points that states emit with normal distributions. */
    @FunctionalInterface
    interface Gaussian extends Serializable {
        Object solve(String function, GaussianModel model, Strategy strategy, double... values);
    }

    /** Returns a solver for {@code (start, transitions, emissions, values, logarithms)}. */
    static Solver<Strategy> solver(Gaussian gaussian, boolean ofPoints) {
        return (strategy, options, arguments) -> {
            String function = arguments.function();
            Chain chain = Chain.of(function, arguments.array(0), arguments.array(1), arguments.flag(4));
            GaussianModel model = GaussianModel.of(function, chain, arguments.array(2), ofPoints);
            ArrayData given = arguments.array(3);
            int states = model.states();
            HiddenMarkov.mustHaveSteps(function, given.numElements(), states);
            options.cells().add((long) given.numElements() * states * states);
            double[] values = ofPoints
                    ? GaussianModel.points(function, "values", given, model.dimensions())
                    : GaussianModel.values(function, "values", given);
            return gaussian.solve(function, model, strategy, values);
        };
    }

    static Object gaussianViterbi(String function, GaussianModel model, Strategy strategy, double... values) {
        int steps = values.length / model.dimensions();
        int states = model.states();
        takeResult(function, steps);
        TaskMemory.take((long) Double.BYTES * steps * states, () -> "the densities for %,d steps by %,d states"
                .formatted(steps, states));
        LogForward.Densities densities = model.densities(values);
        double[] relative = new double[steps * states];
        double[] row = new double[states];
        double logDensity = 0;
        Chain chain = model.chain();
        boolean[] possible = chain.possibleAtStart();
        int[] maxTransitions = chain.maxTransitions();
        for (int t = 0; t < steps; t++) {
            possible = t == 0 ? possible : chain.possibleAfter(possible);
            densities.fill(t, row);
            // a larger density of a state on no possible path would hide small differences between other states
            double most = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < states; j++) {
                boolean isOnPath = possible[j] && maxTransitions[j] >= steps - 1 - t;
                most = isOnPath ? Math.max(most, row[j]) : most;
            }
            if (most == Double.NEGATIVE_INFINITY) {
                throw impossible(function);
            }
            logDensity += most;
            for (int j = 0; j < states; j++) {
                relative[t * states + j] = row[j] - most;
            }
        }
        HiddenMarkov sequence =
                new HiddenMarkov(states, steps, chain.logStart(), chain.logMoves(), relative, null, Kind.LOGARITHMS);
        Viterbi.Path path = Viterbi.of(function, sequence, strategy);
        return RowFactory.create(path.logWeight() + logDensity, path.states());
    }

    static Object gaussianForward(String function, GaussianModel model, Strategy strategy, double... values) {
        int steps = values.length / model.dimensions();
        return new LogForward(model.chain(), strategy).fill(new double[model.states()], steps, model.densities(values));
    }

    static Object gaussianPosterior(String function, GaussianModel model, Strategy strategy, double... values) {
        int steps = values.length / model.dimensions();
        int states = model.states();
        long cells = (long) steps * states;
        TaskMemory.take(Double.BYTES * cells, () -> "the table for %,d steps by %,d states".formatted(steps, states));
        takeResult(function, cells + 2L * steps);
        return rows(new LogForward(model.chain(), strategy).posterior(steps, model.densities(values)), states);
    }

    private static CtcFrames frames(FunctionOptions options, Arguments arguments) {
        CtcFrames frames =
                CtcFrames.of(arguments.function(), arguments.array(0), arguments.array(1), arguments.integer(2));
        options.cells().add((long) frames.count() * frames.positions());
        return frames;
    }

    static Object ctcScore(Ctc.Strategy strategy, FunctionOptions options, Arguments arguments) {
        return Ctc.logProbability(frames(options, arguments), strategy);
    }

    static Object ctcAlign(Ctc.Strategy strategy, FunctionOptions options, Arguments arguments) {
        CtcFrames frames = frames(options, arguments);
        String function = arguments.function();
        takeResult(function, frames.count() + 2L * frames.positions());
        Ctc.Path best = Ctc.best(frames, strategy);
        if (best == null) {
            throw BellmanException.inRow(
                    function,
                    ("no path of %,d frames contains these %,d tokens with a probability above 0; each token needs a "
                                    + "frame, and equal tokens in a row need a blank between them")
                            .formatted(frames.count(), frames.positions() / 2));
        }
        int[] positions = best.positions();
        Row[] spans = new Row[frames.positions() / 2];
        int end = positions.length;
        for (int t = positions.length - 1; t >= 0; t--) {
            if (t == 0 || positions[t - 1] != positions[t]) {
                if (positions[t] % 2 == 1) {
                    int token = frames.labels()[frames.labelOf()[positions[t]]];
                    spans[positions[t] / 2] = RowFactory.create(token, t, end);
                }
                end = t;
            }
        }
        int[] path = Arrays.stream(positions)
                .map(position -> frames.labels()[frames.labelOf()[position]])
                .toArray();
        return RowFactory.create(best.score(), path, spans);
    }

    static Object pairHmm(PairHmm.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        PairHmmRead read = PairHmmRead.of(
                function,
                arguments.string(0),
                arguments.string(1),
                arguments.string(3),
                arguments.string(4),
                arguments.string(5));
        byte[] haplotype = PairHmmRead.bases(function, "haplotype", arguments.string(2));
        options.cells().add((long) read.length() * haplotype.length);
        return PairHmm.log10(read, haplotype, strategy);
    }

    static BellmanException impossible(String function) {
        return BellmanException.inRow(function, "every state sequence has weight 0; at least one must be possible");
    }

    private static void takeResult(String function, long numbers) {
        TaskMemory.take(function, BYTES_OF_A_NUMBER * numbers, "", () -> "a result of %,d numbers".formatted(numbers));
    }
}
