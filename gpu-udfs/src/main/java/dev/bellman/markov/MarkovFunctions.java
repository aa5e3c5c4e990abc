package dev.bellman.markov;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Oracle;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class MarkovFunctions {
    private static final int SMALL = 6;
    private static final int LARGE = 300;

    private static final DataType WEIGHTS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(WEIGHTS);

    private static final String REJECTS = "an entry that is NULL, negative, NaN or infinite; no states or no steps; "
            + "arrays of different lengths; a symbol without emissions";
    private static final String IMPOSSIBLE = "; a sequence that no states explain";

    private static final String MODEL = "array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
            + "array(array(0.5, 0.4, 0.1), array(0.1, 0.3, 0.6)), array(0, 1, 2)";

    private MarkovFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "viterbi",
                        problem("viterbi"),
                        signatures(MarkovSolvers.PATH, MarkovSolvers::viterbi, MarkovTextbook::viterbi),
                        "The likeliest states of a hidden Markov model behind a sequence, counted from 0, and the "
                                + "natural logarithm of their probability. `start` has a probability for each state; "
                                + "`transitions` an array for each state, of the probabilities of the next one. "
                                + "`emissions` has an array for each step, of the probability in each state; with "
                                + "`symbols`, it has an array for each state, of the probability of each symbol, and "
                                + "`symbols` are the places in it. The numbers need not sum up to 1: densities, or "
                                + "`exp` of the scores of a conditional random field, will do. Of several, the least "
                                + "last state, then the least before it, and so on.",
                        Optional.of(REJECTS + IMPOSSIBLE),
                        new Example("viterbi(" + MODEL + ")", "{-4.19173690823075, [0, 0, 1]}")),
                new BellmanFunction<>(
                        "forward",
                        problem("forward"),
                        signatures(DataTypes.DoubleType, MarkovSolvers::forward, MarkovTextbook::forward),
                        "The natural logarithm of the probability of a sequence in a hidden Markov model, as in "
                                + "`viterbi`, over all sequences of states; -Infinity if it is 0.",
                        Optional.of(REJECTS),
                        new Example("forward(" + MODEL + ")", "-3.316488653735201")),
                new BellmanFunction<>(
                        "posterior",
                        problem("posterior"),
                        signatures(MATRIX, MarkovSolvers::posterior, MarkovTextbook::posterior),
                        "The probability of each state of a hidden Markov model, as in `viterbi`, at each step, given "
                                + "the whole sequence. A probability below 1e-300 is 0.",
                        Optional.of(REJECTS + IMPOSSIBLE),
                        new Example(
                                "posterior(array(0.5, 0.5), array(array(1, 0), array(0, 1)), array(array(0.25, 0.75)))",
                                "[[0.25, 0.75]]")));
    }

    private static Problem<Strategy> problem(String name) {
        return new Problem<>(name, Strategy.class, Strategy.SERIAL);
    }

    private static List<Signature<Strategy>> signatures(
            DataType result, Signature.Implementation<Strategy> implementation, Oracle oracle) {
        Parameter start = new Parameter("start", WEIGHTS);
        Parameter transitions = new Parameter("transitions", MATRIX);
        Parameter emissions = new Parameter("emissions", MATRIX);
        Parameter symbols = new Parameter("symbols", DataTypes.createArrayType(DataTypes.IntegerType));
        return List.of(
                new Signature<>(
                        List.of(start, transitions, emissions),
                        result,
                        implementation,
                        new InstanceGenerator(MarkovInstances::steps, SMALL, LARGE, 1),
                        oracle),
                new Signature<>(
                        List.of(start, transitions, emissions, symbols),
                        result,
                        implementation,
                        new InstanceGenerator(MarkovInstances::symbols, SMALL, LARGE, 1),
                        oracle));
    }
}
