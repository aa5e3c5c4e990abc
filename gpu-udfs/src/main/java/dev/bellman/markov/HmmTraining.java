package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Strategy;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of {@code hmm_fit} and {@code hmm_refit} for sequences of symbols. */
final class HmmTraining {
    private static final ArrayType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType, false);
    private static final ArrayType ROWS = DataTypes.createArrayType(NUMBERS, false);

    static final StructType MODEL = new StructType()
            .add("start", NUMBERS, false)
            .add("transitions", ROWS, false)
            .add("emissions", ROWS, false)
            .add("log_probabilities", NUMBERS, false);

    private HmmTraining() {}

    /** Computes the result for the arguments {@code (sequences, states, iterations, seed)}. */
    static Object fromSeed(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int states = atLeastOne(function, "states", arguments.integer(1));
        int iterations = atLeastOne(function, "iterations", arguments.integer(2));
        int[][] sequences = sequences(function, arguments.array(0), states, Integer.MAX_VALUE);
        int last = 0;
        for (int[] sequence : sequences) {
            for (int symbol : sequence) {
                last = Math.max(last, symbol);
            }
        }
        HmmModel.take(function, states, last + 1);
        HmmModel model = HmmModel.random(states, last + 1, arguments.bigint(3));
        return fit(function, options, strategy, model, iterations, sequences);
    }

    /** Computes the result for {@code (sequences, start, transitions, emissions, iterations, logarithms)}. */
    static Object fromModel(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        int iterations = atLeastOne(function, "iterations", arguments.integer(4));
        HmmModel model = HmmModel.of(function, chain(arguments), arguments.array(3));
        int[][] sequences = sequences(function, arguments.array(0), model.states(), model.symbols());
        HmmModel.take(function, model.states(), model.symbols());
        return fit(function, options, strategy, model, iterations, sequences);
    }

    /** Returns the start and the transitions of the first model, which are arguments of {@code hmm_refit}. */
    static Chain chain(Arguments arguments) {
        return Chain.of(arguments.function(), arguments.array(1), arguments.array(2), arguments.flag(5));
    }

    private static Object fit(
            String function,
            FunctionOptions options,
            Strategy strategy,
            HmmModel first,
            int iterations,
            int[]... sequences) {
        TaskMemory.takeArgument(function, "log_probabilities", iterations);
        double[] logProbabilities = new double[iterations];
        HmmModel model = first;
        for (int i = 0; i < iterations; i++) {
            BaumWelch step = new BaumWelch(model, strategy, problem -> BellmanException.inRow(function, problem));
            step.count(
                    (index, symbols) -> name(index).get(),
                    Arrays.asList(sequences).iterator());
            for (int[] sequence : sequences) {
                options.cells().add((long) sequence.length * model.states() * model.states());
            }
            logProbabilities[i] = step.counts().logProbability();
            model = model.improved(step.counts());
        }
        return RowFactory.create(model.start(), model.transitions(), model.emissions(), logProbabilities);
    }

    static Supplier<String> name(long sequence) {
        return () -> "sequence %,d (counted from 1)".formatted(sequence + 1);
    }

    static int atLeastOne(String function, String name, int value) {
        if (value < 1) {
            throw BellmanException.inSetting(function, "%s is %,d; it must be at least 1".formatted(name, value));
        }
        return value;
    }

    /** Returns the number of sequences, none of which may be NULL or empty. */
    static int count(String function, ArrayData arrays, String expected) {
        int count = arrays.numElements();
        if (count == 0) {
            throw BellmanException.inRow(function, "sequences is empty; it needs at least one sequence");
        }
        TaskMemory.takeArgument(function, "sequences", count);
        for (int i = 0; i < count; i++) {
            if (arrays.isNullAt(i) || arrays.getArray(i).numElements() == 0) {
                throw ArrayArguments.invalid(function, "sequences", i, arrays.isNullAt(i) ? "NULL" : "empty", expected);
            }
        }
        return count;
    }

    /** @param letters the number of symbols; each symbol is less than this number */
    private static int[][] sequences(String function, ArrayData arrays, int states, int letters) {
        int count = count(function, arrays, "a nonempty array of symbols");
        int[][] sequences = new int[count][];
        int longest = 0;
        for (int i = 0; i < count; i++) {
            sequences[i] = symbols(function, i, arrays.getArray(i), letters);
            longest = Math.max(longest, sequences[i].length);
        }
        BaumWelch.mustFit(function, longest, states);
        long cells = (long) longest * states;
        TaskMemory.take(
                function, BaumWelch.tableBytes(states, longest), "", () -> "a table of %,d numbers".formatted(cells));
        return sequences;
    }

    private static int[] symbols(String function, int index, ArrayData array, int letters) {
        String name = "sequence %,d".formatted(index + 1);
        int count = array.numElements();
        TaskMemory.takeArgument(function, name, count);
        for (int t = 0; t < count; t++) {
            if (array.isNullAt(t) || array.getInt(t) < 0 || array.getInt(t) >= letters) {
                throw ArrayArguments.invalid(
                        function,
                        name,
                        t,
                        array.isNullAt(t) ? "NULL" : array.getInt(t),
                        "from 0 to %,d".formatted(letters - 1));
            }
        }
        return array.toIntArray();
    }
}
