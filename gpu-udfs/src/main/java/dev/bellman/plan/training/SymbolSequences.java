package dev.bellman.plan.training;

import dev.bellman.GpuSide;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.BaumWelch;
import dev.bellman.markov.ExpectedCounts;
import dev.bellman.markov.FittedModel;
import dev.bellman.markov.HmmModel;
import dev.bellman.plan.training.DistributedTraining.Sizes;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

final class SymbolSequences implements SequenceType<int[]> {
    private static final long serialVersionUID = 1L;

    /** The number of symbols of the start model; {@link Integer#MAX_VALUE} if training starts with a random model. */
    private final int letters;

    SymbolSequences() {
        this(Integer.MAX_VALUE);
    }

    private SymbolSequences(int letters) {
        this.letters = letters;
    }

    @Override
    public DataType column() {
        return DataTypes.createArrayType(DataTypes.LongType);
    }

    @Override
    public Optional<String> problem(int length, IntFunction<?> entry) {
        if (length == 0) {
            return Optional.of("a sequence is empty; it needs at least one symbol");
        }
        for (int t = 0; t < length; t++) {
            Number symbol = (Number) entry.apply(t);
            if (symbol == null || symbol.longValue() < 0 || symbol.longValue() >= letters) {
                return Optional.of("entry %,d of a sequence (counted from 1) is %s; it must be from 0 to %,d%s"
                        .formatted(
                                t + 1,
                                symbol == null ? "NULL" : symbol,
                                letters - 1,
                                letters == Integer.MAX_VALUE
                                        ? ""
                                        : ", because the start model has %,d symbols".formatted(letters)));
            }
        }
        return Optional.empty();
    }

    @Override
    public SequenceType<int[]> fitting(FittedModel start) {
        return new SymbolSequences(((HmmModel) start).symbols());
    }

    @Override
    public String described(Sizes sizes) {
        return String.format(Locale.ROOT, "%,d symbols from 0 to %,d", sizes.steps(), sizes.symbols() - 1);
    }

    @Override
    public FittedModel model(double[] start, double[][] transitions, double[]... emissions) {
        return HmmModel.of(start, flat(transitions), flat(emissions));
    }

    @Override
    public FittedModel model(String name, ArrayData start, ArrayData transitions, ArrayData emissions) {
        return HmmModel.of(name, start, transitions, emissions);
    }

    @Override
    public Optional<String> problem(FittedModel start, Sizes sizes) {
        int symbols = ((HmmModel) start).symbols();
        return symbols >= sizes.symbols()
                ? Optional.empty()
                : Optional.of("a sequence contains the symbol %,d, but the start model has %,d symbols"
                        .formatted(sizes.symbols() - 1, symbols));
    }

    private static double[] flat(double[]... rows) {
        return Stream.of(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    @Override
    public Object entry(ArrayData array, int index) {
        return array.getLong(index);
    }

    @Override
    public int[] read(ArrayData array) {
        int[] symbols = new int[array.numElements()];
        for (int t = 0; t < symbols.length; t++) {
            symbols[t] = (int) array.getLong(t);
        }
        return symbols;
    }

    @Override
    public int length(int[] sequence) {
        return sequence.length;
    }

    @Override
    public int hash(int[] sequence) {
        return Arrays.hashCode(sequence);
    }

    @Override
    public int symbols(int[] sequence) {
        return 1 + Arrays.stream(sequence).max().orElse(-1);
    }

    @Override
    public FittedModel first(JavaRDD<int[]> sequences, Sizes sizes, TrainingGoal goal) {
        TaskMemory.release(HmmModel.take(DistributedTraining.NAME, goal.states(), sizes.symbols()));
        return HmmModel.random(goal.states(), sizes.symbols(), goal.seed());
    }

    @Override
    public Optional<String> notOnGpu(int states, int symbols) {
        return GpuSide.find(ExpectedCounts.Gpu.class)
                        .filter(gpu -> gpu.supports(states, symbols))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(
                        "a model with %,d states and %,d symbols is too large for the GPU".formatted(states, symbols));
    }

    @Override
    public ExpectedCounts counts(FittedModel model, int longest, boolean onGpu, Iterator<int[]> sequences) {
        HmmModel before = (HmmModel) model;
        // the reservation only checks that the model fits in memory: the task holds no other memory
        TaskMemory.release(BaumWelch.take(DistributedTraining.NAME, before, longest));
        BaumWelch step = new BaumWelch(before, DistributedTraining::invalid);
        if (onGpu) {
            Consumer<int[]> onCpu = symbols -> step.count(() -> shown(symbols), symbols);
            GpuSide.get(ExpectedCounts.Gpu.class).count(before, sequences, step.counts(), onCpu);
        } else {
            step.count((index, symbols) -> shown(symbols), sequences);
        }
        return step.counts();
    }

    private static String shown(int... symbols) {
        return DistributedTraining.shown(symbols.length, i -> Integer.toString(symbols[i]));
    }

    @Override
    public FittedModel improved(FittedModel model, ExpectedCounts counts, TrainingGoal goal) {
        return ((HmmModel) model).improved(counts);
    }
}
