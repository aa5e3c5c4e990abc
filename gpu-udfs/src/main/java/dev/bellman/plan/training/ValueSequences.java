package dev.bellman.plan.training;

import dev.bellman.GpuSide;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Sequences of normally distributed numbers, or of points with normally distributed coordinates. */
final class ValueSequences implements SequenceType<ValueSequences.Numbers> {
    private static final long serialVersionUID = 1L;

    private static final String EXPECTED = "it must be a number from -1e100 to 1e100";

    private static final String START_MODEL = "the start model has points of dimension";

    private final boolean ofPoints;
    /** The required number of coordinates of a point; 0 if a sequence may have any number. */
    private final int required;
    /** What determines the required number, for messages. */
    private final String standard;

    ValueSequences(boolean ofPoints) {
        this(ofPoints, 0, "");
    }

    private ValueSequences(boolean ofPoints, int required, String standard) {
        this.ofPoints = ofPoints;
        this.required = required;
        this.standard = standard;
    }

    /**
     * A sequence.
     *
     * @param dimensions the number of coordinates of each point; 1 for numbers
     * @param numbers the numbers, or the coordinates of all points
     */
    record Numbers(int dimensions, double... numbers) implements Serializable {
        int length() {
            return numbers.length / dimensions;
        }
    }

    /** A term of a sum, computed from a number. */
    private interface Term extends DoubleUnaryOperator, Serializable {}

    @Override
    public DataType column() {
        DataType numbers = DataTypes.createArrayType(DataTypes.DoubleType);
        return ofPoints ? DataTypes.createArrayType(numbers) : numbers;
    }

    @Override
    public Optional<String> problem(int length, IntFunction<?> entry) {
        if (length == 0) {
            return Optional.of("a sequence is empty; it needs at least one " + (ofPoints ? "point" : "number"));
        }
        int dimensions = ofPoints && entry.apply(0) instanceof List<?> first ? first.size() : 1;
        for (int t = 0; t < length; t++) {
            Optional<String> problem =
                    ofPoints ? problem(t, (List<?>) entry.apply(t), dimensions) : problem(t, (Number) entry.apply(t));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return required == 0 || dimensions == required
                ? Optional.empty()
                : Optional.of(difference(dimensions, standard, required));
    }

    private static String difference(int dimensions, String standard, int required) {
        return "a sequence has points of dimension %,d, but %s %,d".formatted(dimensions, standard, required);
    }

    private static Optional<String> problem(int t, Number value) {
        return isValue(value)
                ? Optional.empty()
                : Optional.of("entry %,d of a sequence (counted from 1) is %s; %s"
                        .formatted(t + 1, value == null ? "NULL" : value, EXPECTED));
    }

    private static Optional<String> problem(int t, List<?> point, int dimensions) {
        if (point == null || point.isEmpty() || point.size() != dimensions) {
            return Optional.of("entry %,d of a sequence (counted from 1) is %s; it must be %s"
                    .formatted(
                            t + 1,
                            point == null ? "NULL" : "an array of size %,d".formatted(point.size()),
                            t == 0
                                    ? "a nonempty array of numbers"
                                    : "an array of size %,d, like entry 1".formatted(dimensions)));
        }
        for (int d = 0; d < dimensions; d++) {
            Number value = (Number) point.get(d);
            if (!isValue(value)) {
                return Optional.of("entry %,d of point %,d of a sequence (counted from 1) is %s; %s"
                        .formatted(d + 1, t + 1, value == null ? "NULL" : value, EXPECTED));
            }
        }
        return Optional.empty();
    }

    private static boolean isValue(Number value) {
        return value != null && GaussianModel.isValue(value.doubleValue());
    }

    @Override
    public SequenceType<Numbers> fitting(FittedModel start) {
        return ofPoints ? new ValueSequences(true, ((GaussianModel) start).dimensions(), START_MODEL) : this;
    }

    @Override
    public SequenceType<Numbers> ofMost(JavaRDD<InternalRow> rows) {
        if (!ofPoints) {
            return this;
        }
        Map<Integer, Long> counts = rows.map(row -> row.isNullAt(0) ? 0 : dimensions(row.getArray(0)))
                .filter(dimensions -> dimensions > 0)
                .countByValue();
        return counts.entrySet().stream()
                .max(Map.Entry.<Integer, Long>comparingByValue()
                        .thenComparing(Map.Entry.<Integer, Long>comparingByKey().reversed()))
                .<SequenceType<Numbers>>map(
                        most -> new ValueSequences(true, most.getKey(), "the most common dimension is"))
                .orElse(this);
    }

    /** Returns the number of coordinates of the points in a sequence; 0 if the sequence is invalid. */
    private int dimensions(ArrayData array) {
        int length = array.numElements();
        return problem(length, t -> array.isNullAt(t) ? null : entry(array, t)).isPresent()
                ? 0
                : array.getArray(0).numElements();
    }

    @Override
    public String described(Sizes sizes) {
        return ofPoints
                ? String.format(Locale.ROOT, "%,d points of dimension %,d", sizes.steps(), sizes.symbols())
                : String.format(Locale.ROOT, "%,d numbers", sizes.steps());
    }

    @Override
    public FittedModel model(double[] start, double[][] transitions, double[]... emissions) {
        return GaussianModel.of(start, transitions, emissions);
    }

    @Override
    public FittedModel model(String name, ArrayData start, ArrayData transitions, ArrayData emissions) {
        return GaussianModel.of(name, start, transitions, emissions, ofPoints);
    }

    @Override
    public Optional<String> problem(FittedModel start, Sizes sizes) {
        int dimensions = ((GaussianModel) start).dimensions();
        return !ofPoints || dimensions == sizes.symbols()
                ? Optional.empty()
                : Optional.of(difference(sizes.symbols(), START_MODEL, dimensions));
    }

    @Override
    public Object entry(ArrayData array, int index) {
        if (!ofPoints) {
            return array.getDouble(index);
        }
        ArrayData point = array.getArray(index);
        Double[] numbers = new Double[point.numElements()];
        Arrays.setAll(numbers, d -> point.isNullAt(d) ? null : point.getDouble(d));
        return Arrays.asList(numbers);
    }

    @Override
    public Numbers read(ArrayData array) {
        if (!ofPoints) {
            return new Numbers(1, array.toDoubleArray());
        }
        int length = array.numElements();
        int dimensions = length == 0 ? 1 : array.getArray(0).numElements();
        double[] numbers = new double[Math.multiplyExact(length, dimensions)];
        for (int t = 0; t < length; t++) {
            System.arraycopy(array.getArray(t).toDoubleArray(), 0, numbers, t * dimensions, dimensions);
        }
        return new Numbers(dimensions, numbers);
    }

    @Override
    public int length(Numbers sequence) {
        return sequence.length();
    }

    @Override
    public int hash(Numbers sequence) {
        return Arrays.hashCode(sequence.numbers);
    }

    @Override
    public int symbols(Numbers sequence) {
        return ofPoints ? sequence.dimensions : 0;
    }

    @Override
    public String nameOfSymbols() {
        return "dimensions";
    }

    @Override
    public FittedModel first(JavaRDD<Numbers> sequences, Sizes sizes, TrainingGoal goal) {
        int dimensions = ofPoints ? sizes.symbols() : 1;
        JavaRDD<double[]> numbers = sequences.filter(each -> each.length() > 0).map(each -> numbers(each, dimensions));
        long count = sizes.steps();
        double[] variances = new double[dimensions];
        for (int d = 0; d < dimensions; d++) {
            double mean = sum(numbers, dimensions, d, value -> value) / count;
            variances[d] = sum(numbers, dimensions, d, value -> (value - mean) * (value - mean)) / count;
        }
        GaussianStart start = new GaussianStart(count, variances);
        OrderStatistics sorted = OrderStatistics.of(numbers, dimensions, start.places(goal.states(), goal.seed()));
        return start.model(goal.states(), goal.seed(), goal.minVariance(), sorted::at);
    }

    /** Returns the numbers of a sequence, whose points must have this number of coordinates. */
    private double[] numbers(Numbers sequence, int dimensions) {
        if (sequence.dimensions != dimensions) {
            throw DistributedTraining.invalid("%s has points of dimension %,d, but others have points of dimension %,d"
                    .formatted(shown(sequence), sequence.dimensions, dimensions));
        }
        return sequence.numbers;
    }

    /** Returns the exact sum of the terms of a coordinate of all points, rounded once. */
    private static double sum(JavaRDD<double[]> sequences, int dimensions, int dimension, Term term) {
        return sequences.aggregate(
                        new ExactSums(1),
                        (sums, values) -> {
                            for (int i = dimension; i < values.length; i += dimensions) {
                                sums.add(0, term.applyAsDouble(values[i]));
                            }
                            return sums;
                        },
                        ExactSums::plus)
                .rounded()[0];
    }

    @Override
    public int symbolsOf(FittedModel model) {
        return ofPoints ? ((GaussianModel) model).dimensions() : 0;
    }

    @Override
    public Optional<String> notOnGpu(int states, int symbols) {
        return GpuSide.find(ExpectedCounts.Gpu.class)
                        .filter(gpu -> gpu.supportsPoints(states, Math.max(1, symbols)))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(
                        ofPoints
                                ? "a model with %,d states and points of dimension %,d is too large for the GPU"
                                        .formatted(states, symbols)
                                : "a model with %,d states is too large for the GPU".formatted(states));
    }

    @Override
    public ExpectedCounts counts(FittedModel model, int longest, boolean onGpu, Iterator<Numbers> sequences) {
        GaussianModel before = (GaussianModel) model;
        int dimensions = before.dimensions();
        // the reservation only checks that the model fits in memory: the task holds no other memory
        TaskMemory.release(GaussianFit.take(DistributedTraining.NAME, before.states(), dimensions, longest));
        GaussianFit step = new GaussianFit(before, DistributedTraining::invalid);
        Iterator<double[]> values = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return sequences.hasNext();
            }

            @Override
            public double[] next() {
                return numbers(sequences.next(), dimensions);
            }
        };
        Consumer<double[]> onCpu = each -> step.count(() -> shown(new Numbers(dimensions, each)), each);
        if (onGpu) {
            GpuSide.get(ExpectedCounts.Gpu.class).count(before, values, step.counts(), onCpu);
        } else {
            values.forEachRemaining(onCpu);
        }
        return step.counts();
    }

    private String shown(Numbers sequence) {
        int dimensions = sequence.dimensions;
        return DistributedTraining.shown(
                sequence.length(),
                t -> !ofPoints
                        ? Double.toString(sequence.numbers[t])
                        : Arrays.toString(Arrays.copyOfRange(sequence.numbers, t * dimensions, (t + 1) * dimensions)));
    }

    @Override
    public FittedModel improved(FittedModel model, ExpectedCounts counts, TrainingGoal goal) {
        return ((GaussianModel) model).improved(counts, goal.minVariance());
    }
}
