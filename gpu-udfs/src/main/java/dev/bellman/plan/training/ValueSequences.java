package dev.bellman.plan.training;

import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.ExactSums;
import dev.bellman.markov.ExpectedCounts;
import dev.bellman.markov.FittedModel;
import dev.bellman.markov.GaussianFit;
import dev.bellman.markov.GaussianModel;
import dev.bellman.markov.GaussianStart;
import dev.bellman.plan.training.DistributedTraining.Sizes;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Sequences of normally distributed numbers. */
final class ValueSequences implements SequenceType<double[]> {
    private static final long serialVersionUID = 1L;

    private interface Term extends DoubleUnaryOperator, Serializable {}

    @Override
    public DataType column() {
        return DataTypes.createArrayType(DataTypes.DoubleType);
    }

    @Override
    public Optional<String> problem(int length, IntFunction<? extends Number> entry) {
        if (length == 0) {
            return Optional.of("a sequence is empty; it needs at least one number");
        }
        for (int t = 0; t < length; t++) {
            Number value = entry.apply(t);
            if (value == null || !GaussianModel.isValue(value.doubleValue())) {
                return Optional.of(
                        "entry %,d of a sequence (counted from 1) is %s; it must be a number from -1e100 to 1e100"
                                .formatted(t + 1, value == null ? "NULL" : value));
            }
        }
        return Optional.empty();
    }

    @Override
    public String described(Sizes sizes) {
        return String.format(Locale.ROOT, "%,d numbers", sizes.steps());
    }

    @Override
    public FittedModel model(double[] start, double[][] transitions, double[]... emissions) {
        return GaussianModel.of(start, transitions, emissions);
    }

    @Override
    public FittedModel model(String name, ArrayData start, ArrayData transitions, ArrayData emissions) {
        return GaussianModel.of(name, start, transitions, emissions);
    }

    @Override
    public Optional<String> problem(FittedModel start, Sizes sizes) {
        return Optional.empty();
    }

    @Override
    public Number entry(ArrayData array, int index) {
        return array.getDouble(index);
    }

    @Override
    public double[] read(ArrayData array) {
        return array.toDoubleArray();
    }

    @Override
    public int length(double[] sequence) {
        return sequence.length;
    }

    @Override
    public int hash(double[] sequence) {
        return Arrays.hashCode(sequence);
    }

    @Override
    public int symbols(double[] sequence) {
        return 0;
    }

    @Override
    public FittedModel first(JavaRDD<double[]> sequences, Sizes sizes, TrainingGoal goal) {
        long count = sizes.steps();
        double mean = sum(sequences, value -> value) / count;
        double variance = sum(sequences, value -> (value - mean) * (value - mean)) / count;
        GaussianStart start = new GaussianStart(count, variance);
        OrderStatistics sorted = OrderStatistics.of(sequences, start.places(goal.states(), goal.seed()));
        return start.model(goal.states(), goal.seed(), goal.minVariance(), sorted::at);
    }

    /** Returns the exact sum of the terms of all numbers, rounded once. */
    private static double sum(JavaRDD<double[]> sequences, Term term) {
        return sequences.aggregate(
                        new ExactSums(1),
                        (sums, values) -> {
                            for (double value : values) {
                                sums.add(0, term.applyAsDouble(value));
                            }
                            return sums;
                        },
                        ExactSums::plus)
                .rounded()[0];
    }

    @Override
    public ExpectedCounts counts(FittedModel model, int longest, Iterator<double[]> sequences) {
        GaussianModel before = (GaussianModel) model;
        // the reservation only checks that the model fits in memory: the task holds no other memory
        TaskMemory.release(GaussianFit.take(DistributedTraining.NAME, before.states(), longest));
        GaussianFit step = new GaussianFit(before, DistributedTraining::invalid);
        sequences.forEachRemaining(values ->
                step.count(() -> DistributedTraining.shown(values.length, i -> Double.toString(values[i])), values));
        return step.counts();
    }

    @Override
    public FittedModel improved(FittedModel model, ExpectedCounts counts, TrainingGoal goal) {
        return ((GaussianModel) model).improved(counts, goal.minVariance());
    }
}
