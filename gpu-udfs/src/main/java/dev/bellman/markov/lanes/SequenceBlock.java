package dev.bellman.markov.lanes;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.Optional;

/**
 * Computes the expected counts of several sequences at once, with the recurrences of {@code BaumWelch}. Each count is
 * bit-for-bit the same as if its sequence were counted separately.
 *
 * <p>All sequences begin at step 0. After its last step, a sequence has emissions of 0 and sums of 1, so that its
 * entries are 0 and do not change its counts. A sequence that is impossible also has sums of 1, and its counts are
 * undefined.
 */
public final class SequenceBlock {
    /** The maximum number of states; the counts of more states would need much memory. */
    private static final int MAX_STATES = 128;
    /** The maximum number of entries in the table of a block, and in the emissions of a model. */
    private static final int MAX_ENTRIES = 1 << 18;

    /** The number of lanes. The compiler removes bounds checks from loops only if this number is constant. */
    private static final int LANES = LaneSteps.VECTORS.map(LaneSteps::lanes).orElse(1);

    private final LaneSteps steps;
    private final int states;
    private final double minSum;
    private final double[] start;
    private final double[] moves;
    private final double[] movesInto;
    private final double[] emissions;

    private int[][] sequences;
    private int longest;
    private final boolean[] impossible;
    private double[] f = {};
    /** The sums by which the rows of {@code f} were divided. */
    private double[] sums = {};

    private final double[] moveCounts;
    private final double[] startCounts;
    /** For each lane, a row for each symbol of its sequence; null for other symbols. */
    private final double[][][] emissionCounts;

    private final double[] factors;
    private final Cancellation cancellation = new Cancellation();

    private SequenceBlock(
            LaneSteps steps, double minSum, double[] start, double[] moves, double[] movesInto, double[] emissions) {
        this.steps = steps;
        this.minSum = minSum;
        this.start = start;
        this.moves = moves;
        this.movesInto = movesInto;
        this.emissions = emissions;
        states = start.length;
        impossible = new boolean[LANES];
        moveCounts = new double[moves.length * LANES];
        startCounts = new double[states * LANES];
        emissionCounts = new double[LANES][emissions.length / states][];
        factors = new double[states * LANES];
    }

    /**
     * Returns a block for a model; empty if vector instructions are not available or the model is too large.
     *
     * @param minSum the smallest sum over the states at one step; a sequence with a smaller sum is treated as
     *     impossible
     * @param movesInto the transposed matrix {@code moves}
     * @param emissions a row for each symbol
     */
    public static Optional<SequenceBlock> of(
            double minSum, double[] start, double[] moves, double[] movesInto, double... emissions) {
        return LaneSteps.VECTORS
                .filter(steps -> start.length <= MAX_STATES && emissions.length <= MAX_ENTRIES)
                .map(steps -> new SequenceBlock(steps, minSum, start, moves, movesInto, emissions));
    }

    /** Returns the maximum number of bytes for blocks of a model. */
    public static long bytes(int states, int longest) {
        // the second table is for the counts of emissions
        long tables = 2 * Math.min(MAX_ENTRIES, (long) LANES * longest * states);
        return LaneSteps.VECTORS.isEmpty() || states > MAX_STATES
                ? 0
                : Double.BYTES * (tables + (long) LANES * states * states);
    }

    /** Returns the maximum number of sequences in a block. */
    public int lanes() {
        return LANES;
    }

    /** Whether a block of sequences fits in the table and takes less time than its sequences would separately. */
    public boolean suits(int[]... block) {
        long all = 0;
        long most = 0;
        for (int[] sequence : block) {
            all += sequence.length;
            most = Math.max(most, sequence.length);
        }
        return most * LANES <= 2 * all && most * LANES * states <= MAX_ENTRIES;
    }

    /** Computes the expected counts of a block that {@link #suits}. */
    public void count(int[]... block) {
        sequences = block;
        longest = Arrays.stream(block).mapToInt(each -> each.length).max().orElse(0);
        if (f.length < longest * states * LANES) {
            f = new double[longest * states * LANES];
            sums = new double[longest * LANES];
        }
        Arrays.fill(impossible, false);
        Arrays.fill(moveCounts, 0);
        Arrays.fill(startCounts, 0);
        forward();
        backward();
    }

    /** Whether the sequence in a lane is possible. The other results are defined only for such a sequence. */
    public boolean isPossible(int lane) {
        return !impossible[lane];
    }

    /** Returns the sums of all steps of a sequence, the product of which is its probability. */
    public double[] sums(int lane) {
        double[] itsSums = new double[sequences[lane].length];
        copy(sums, lane, itsSums);
        return itsSums;
    }

    public void copyStarts(int lane, double... to) {
        copy(startCounts, lane, to);
    }

    public void copyMoves(int lane, double... to) {
        copy(moveCounts, lane, to);
    }

    private void copy(double[] from, int lane, double... to) {
        for (int i = 0; i < to.length; i++) {
            to[i] = from[i * LANES + lane];
        }
    }

    /**
     * Returns the counts of a symbol, and removes them; null if the symbol is not in the sequence, or its counts have
     * already been removed.
     */
    public double[] takeEmissions(int lane, int symbol) {
        double[] counts = emissionCounts[lane][symbol];
        emissionCounts[lane][symbol] = null;
        return counts;
    }

    private void forward() {
        double[] row = new double[states * LANES];
        double[] sum = new double[LANES];
        for (int i = 0; i < row.length; i++) {
            row[i] = start[i / LANES];
        }
        for (int t = 0; t < longest; t++) {
            fillFactors(t);
            steps.scale(row, factors, sum);
            check(t, sum);
            System.arraycopy(sum, 0, sums, t * LANES, LANES);
            int from = t * row.length;
            steps.divide(row, sum, f, from);
            multiply(f, from, moves, row);
        }
    }

    private void backward() {
        double[] r = new double[states * LANES];
        double[] c = new double[states * LANES];
        double[] w = new double[states * LANES];
        double[] p = startCounts;
        double[] both = new double[LANES];
        double[] all = new double[LANES];
        for (int t = longest - 1; t >= 0; t--) {
            multiply(c, 0, movesInto, r);
            begin(t, r);
            int from = t * r.length;
            steps.sum(f, from, r, both, all);
            check(t, both);
            check(t, all);
            steps.weigh(f, from, both, r, w, p);
            steps.addProducts(w, c, moveCounts);
            addEmissions(t, p);
            fillFactors(t);
            steps.rescale(factors, r, all, c);
        }
    }

    private void multiply(double[] rows, int from, double[] matrix, double[] product) {
        cancellation.count((long) product.length * states);
        steps.multiply(rows, from, matrix, product);
    }

    private boolean hasStep(int lane, int t) {
        return lane < sequences.length && t < sequences[lane].length;
    }

    /** Writes the emissions of a step. */
    private void fillFactors(int t) {
        for (int lane = 0; lane < LANES; lane++) {
            if (hasStep(lane, t)) {
                int from = sequences[lane][t] * states;
                for (int i = 0; i < states; i++) {
                    factors[i * LANES + lane] = emissions[from + i];
                }
            } else {
                for (int at = lane; at < factors.length; at += LANES) {
                    factors[at] = 0;
                }
            }
        }
    }

    /**
     * Checks the sums of a step, and replaces those of sequences without this step and of impossible sequences with 1.
     */
    private void check(int t, double... sum) {
        for (int lane = 0; lane < LANES; lane++) {
            boolean hasStep = hasStep(lane, t);
            if (!hasStep || !(sum[lane] >= minSum)) {
                impossible[lane] |= hasStep;
                sum[lane] = 1;
            }
        }
    }

    /** Sets the entries of the sequences whose last step is {@code t} to 1. */
    private void begin(int t, double... r) {
        for (int lane = 0; lane < sequences.length; lane++) {
            if (t == sequences[lane].length - 1) {
                for (int at = lane; at < r.length; at += LANES) {
                    r[at] = 1;
                }
            }
        }
    }

    private void addEmissions(int t, double... p) {
        for (int lane = 0; lane < sequences.length; lane++) {
            if (hasStep(lane, t)) {
                int symbol = sequences[lane][t];
                double[] counts = emissionCounts[lane][symbol];
                if (counts == null) {
                    counts = new double[states];
                    emissionCounts[lane][symbol] = counts;
                }
                for (int i = 0; i < states; i++) {
                    counts[i] += p[i * LANES + lane];
                }
            }
        }
    }
}
