package dev.bellman.markov;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;

import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Defines the functions on hidden Markov models. */
public final class MarkovFunctions {
    private static final DataType WEIGHTS = DataTypes.createArrayType(DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(WEIGHTS);

    private static final Parameter START = new Parameter("start", WEIGHTS);
    private static final Parameter TRANSITIONS = new Parameter("transitions", MATRIX);
    private static final Parameter EMISSIONS = new Parameter("emissions", MATRIX);
    private static final Parameter SYMBOLS = new Parameter("symbols", DataTypes.createArrayType(IntegerType));

    private static final Problem<Strategy> PROBLEM = new Problem<>("viterbi", Strategy.class, Strategy.SERIAL);

    private static final String REJECTS = "an entry that is NULL, negative, NaN or infinite; a model without states "
            + "or a sequence without steps; arrays of different lengths; a symbol without emissions";
    private static final String IMPOSSIBLE = "; a sequence that is impossible in the model";

    private static final String MODEL = "array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
            + "array(array(0.5, 0.4, 0.1), array(0.1, 0.3, 0.6)), array(0, 1, 2)";

    private MarkovFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(viterbi(), forward(), posterior());
    }

    private static BellmanFunction<?> viterbi() {
        return entry("viterbi", MarkovSolvers.PATH, MarkovSolvers::viterbi)
                .description("Returns the most likely state sequence of a hidden Markov model, with states counted "
                        + "from 0, and the natural logarithm of its probability. `start` has a probability for each "
                        + "state; `transitions` has an array for each state, with the probability of each next state. "
                        + "`emissions` has an array for each step, with the probability of the observation in each "
                        + "state. If `symbols` is given, `emissions` instead has an array for each state, with the "
                        + "probability of each symbol, and `symbols` has the 0-based index of the symbol at each "
                        + "step. The numbers need not sum to 1: densities, or `exp` of the scores of a conditional "
                        + "random field, are also valid. Ties: the smallest last state, then the smallest state "
                        + "before it, and so on.")
                .rejects(REJECTS + IMPOSSIBLE)
                .example("viterbi(" + MODEL + ")", "{-4.19173690823075, [0, 0, 1]}")
                .function();
    }

    private static BellmanFunction<?> forward() {
        return entry("forward", DoubleType, MarkovSolvers::forward)
                .description("Returns the natural logarithm of the probability of a sequence in a hidden Markov "
                        + "model, summed over all state sequences. Returns -Infinity if the probability is 0. "
                        + "Arguments are as in `viterbi`.")
                .rejects(REJECTS)
                .example("forward(" + MODEL + ")", "-3.316488653735201")
                .function();
    }

    private static BellmanFunction<?> posterior() {
        return entry("posterior", MATRIX, MarkovSolvers::posterior)
                .description("Returns the probability of each state of a hidden Markov model at each step, given the "
                        + "whole sequence. Arguments are as in `viterbi`. Probabilities below 1e-300 are returned as "
                        + "0.")
                .rejects(REJECTS + IMPOSSIBLE)
                .example(
                        "posterior(array(0.5, 0.5), array(array(1, 0), array(0, 1)), array(array(0.25, 0.75)))",
                        "[[0.25, 0.75]]")
                .function();
    }

    /** Creates an entry with two signatures: for the emissions of each step, and for symbols. */
    private static Entry<Strategy> entry(String name, DataType result, Solver<Strategy> solver) {
        return Entry.of(name, PROBLEM)
                .signature(List.of(START, TRANSITIONS, EMISSIONS), result, solver)
                .signature(List.of(START, TRANSITIONS, EMISSIONS, SYMBOLS), result, solver)
                .kernels(Strategy.AUTO);
    }
}
