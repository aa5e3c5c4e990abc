package dev.bellman.plan.training;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.markov.BaumWelch;
import dev.bellman.markov.ExpectedCounts;
import dev.bellman.markov.FittedModel;
import dev.bellman.markov.MarkovFunctions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import scala.Tuple2;

/**
 * Fits a hidden Markov model to the sequences in a table's rows, with the algorithm of {@link BaumWelch} or, for
 * numbers and points, of {@link dev.bellman.markov.GaussianFit}. In each iteration, tasks compute the counts for the
 * sequences of their partitions, and the driver adds the counts and computes the next model. Sums over sequences are
 * exact, so the model is bit-for-bit the same as that of {@code hmm_fit} for the same sequences in one array,
 * regardless of partitioning.
 *
 * <p>Executors keep the sequences in memory or on disk until this object is closed.
 */
public final class DistributedTraining<S> implements AutoCloseable {
    static final String NAME = MarkovFunctions.TRAINING_OF_ROWS.name();

    /** The number of entries of a sequence to show in a message. */
    private static final int SHOWN = 10;

    /**
     * The minimum product of the number of steps and the square of the number of states for which GPUs are probably
     * faster.
     */
    private static final double MIN_GPU_CELLS = 1e8;
    /** The minimum average number of sequences per partition. A GPU counts the sequences of a partition in parallel. */
    private static final long MIN_GPU_SEQUENCES = 1_000;

    private static final ArrayData EMPTY = new GenericArrayData(new Object[0]);

    private final JavaSparkContext context;
    private final SequenceType<S> type;
    /** The sequences; an empty one replaces NULL. */
    private final JavaRDD<S> sequences;

    private Optional<Sizes> sizes = Optional.empty();
    private boolean onGpu;

    /**
     * @param sequences the number of sequences
     * @param nulls the number of rows that are NULL and therefore not used
     * @param steps the number of entries in all sequences
     * @param symbols the number of symbols of the model, which is the largest symbol plus one; 0 for numbers;
     *     for points, the number of coordinates
     * @param longest the number of entries in the longest sequence
     */
    public record Sizes(long sequences, long nulls, long steps, int symbols, int longest) {}

    private DistributedTraining(JavaSparkContext context, SequenceType<S> type, JavaRDD<S> sequences) {
        this.context = context;
        this.type = type;
        this.sequences = sequences;
    }

    /**
     * Returns an object that trains models with the sequences in some rows. The rows are read when the sequences are
     * first used.
     *
     * @param rows rows with one column, which was cast to {@link SequenceType#column}
     * @param skipsInvalid whether to skip sequences with a {@link SequenceType#problem} instead of failing
     */
    public static <S> DistributedTraining<S> of(SequenceType<S> type, JavaRDD<InternalRow> rows, boolean skipsInvalid) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(rows.context());
        JavaRDD<S> read = rows.map(row -> sequence(type, row, skipsInvalid)).filter(sequence -> sequence != null);
        int partitions = context.defaultParallelism();
        boolean few = read.getNumPartitions() < partitions;
        return new DistributedTraining<>(
                context, type, (few ? spread(type, read, partitions) : read).persist(StorageLevel.MEMORY_AND_DISK()));
    }

    /**
     * Divides sequences among partitions by a hash of their entries. A partition that is lost with its executor and
     * computed again therefore has the same sequences, even if the rows are then in a different order.
     */
    private static <S> JavaRDD<S> spread(SequenceType<S> type, JavaRDD<S> sequences, int partitions) {
        return sequences
                .mapToPair(sequence -> new Tuple2<>(Murmur3_x86_32.hashInt(type.hash(sequence), 0), sequence))
                .partitionBy(new HashPartitioner(partitions))
                .values();
    }

    private static <S> S sequence(SequenceType<S> type, InternalRow row, boolean skipsInvalid) {
        if (row.isNullAt(0)) {
            return type.read(EMPTY);
        }
        ArrayData array = row.getArray(0);
        Optional<String> problem =
                type.problem(array.numElements(), i -> array.isNullAt(i) ? null : type.entry(array, i));
        if (problem.isPresent()) {
            if (skipsInvalid) {
                return null;
            }
            throw invalid(problem.get());
        }
        return type.read(array);
    }

    static BellmanException invalid(String problem) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: %s. Correct the input, or filter out such rows".formatted(NAME, problem));
    }

    /**
     * Returns the numbers of sequences and of their entries, which the first call counts.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are no sequences
     */
    public Sizes sizes() {
        if (sizes.isEmpty()) {
            SequenceType<S> its = type;
            long[] found = sequences.aggregate(
                    new long[5],
                    (sums, sequence) -> {
                        int length = its.length(sequence);
                        sums[length == 0 ? 1 : 0]++;
                        sums[2] += length;
                        sums[3] = Math.max(sums[3], its.symbols(sequence));
                        sums[4] = Math.max(sums[4], length);
                        return sums;
                    },
                    (sums, others) -> new long[] {
                        sums[0] + others[0],
                        sums[1] + others[1],
                        sums[2] + others[2],
                        Math.max(sums[3], others[3]),
                        Math.max(sums[4], others[4])
                    });
            if (found[0] == 0) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        "%s: the input has no sequences; it must have at least one".formatted(NAME));
            }
            sizes = Optional.of(new Sizes(found[0], found[1], found[2], (int) found[3], (int) found[4]));
        }
        return sizes.get();
    }

    /** Returns the random model with which training starts. */
    public TrainedModel first(TrainingGoal goal) {
        BaumWelch.mustFit(NAME, sizes().longest(), goal.states());
        return new TrainedModel(type.first(sequences, sizes(), goal));
    }

    /** Returns the given model, with which training starts. */
    public TrainedModel first(FittedModel start) {
        BaumWelch.mustFit(NAME, sizes().longest(), start.states());
        type.problem(start, sizes()).ifPresent(problem -> {
            throw invalid(problem);
        });
        return new TrainedModel(start);
    }

    /**
     * Makes tasks use their GPUs if these are required, or probably faster than CPUs.
     *
     * @param start the model with which training starts; empty for a random model
     * @throws BellmanException {@link ErrorCode#BELLMAN_GPU_REQUIRED} if GPUs are required, but cannot train the model
     */
    public void useGpu(int states, Optional<FittedModel> start, boolean isRequired) {
        int symbols = start.map(type::symbolsOf).orElseGet(() -> sizes().symbols());
        Optional<String> reason = type.notOnGpu(states, symbols);
        if (isRequired && reason.isPresent()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "engine is gpu, but %s; use engine: auto to allow the CPU".formatted(reason.get()));
        }
        boolean isLarge = (double) states * states * sizes().steps() >= MIN_GPU_CELLS
                && sizes().sequences() >= MIN_GPU_SEQUENCES * sequences.getNumPartitions();
        onGpu = reason.isEmpty() && (isRequired || isLarge);
    }

    public boolean isOnGpu() {
        return onGpu;
    }

    /** Runs an iteration, and returns the improved model. */
    public TrainedModel next(TrainedModel before, TrainingGoal goal) {
        int longest = sizes().longest();
        SequenceType<S> its = type;
        boolean gpu = onGpu;
        Broadcast<FittedModel> model = context.broadcast(before.model());
        String memoryBefore = context.getLocalProperty(GpuSide.MEMORY);
        // tasks of queries have the session's settings, but other tasks have only local properties
        context.setLocalProperty(GpuSide.MEMORY, SQLConf.get().getConfString(GpuSide.MEMORY, null));
        try {
            ExpectedCounts counts = sequences
                    .filter(sequence -> its.length(sequence) > 0)
                    .mapPartitions(each -> List.of(its.counts(model.value(), longest, gpu, each))
                            .iterator())
                    .treeReduce(ExpectedCounts::plus);
            int done = before.logProbabilities().length;
            double[] logProbabilities = Arrays.copyOf(before.logProbabilities(), done + 1);
            logProbabilities[done] = counts.logProbability();
            return new TrainedModel(type.improved(before.model(), counts, goal), logProbabilities);
        } finally {
            context.setLocalProperty(GpuSide.MEMORY, memoryBefore);
            model.destroy();
        }
    }

    /** Describes a sequence by its first entries, for messages. */
    static String shown(int length, IntFunction<String> entry) {
        String first =
                IntStream.range(0, Math.min(SHOWN, length)).mapToObj(entry).collect(Collectors.joining(", "));
        return "the sequence [%s%s]".formatted(first, length <= SHOWN ? "" : ", ...");
    }

    @Override
    public void close() {
        sequences.unpersist(false);
    }
}
