package dev.bellman.plan.training;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.BaumWelch;
import dev.bellman.markov.ExpectedCounts;
import dev.bellman.markov.HmmModel;
import dev.bellman.markov.MarkovFunctions;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import scala.Tuple2;

/**
 * Fits a hidden Markov model to the sequences in a table's rows, with the algorithm of {@link BaumWelch}. In each
 * iteration, tasks compute the counts for the sequences of their partitions, and the driver adds the counts and
 * computes the next model. Sums over sequences are exact, so the model is bit-for-bit the same as that of {@code
 * hmm_fit} for the same sequences in one array, regardless of partitioning.
 *
 * <p>Executors keep the sequences in memory or on disk until this object is closed.
 */
public final class DistributedTraining implements AutoCloseable {
    private static final String NAME = MarkovFunctions.TRAINING_OF_ROWS.name();

    /** The maximum number of a sequence's symbols that a message shows. */
    private static final int SHOWN = 10;

    /** Replaces a NULL. No other sequence is empty. */
    private static final int[] NONE = {};

    private final JavaSparkContext context;
    private final JavaRDD<int[]> sequences;
    private Optional<Sizes> sizes = Optional.empty();

    /**
     * @param sequences the number of sequences
     * @param nulls the number of rows that are NULL and therefore not used
     * @param steps the number of symbols in all sequences
     * @param symbols the number of symbols of the model, which is the largest symbol plus one
     * @param longest the number of symbols in the longest sequence
     */
    public record Sizes(long sequences, long nulls, long steps, int symbols, int longest) {}

    private DistributedTraining(JavaSparkContext context, JavaRDD<int[]> sequences) {
        this.context = context;
        this.sequences = sequences;
    }

    /**
     * Reads the sequences when they are first used.
     *
     * @param rows rows with one ARRAY&lt;BIGINT>
     * @param skipsInvalid whether to skip sequences with a {@link #problem} instead of failing
     */
    public static DistributedTraining of(JavaRDD<InternalRow> rows, boolean skipsInvalid) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(rows.context());
        JavaRDD<int[]> read = rows.map(row -> sequence(row, skipsInvalid)).filter(symbols -> symbols != null);
        int partitions = context.defaultParallelism();
        boolean few = read.getNumPartitions() < partitions;
        return new DistributedTraining(
                context, (few ? spread(read, partitions) : read).persist(StorageLevel.MEMORY_AND_DISK()));
    }

    /**
     * Divides sequences among partitions by their symbols. Therefore, if a partition is lost with its executor, the
     * recomputed partition contains the same sequences, even if the order of the rows has changed.
     */
    private static JavaRDD<int[]> spread(JavaRDD<int[]> sequences, int partitions) {
        return sequences
                .mapToPair(symbols -> new Tuple2<>(Murmur3_x86_32.hashInt(Arrays.hashCode(symbols), 0), symbols))
                .partitionBy(new HashPartitioner(partitions))
                .values();
    }

    /** Whether values of this type are sequences of symbols. */
    public static boolean isSequence(DataType type) {
        return type instanceof ArrayType array && array.elementType() instanceof IntegralType;
    }

    private static int[] sequence(InternalRow row, boolean skipsInvalid) {
        if (row.isNullAt(0)) {
            return NONE;
        }
        ArrayData array = row.getArray(0);
        Optional<String> problem =
                problem(array.numElements(), i -> array.isNullAt(i) ? null : (Long) array.getLong(i));
        if (problem.isPresent()) {
            if (skipsInvalid) {
                return null;
            }
            throw invalid(problem.get());
        }
        int[] symbols = new int[array.numElements()];
        for (int t = 0; t < symbols.length; t++) {
            symbols[t] = (int) array.getLong(t);
        }
        return symbols;
    }

    /** Returns the reason why an array is not a sequence of symbols; empty if it is one. */
    public static Optional<String> problem(int length, IntFunction<Long> entry) {
        if (length == 0) {
            return Optional.of("a sequence is empty; it needs at least one symbol");
        }
        for (int t = 0; t < length; t++) {
            Long symbol = entry.apply(t);
            if (symbol == null || symbol < 0 || symbol >= Integer.MAX_VALUE) {
                return Optional.of("entry %,d of a sequence (counted from 1) is %s; it must be from 0 to %,d"
                        .formatted(t + 1, symbol == null ? "NULL" : symbol, Integer.MAX_VALUE - 1));
            }
        }
        return Optional.empty();
    }

    private static BellmanException invalid(String problem) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: %s. Correct the input, or filter out such rows".formatted(NAME, problem));
    }

    /**
     * Reads the sequences.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are none
     */
    public Sizes sizes() {
        if (sizes.isEmpty()) {
            long[] found = sequences.aggregate(
                    new long[5],
                    (sums, symbols) -> {
                        sums[symbols.length == 0 ? 1 : 0]++;
                        sums[2] += symbols.length;
                        for (int symbol : symbols) {
                            sums[3] = Math.max(sums[3], symbol + 1L);
                        }
                        sums[4] = Math.max(sums[4], symbols.length);
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
        int symbols = sizes().symbols();
        BaumWelch.mustFit(NAME, sizes().longest(), goal.states());
        TaskMemory.release(HmmModel.take(NAME, goal.states(), symbols));
        return new TrainedModel(HmmModel.random(goal.states(), symbols, goal.seed()));
    }

    /** Runs an iteration. */
    public TrainedModel next(TrainedModel before) {
        int longest = sizes().longest();
        Broadcast<HmmModel> model = context.broadcast(before.model());
        try {
            ExpectedCounts counts = sequences
                    .mapPartitions(each ->
                            List.of(counts(model.value(), longest, each)).iterator())
                    .treeReduce(ExpectedCounts::plus);
            int done = before.logProbabilities().length;
            double[] logProbabilities = Arrays.copyOf(before.logProbabilities(), done + 1);
            logProbabilities[done] = counts.logProbability();
            return new TrainedModel(before.model().improved(counts), logProbabilities);
        } finally {
            model.destroy();
        }
    }

    private static ExpectedCounts counts(HmmModel model, int longest, Iterator<int[]> sequences) {
        // the task holds no other memory
        TaskMemory.release(BaumWelch.take(NAME, model, longest));
        BaumWelch step = new BaumWelch(model, DistributedTraining::invalid);
        sequences.forEachRemaining(symbols -> {
            if (symbols.length > 0) {
                step.count(() -> "the sequence " + shown(symbols), symbols);
            }
        });
        return step.counts();
    }

    private static String shown(int... symbols) {
        String first = Arrays.toString(Arrays.copyOf(symbols, Math.min(SHOWN, symbols.length)));
        return symbols.length <= SHOWN ? first : first.replace("]", ", ...]");
    }

    @Override
    public void close() {
        sequences.unpersist(false);
    }
}
