package dev.bellman.plan.training;

import dev.bellman.markov.ExpectedCounts;
import dev.bellman.markov.FittedModel;
import dev.bellman.plan.training.DistributedTraining.Sizes;
import java.io.Serializable;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NumericType;

/** Defines, for sequences of symbols, numbers or points, how tasks read and count them, and how training starts. */
public sealed interface SequenceType<S> extends Serializable permits SymbolSequences, ValueSequences {
    /** Returns the sequence type for a column; empty if the column does not contain sequences. */
    static Optional<SequenceType<?>> of(DataType type) {
        if (!(type instanceof ArrayType array)) {
            return Optional.empty();
        }
        if (array.elementType() instanceof ArrayType point) {
            return point.elementType() instanceof NumericType
                    ? Optional.of(new ValueSequences(true))
                    : Optional.empty();
        }
        return array.elementType() instanceof IntegralType
                ? Optional.of(new SymbolSequences())
                : array.elementType() instanceof FractionalType
                        ? Optional.of(new ValueSequences(false))
                        : Optional.empty();
    }

    /** Returns the type to which the column must be cast. */
    DataType column();

    /**
     * Returns the reason why an array is not a sequence; empty if it is one.
     *
     * @param entry returns an entry of the array: null, a Number, or a List with the coordinates of a point
     */
    Optional<String> problem(int length, IntFunction<?> entry);

    /** Returns the type of those sequences with which training can continue from a model. */
    SequenceType<S> fitting(FittedModel start);

    /**
     * Returns the type of those sequences with which one model can be trained. For points, these are the sequences
     * whose points have the most frequent number of coordinates. Ties: the smallest number.
     *
     * @param rows rows with one column, which was cast to {@link #column}
     */
    default SequenceType<S> ofMost(JavaRDD<InternalRow> rows) {
        return this;
    }

    /** Describes the sequences, for example {@code 20 symbols from 0 to 3}. */
    String described(Sizes sizes);

    /**
     * Returns a model with the given probabilities.
     *
     * @param emissions a row for each state
     */
    FittedModel model(double[] start, double[][] transitions, double[]... emissions);

    /**
     * Copies and checks a model.
     *
     * @param name the name of the model, for messages
     */
    FittedModel model(String name, ArrayData start, ArrayData transitions, ArrayData emissions);

    /** Returns the reason why training cannot start with a model; empty if it can. */
    Optional<String> problem(FittedModel start, Sizes sizes);

    /** Returns an entry of an array, which must not be NULL. */
    Object entry(ArrayData array, int index);

    /** Copies an array without a {@link #problem}. */
    S read(ArrayData array);

    int length(S sequence);

    int hash(S sequence);

    /**
     * Returns the number of symbols that a model needs for a sequence; 0 for numbers, and the number of coordinates for
     * points.
     */
    int symbols(S sequence);

    /** Returns the number of {@link #symbols} of a model. */
    default int symbolsOf(FittedModel model) {
        return model.emissions()[0].length;
    }

    /** Returns what {@link #symbols} counts: {@code symbols} or {@code dimensions}. */
    default String nameOfSymbols() {
        return "symbols";
    }

    /** Returns the random model with which training starts. */
    FittedModel first(JavaRDD<S> sequences, Sizes sizes, TrainingGoal goal);

    /** Returns the reason why GPUs cannot count the sequences; empty if they can. */
    Optional<String> notOnGpu(int states, int symbols);

    /**
     * Returns the expected counts of sequences, each of which has at least one step.
     *
     * @param onGpu whether to use the GPU
     */
    ExpectedCounts counts(FittedModel model, int longest, boolean onGpu, Iterator<S> sequences);

    FittedModel improved(FittedModel model, ExpectedCounts counts, TrainingGoal goal);
}
