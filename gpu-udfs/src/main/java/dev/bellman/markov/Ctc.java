package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Aligns tokens with the frames of a recording, after Graves, Fernández, Gomez and Schmidhuber, "Connectionist temporal
 * classification: labelling unsegmented sequence data with recurrent neural networks" (2006).
 *
 * <pre>{@code
 * a(t, s) = (a(t - 1, s) + a(t - 1, s - 1) + a(t - 1, s - 2)) * probability(t, s)
 * }</pre>
 *
 * <p>Here, {@code a(t, s)} is the total probability of all paths up to frame {@code t} that end at the position {@code
 * s}, as defined in {@link CtcFrames}. The third term is omitted where a path must not skip a position. To find an
 * alignment instead, sums are replaced with maxima, and logarithms are used.
 */
public final class Ctc {
    /** Both strategies return bit-for-bit the same results. */
    public enum Strategy {
        /**
         * Omits the positions before {@link CtcFrames#first} and after {@link CtcFrames#last}, which are on no path.
         */
        AUTO,
        /** Computes all positions of all frames. */
        SERIAL
    }

    private static final int MAX_CELLS = Integer.MAX_VALUE - 8;
    private static final int BYTES_OF_A_WIDE = 40;

    private final CtcFrames frames;
    private final Strategy strategy;
    private final Cancellation cancellation = new Cancellation();

    private Ctc(CtcFrames frames, Strategy strategy) {
        this.frames = frames;
        this.strategy = strategy;
    }

    /** @param positions the position of each frame */
    record Path(double score, int... positions) {}

    /** Returns the best path, or null if no path has a positive probability. */
    static Path best(CtcFrames frames, Strategy strategy) {
        return new Ctc(frames, strategy).best();
    }

    /** Returns the logarithm of the total probability of all paths. */
    static double logProbability(CtcFrames frames, Strategy strategy) {
        return new Ctc(frames, strategy).logProbability();
    }

    private int first(int frame) {
        return strategy == Strategy.AUTO ? frames.first(frame) : 0;
    }

    private int last(int frame) {
        return strategy == Strategy.AUTO ? frames.last(frame) : frames.positions() - 1;
    }

    private Path best() {
        int positions = frames.positions();
        byte[] moves = moves();
        double[] row = new double[positions];
        Arrays.fill(row, Double.NEGATIVE_INFINITY);
        for (int t = 0; t < frames.count(); t++) {
            cancellation.count(positions);
            // positions are processed in descending order, because each one overwrites its value for the previous frame
            for (int s = last(t); s >= first(t); s--) {
                double best = t == 0 ? s < 2 ? 0 : Double.NEGATIVE_INFINITY : row[s];
                int move = 0;
                if (t > 0 && s > 0 && row[s - 1] > best) {
                    best = row[s - 1];
                    move = 1;
                }
                if (t > 0 && frames.maySkip(s) && row[s - 2] > best) {
                    best = row[s - 2];
                    move = 2;
                }
                row[s] = best + log(t, s);
                moves[t * positions + s] = (byte) move;
            }
        }
        int end = positions > 1 && row[positions - 2] >= row[positions - 1] ? positions - 2 : positions - 1;
        double score = row[end];
        if (score == Double.NEGATIVE_INFINITY) {
            return null;
        }
        int[] path = new int[frames.count()];
        for (int t = path.length - 1; t >= 0; t--) {
            path[t] = end;
            end -= moves[t * positions + end];
        }
        return new Path(score, path);
    }

    private byte[] moves() {
        long cells = (long) frames.count() * frames.positions();
        if (cells > MAX_CELLS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: the table for %,d frames by %,d positions exceeds %,d cells, the limit for one row"
                            .formatted(frames.function(), frames.count(), frames.positions(), MAX_CELLS));
        }
        TaskMemory.take(
                cells, () -> "the table for %,d frames by %,d positions".formatted(frames.count(), frames.positions()));
        return new byte[(int) cells];
    }

    private double log(int frame, int position) {
        return frames.logs()[frame * frames.labels().length + frames.labelOf()[position]];
    }

    private double logProbability() {
        int positions = frames.positions();
        int labels = frames.labels().length;
        TaskMemory.take(
                (long) BYTES_OF_A_WIDE * (positions + labels), () -> "a row of %,d positions".formatted(positions));
        Wide[] row = new Wide[positions];
        Arrays.fill(row, Wide.ZERO);
        Wide[] probabilities = new Wide[labels];
        for (int t = 0; t < frames.count(); t++) {
            cancellation.count(4L * positions + labels);
            for (int k = 0; k < labels; k++) {
                probabilities[k] = Wide.exp(frames.logs()[t * labels + k]);
            }
            for (int s = last(t); s >= first(t); s--) {
                Wide sum = t == 0 ? s < 2 ? Wide.ONE : Wide.ZERO : row[s];
                if (t > 0 && s > 0) {
                    sum = sum.plus(row[s - 1]);
                }
                if (t > 0 && frames.maySkip(s)) {
                    sum = sum.plus(row[s - 2]);
                }
                row[s] = sum.times(probabilities[frames.labelOf()[s]]);
            }
        }
        Wide last = row[positions - 1];
        return (positions > 1 ? last.plus(row[positions - 2]) : last).log();
    }
}
