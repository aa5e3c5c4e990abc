package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.lanes.SequenceBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Computes the expected counts with which expectation maximization fits a hidden Markov model to sequences (L. E. Baum
 * et al., 1970), with scaling as described by L. R. Rabiner, "A Tutorial on Hidden Markov Models" (1989).
 *
 * <pre>{@code
 * f(t, j) = (sum over i of f(t - 1, i) * transition(i, j)) * emission(j, x(t)), divided by the sum s(t) over all j
 * c(t, j) = emission(j, x(t)) * b(t, j)
 * r(t, i) = sum over j of transition(i, j) * c(t + 1, j);  r(T - 1, i) = 1
 * b(t, i) = r(t, i), divided by the sum over all i
 * w(t, i) = f(t, i) / (sum over i of f(t, i) * r(t, i))
 * }</pre>
 *
 * <p>Here, {@code x(t)} is the symbol at step t, and {@code T} is the number of steps. The probability of state i at
 * step t is {@code w(t, i) * r(t, i)}. The probability of a transition from i to j is {@code w(t, i) * c(t + 1, j) *
 * transition(i, j)}; the last factor is applied once, to the sum over all steps of all sequences. The probability of a
 * sequence is the product of all s(t).
 *
 * <p>Within a sequence, sums over states are in the order of the states, and sums over steps go from the last step to
 * the first. Sums over sequences are exact until they are rounded once, at the end. This defines the result bit for
 * bit, for any order of the sequences.
 *
 * <p>If the model is defined by logarithms, the recurrences are those of {@link LogForward}, and a sequence may be
 * arbitrarily unlikely.
 *
 * <p>With vector instructions, several sequences of similar lengths are counted at once, as {@link SequenceBlock}s.
 *
 * <p>Each object computes the counts for the sequences of one task in one iteration.
 */
public final class BaumWelch {
    /** The maximum number of sequences in a batch, which is divided into blocks of sequences of similar lengths. */
    private static final int BATCH = 256;
    /** The number of symbols at which a batch ends. */
    private static final int ENOUGH = 1 << 18;

    /** The smallest sum by which probabilities are divided. The terms of a smaller sum may have lost precision. */
    static final double MIN_SUM = 1e-290;

    private final Function<String, BellmanException> error;
    private final boolean byRows;
    private final int states;
    private final double[] start;
    /** The transition probabilities; {@code movesInto} contains the transposed matrix. */
    private final double[] moves;

    private final double[] movesInto;
    private final double[] emissions;
    /** The recurrences for a model that is defined by logarithms; null for other models. */
    private final LogForward logs;

    private final ExpectedCounts all;
    /** The counts of the current sequence. */
    private final double[] startCounts;

    private final double[] moveCounts;
    /** A row of counts for each symbol of the current sequence; null for other symbols. */
    private final double[][] emissionCounts;

    /** Empty if each sequence is counted separately. */
    private final Optional<SequenceBlock> block;

    private final Cancellation cancellation = new Cancellation();

    /** Names sequences, for messages. */
    public interface Names {
        /** @param index the number of earlier sequences */
        String of(long index, int... symbols);
    }

    /** @param error creates the exception for a problem with a sequence; the string describes the problem */
    public BaumWelch(HmmModel model, Function<String, BellmanException> error) {
        this(model, HiddenMarkov.Strategy.AUTO, error);
    }

    BaumWelch(HmmModel model, HiddenMarkov.Strategy strategy, Function<String, BellmanException> error) {
        this.error = error;
        byRows = strategy == HiddenMarkov.Strategy.AUTO;
        states = model.states();
        Chain chain = model.chain();
        logs = chain.isLogarithms() ? new LogForward(chain, strategy) : null;
        start = chain.start();
        moves = chain.moves();
        movesInto = HiddenMarkov.transposed(moves, states, states);
        emissions = model.bySymbol();
        all = new ExpectedCounts(states, model.symbols());
        startCounts = new double[states];
        moveCounts = new double[moves.length];
        emissionCounts = new double[model.symbols()][];
        block = byRows && logs == null
                ? SequenceBlock.of(MIN_SUM, start, moves, movesInto, emissions)
                : Optional.empty();
    }

    /** Fails if the table of the longest sequence is too large. */
    public static void mustFit(String function, int longest, int states) {
        HiddenMarkov.mustFit(function, "the table for a sequence", longest, states);
    }

    /**
     * Reserves memory for an iteration in a task: the model, the counts, the table of the longest sequence, and blocks
     * of sequences. Returns the number of reserved bytes.
     */
    public static long take(String function, HmmModel model, int longest) {
        mustFit(function, longest, model.states());
        long bytes = HmmModel.bytes(model.states(), model.symbols()) + tableBytes(model.states(), longest);
        TaskMemory.take(
                function, bytes, "", () -> "an iteration with %,d states, %,d symbols and a sequence of length %,d"
                        .formatted(model.states(), model.symbols(), longest));
        return bytes;
    }

    /** Returns the number of bytes for the table of the longest sequence and for blocks of sequences. */
    static long tableBytes(int states, int longest) {
        return (long) Double.BYTES * longest * states + SequenceBlock.bytes(states, longest);
    }

    /** Returns the expected counts of all sequences so far. */
    public ExpectedCounts counts() {
        return all;
    }

    /**
     * Adds the expected counts of sequences.
     *
     * @param sequences the sequences, all of whose symbols must be symbols of the model
     */
    public void count(Names names, Iterator<int[]> sequences) {
        long index = 0;
        while (sequences.hasNext()) {
            List<int[]> batch = new ArrayList<>();
            long symbols = 0;
            while (sequences.hasNext() && batch.size() < BATCH && symbols < ENOUGH) {
                int[] next = sequences.next();
                batch.add(next);
                symbols += next.length;
            }
            boolean[] counted = new boolean[batch.size()];
            block.ifPresent(several -> countBlocks(several, batch, counted));
            for (int i = 0; i < counted.length; i++) {
                int[] sequence = batch.get(i);
                long itsIndex = index + i;
                if (!counted[i]) {
                    count(() -> names.of(itsIndex, sequence), sequence);
                }
            }
            index += counted.length;
        }
    }

    /**
     * Adds the expected counts of the sequences of a batch that form suitable blocks.
     *
     * @param counted receives, for each sequence, whether it was counted; impossible sequences are not counted
     */
    private void countBlocks(SequenceBlock block, List<int[]> batch, boolean... counted) {
        int[] byLength = IntStream.range(0, counted.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> batch.get(i).length))
                .mapToInt(i -> i)
                .toArray();
        for (int from = 0; from < byLength.length; from += block.lanes()) {
            int count = Math.min(block.lanes(), byLength.length - from);
            int[][] sequences = new int[count][];
            for (int lane = 0; lane < count; lane++) {
                sequences[lane] = batch.get(byLength[from + lane]);
            }
            if (block.suits(sequences)) {
                block.count(sequences);
                for (int lane = 0; lane < count; lane++) {
                    if (block.isPossible(lane)) {
                        add(block, lane, sequences[lane]);
                        counted[byLength[from + lane]] = true;
                    }
                }
            }
        }
    }

    private void add(SequenceBlock block, int lane, int... symbols) {
        block.copyStarts(lane, startCounts);
        block.copyMoves(lane, moveCounts);
        all.addSequence(Wide.product(block.sums(lane)).log(), startCounts, moveCounts);
        for (int symbol : symbols) {
            double[] counts = block.takeEmissions(lane, symbol);
            if (counts != null) {
                all.addEmissions(symbol, counts);
            }
        }
    }

    /**
     * Adds the expected counts of a sequence.
     *
     * @param name returns the name of the sequence, for messages
     * @param symbols the symbols of the sequence, all of which must be symbols of the model
     */
    public void count(Supplier<String> name, int... symbols) {
        if (logs == null) {
            double[] f = new double[symbols.length * states];
            double logProbability = forward(name, f, symbols);
            Arrays.fill(startCounts, 0);
            Arrays.fill(moveCounts, 0);
            backward(name, f, symbols);
            all.addSequence(logProbability, startCounts, moveCounts);
        } else {
            countLogs(name, symbols);
        }
        for (int symbol : symbols) {
            if (emissionCounts[symbol] != null) {
                all.addEmissions(symbol, emissionCounts[symbol]);
                emissionCounts[symbol] = null;
            }
        }
    }

    private void countLogs(Supplier<String> name, int... symbols) {
        double logProbability = logs.count(
                all,
                symbols.length,
                (t, row) -> System.arraycopy(emissions, symbols[t] * states, row, 0, states),
                (t, probabilities) -> {
                    double[] emitted = emitted(symbols[t]);
                    for (int i = 0; i < states; i++) {
                        emitted[i] += probabilities[i];
                    }
                });
        if (logProbability == Double.NEGATIVE_INFINITY) {
            throw error.apply("%s is impossible in the model".formatted(name.get()));
        }
    }

    /** Returns the emission counts of the current sequence for one of its symbols. */
    private double[] emitted(int symbol) {
        if (emissionCounts[symbol] == null) {
            emissionCounts[symbol] = new double[states];
        }
        return emissionCounts[symbol];
    }

    private void backward(Supplier<String> name, double[] f, int... symbols) {
        double[] r = new double[states];
        double[] c = new double[states];
        double[] w = new double[states];
        for (int t = symbols.length - 1; t >= 0; t--) {
            if (t == symbols.length - 1) {
                Arrays.fill(r, 1);
            } else {
                multiply(c, movesInto, r);
            }
            double sum = 0;
            for (int i = 0; i < states; i++) {
                sum += f[t * states + i] * r[i];
            }
            mustBePossible(name, sum);
            double[] emitted = emitted(symbols[t]);
            double all = 0;
            for (int i = 0; i < states; i++) {
                w[i] = f[t * states + i] / sum;
                emitted[i] += w[i] * r[i];
                startCounts[i] += t == 0 ? w[i] * r[i] : 0;
                all += r[i];
            }
            for (int i = 0; i < states && t < symbols.length - 1; i++) {
                for (int j = 0; j < states; j++) {
                    moveCounts[i * states + j] += w[i] * c[j];
                }
            }
            mustBePossible(name, all);
            for (int j = 0; j < states; j++) {
                c[j] = emissions[symbols[t] * states + j] * (r[j] / all);
            }
        }
    }

    private double forward(Supplier<String> name, double[] f, int... symbols) {
        Wide probability = Wide.ONE;
        double[] before = start;
        double[] row = new double[states];
        for (int t = 0; t < symbols.length; t++) {
            if (t == 0) {
                System.arraycopy(start, 0, row, 0, states);
            } else {
                multiply(before, moves, row);
            }
            double sum = 0;
            for (int j = 0; j < states; j++) {
                row[j] *= emissions[symbols[t] * states + j];
                sum += row[j];
            }
            mustBePossible(name, sum);
            for (int j = 0; j < states; j++) {
                row[j] /= sum;
            }
            probability = probability.times(Wide.of(sum));
            System.arraycopy(row, 0, f, t * states, states);
            double[] free = t == 0 ? new double[states] : before;
            before = row;
            row = free;
        }
        return probability.log();
    }

    /** Multiplies a row by a matrix; each sum adds its terms in the order of the row. */
    private void multiply(double[] row, double[] matrix, double[] product) {
        cancellation.count((long) states * states);
        Arrays.fill(product, 0);
        if (byRows) {
            for (int i = 0; i < states; i++) {
                double x = row[i];
                int from = i * states;
                for (int j = 0; j < product.length; j++) {
                    product[j] += x * matrix[from + j];
                }
            }
        } else {
            for (int j = 0; j < states; j++) {
                for (int i = 0; i < states; i++) {
                    product[j] += row[i] * matrix[i * states + j];
                }
            }
        }
    }

    private void mustBePossible(Supplier<String> name, double sum) {
        if (!(sum >= MIN_SUM)) {
            throw error.apply("%s is impossible or almost impossible in the model".formatted(name.get()));
        }
    }
}
