package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.Arrays;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of the hidden Markov functions from their arguments. */
final class MarkovSolvers {
    static final StructType PATH = new StructType()
            .add("log_probability", DataTypes.DoubleType, false)
            .add("states", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    /** Bytes per number of a result, including its copies in Spark, which boxes numbers. */
    private static final int BYTES_OF_A_NUMBER = 64;

    private MarkovSolvers() {}

    private static HiddenMarkov model(FunctionOptions options, Arguments arguments) {
        HiddenMarkov model = HiddenMarkov.of(
                arguments.function(),
                arguments.array(0),
                arguments.array(1),
                arguments.array(2),
                arguments.values().length > 3 ? arguments.array(3) : null);
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
        double[] probabilities = Forward.posterior(model, strategy);
        if (probabilities == null) {
            throw impossible("posterior");
        }
        double[][] rows = new double[model.steps()][];
        Arrays.setAll(rows, t -> Arrays.copyOfRange(probabilities, t * states, (t + 1) * states));
        return rows;
    }

    static BellmanException impossible(String function) {
        return BellmanException.inRow(function, "every state sequence has weight 0; at least one must be possible");
    }

    private static void takeResult(String function, long numbers) {
        TaskMemory.take(function, BYTES_OF_A_NUMBER * numbers, "", () -> "a result of %,d numbers".formatted(numbers));
    }
}
