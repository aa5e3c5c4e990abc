package dev.bellman.markov;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The likelihood of a sequenced read given a haplotype, computed with the pair hidden Markov model of GATK's
 * HaplotypeCaller ({@code LoglessPairHMM}). See R. Poplin et al., "Scaling accurate genetic variant discovery to tens
 * of thousands of samples" (2017); R. Durbin et al., "Biological Sequence Analysis" (1998), chapter 4.
 *
 * <pre>{@code
 * m(0, j) = i(0, j) = 0, d(0, j) = 1 / haplotype length; m(i, 0) = i(i, 0) = d(i, 0) = 0 for i > 0
 * m(i, j) = emission(i, j) * (stay(i) * m(i - 1, j - 1) + close(i) * (i(i - 1, j - 1) + d(i - 1, j - 1)))
 * i(i, j) = extend(i) * i(i - 1, j) + insert(i) * m(i - 1, j)
 * d(i, j) = extend(i) * d(i, j - 1) + delete(i) * m(i, j - 1)
 * }</pre>
 *
 * <p>Here, {@code m(i, j)}, {@code i(i, j)} and {@code d(i, j)} are the probabilities of the alignments of the first i
 * bases of the read and the first j bases of the haplotype that end in two paired bases, an insertion and a deletion.
 * The likelihood is the sum of {@code m + i} over the last row, from left to right. In each sum, the first product and
 * the addition are rounded together, only once ({@code fma}).
 *
 * <p>As in GATK, all numbers are first stored as floats, times a power of two. If the sum is too small to be
 * precise, or too large, the table is computed again. Its numbers are then stored as {@link Wide}, or as doubles times
 * a power of two if these give bit-for-bit the same result.
 */
public final class PairHmm {
    /** Both strategies return bit-for-bit the same results. */
    public enum Strategy {
        /**
         * For likelihoods that are too small or too large for floats, uses doubles if all numbers fit, which is the
         * case for reads of up to about 500 bases with typical qualities, and otherwise works like {@link #SERIAL}.
         */
        AUTO,
        /** For likelihoods that are too small or too large for floats, uses numbers with unlimited exponents. */
        SERIAL
    }

    /** The exponent of the power of two by which floats are multiplied. */
    static final int FLOAT_SCALE = 120;

    /** The smallest scaled sum of floats that is precise, as in GATK. */
    static final float LEAST_SUM = 1e-28f;

    /** The exponent of the power of two by which doubles are multiplied. */
    static final int SCALE = 960;

    /**
     * The smallest binary logarithm of a number that is stored as a double. {@link #MAX_LOG} is the largest; both have
     * a margin for rounding.
     */
    private static final int MIN_LOG = -1_000;

    private static final int MAX_LOG = 1_000;

    private static final double LOG_2 = StrictMath.log(2);
    private static final double LOG_10 = StrictMath.log(10);

    private static final int ROWS = 7;
    private static final int WIDE_ROWS = 4;
    private static final int BYTES_OF_A_WIDE = 40;

    private final PairHmmRead read;
    private final byte[] haplotype;
    private final Cancellation cancellation = new Cancellation();

    private PairHmm(PairHmmRead read, byte... haplotype) {
        this.read = read;
        this.haplotype = haplotype;
    }

    /**
     * Returns the base-10 logarithm of the likelihood, or -Infinity if the likelihood is 0.
     *
     * @param haplotype in uppercase
     */
    static double log10(PairHmmRead read, byte[] haplotype, Strategy strategy) {
        PairHmm model = new PairHmm(read, haplotype);
        float sum = model.single();
        if (sum >= LEAST_SUM && sum < Float.POSITIVE_INFINITY) {
            return Wide.of(sum, -FLOAT_SCALE).log() / LOG_10;
        }
        boolean isNarrow = strategy == Strategy.AUTO && isNarrow(read, haplotype.length);
        return (isNarrow ? model.narrow() : model.wide()).log() / LOG_10;
    }

    /**
     * Whether all numbers other than 0 are in the range of doubles. The smallest numbers are at the lower left, where
     * an insertion began at the second base. Every other number is at least that of an alignment with such an
     * insertion, followed by one match and one deletion.
     */
    static boolean isNarrow(PairHmmRead read, int haplotypeLength) {
        double insert = 1;
        double delete = 1;
        double emission = 1;
        double stay = 1;
        double close = 1;
        double extend = 1;
        double extensions = 0;
        for (int i = 0; i < read.length(); i++) {
            insert = Math.min(insert, read.insert()[i]);
            delete = Math.min(delete, read.delete()[i]);
            emission = Math.min(emission, Math.min(read.match()[i], read.mismatch()[i]));
            stay = Math.min(stay, read.stay()[i]);
            close = Math.min(close, read.close()[i]);
            extend = Math.min(extend, read.extend()[i]);
            extensions += log2(read.extend()[i]);
        }
        double lowest = extensions
                + log2(extend)
                + log2(insert)
                + 2 * log2(Math.min(insert, delete))
                + 2 * log2(emission)
                + log2(stay)
                + 2 * log2(close);
        double length = log2(haplotypeLength);
        return lowest - length + SCALE > MIN_LOG && log2(highest(read)) + SCALE + 1 < MAX_LOG;
    }

    /** Returns an upper bound on all numbers of the table, as a multiple of the numbers in its first row. */
    private static double highest(PairHmmRead read) {
        double match = 0;
        double insertion = 0;
        double deletion = 1;
        double highest = 1;
        for (int i = 0; i < read.length(); i++) {
            double before = match;
            match = read.stay()[i] * match + read.close()[i] * (insertion + deletion);
            insertion = read.extend()[i] * insertion + read.insert()[i] * before;
            deletion = read.delete()[i] * match / read.close()[i];
            highest = Math.max(highest, Math.max(match + insertion, deletion));
        }
        return highest;
    }

    private static double log2(double x) {
        return StrictMath.log(x) / LOG_2;
    }

    private void take(int bytes) {
        TaskMemory.take((long) bytes * (haplotype.length + 1), () -> "the rows of a haplotype of %,d bases"
                .formatted(haplotype.length));
    }

    /** Returns the scaled likelihood, computed with floats. */
    private float single() {
        take(ROWS * Float.BYTES);
        int n = haplotype.length;
        float[] match = new float[n + 1];
        float[] insertion = new float[n + 1];
        float[] deletion = new float[n + 1];
        Arrays.fill(deletion, Math.scalb(1f / n, FLOAT_SCALE));
        float[] emission = new float[n + 1];
        float[] nextMatch = new float[n + 1];
        float[] nextInsertion = new float[n + 1];
        float[] nextDeletion = new float[n + 1];
        for (int i = 0; i < read.length(); i++) {
            cancellation.count(n);
            emissions(i, emission);
            float stay = (float) read.stay()[i];
            float close = (float) read.close()[i];
            float extend = (float) read.extend()[i];
            float insert = (float) read.insert()[i];
            float delete = (float) read.delete()[i];
            for (int j = 1; j <= n; j++) {
                float gap = close * (insertion[j - 1] + deletion[j - 1]);
                nextMatch[j] = emission[j] * Math.fma(stay, match[j - 1], gap);
                nextInsertion[j] = Math.fma(extend, insertion[j], insert * match[j]);
            }
            float last = 0;
            nextDeletion[0] = 0;
            for (int j = 1; j <= n; j++) {
                last = Math.fma(extend, last, delete * nextMatch[j - 1]);
                nextDeletion[j] = last;
            }
            float[] free = match;
            match = nextMatch;
            nextMatch = free;
            free = insertion;
            insertion = nextInsertion;
            nextInsertion = free;
            free = deletion;
            deletion = nextDeletion;
            nextDeletion = free;
        }
        float sum = 0;
        for (int j = 1; j <= n; j++) {
            sum += match[j] + insertion[j];
        }
        return sum;
    }

    private Wide narrow() {
        take(ROWS * Double.BYTES);
        int n = haplotype.length;
        double[] match = new double[n + 1];
        double[] insertion = new double[n + 1];
        double[] deletion = new double[n + 1];
        Arrays.fill(deletion, Math.scalb(1.0 / n, SCALE));
        double[] emission = new double[n + 1];
        double[] nextMatch = new double[n + 1];
        double[] nextInsertion = new double[n + 1];
        double[] nextDeletion = new double[n + 1];
        for (int i = 0; i < read.length(); i++) {
            cancellation.count(n);
            emissions(i, emission);
            double stay = read.stay()[i];
            double close = read.close()[i];
            double extend = read.extend()[i];
            double insert = read.insert()[i];
            double delete = read.delete()[i];
            for (int j = 1; j <= n; j++) {
                double gap = close * (insertion[j - 1] + deletion[j - 1]);
                nextMatch[j] = emission[j] * Math.fma(stay, match[j - 1], gap);
                nextInsertion[j] = Math.fma(extend, insertion[j], insert * match[j]);
            }
            double last = 0;
            nextDeletion[0] = 0;
            for (int j = 1; j <= n; j++) {
                last = Math.fma(extend, last, delete * nextMatch[j - 1]);
                nextDeletion[j] = last;
            }
            double[] free = match;
            match = nextMatch;
            nextMatch = free;
            free = insertion;
            insertion = nextInsertion;
            nextInsertion = free;
            free = deletion;
            deletion = nextDeletion;
            nextDeletion = free;
        }
        double sum = 0;
        for (int j = 1; j <= n; j++) {
            sum += match[j] + insertion[j];
        }
        return Wide.of(sum, -SCALE);
    }

    private boolean matches(int i, int j) {
        byte base = read.bases()[i];
        byte other = haplotype[j];
        return base == other || base == PairHmmRead.ANY || other == PairHmmRead.ANY;
    }

    private void emissions(int i, float... emission) {
        byte base = read.bases()[i];
        float match = (float) read.match()[i];
        float mismatch = base == PairHmmRead.ANY ? match : (float) read.mismatch()[i];
        for (int j = 0; j < haplotype.length; j++) {
            byte other = haplotype[j];
            emission[j + 1] = base == other | other == PairHmmRead.ANY ? match : mismatch;
        }
    }

    private void emissions(int i, double... emission) {
        byte base = read.bases()[i];
        double match = read.match()[i];
        double mismatch = base == PairHmmRead.ANY ? match : read.mismatch()[i];
        for (int j = 0; j < haplotype.length; j++) {
            byte other = haplotype[j];
            emission[j + 1] = base == other | other == PairHmmRead.ANY ? match : mismatch;
        }
    }

    private Wide wide() {
        take(WIDE_ROWS * BYTES_OF_A_WIDE);
        int n = haplotype.length;
        Wide[] match = new Wide[n + 1];
        Wide[] insertion = new Wide[n + 1];
        Wide[] deletion = new Wide[n + 1];
        Arrays.fill(match, Wide.ZERO);
        Arrays.fill(insertion, Wide.ZERO);
        Arrays.fill(deletion, Wide.of(1.0 / n));
        for (int i = 0; i < read.length(); i++) {
            cancellation.count(16L * n);
            Wide stay = Wide.of(read.stay()[i]);
            Wide close = Wide.of(read.close()[i]);
            Wide extend = Wide.of(read.extend()[i]);
            Wide insert = Wide.of(read.insert()[i]);
            Wide delete = Wide.of(read.delete()[i]);
            Wide isMatch = Wide.of(read.match()[i]);
            Wide isMismatch = Wide.of(read.mismatch()[i]);
            Wide diagonal = match[0];
            Wide gap = insertion[0].plus(deletion[0]);
            match[0] = Wide.ZERO;
            deletion[0] = Wide.ZERO;
            for (int j = 1; j <= n; j++) {
                Wide before = match[j];
                Wide gapBefore = insertion[j].plus(deletion[j]);
                match[j] = (matches(i, j - 1) ? isMatch : isMismatch).times(stay.fma(diagonal, close.times(gap)));
                insertion[j] = extend.fma(insertion[j], insert.times(before));
                deletion[j] = extend.fma(deletion[j - 1], delete.times(match[j - 1]));
                diagonal = before;
                gap = gapBefore;
            }
        }
        Wide sum = Wide.ZERO;
        for (int j = 1; j <= n; j++) {
            sum = sum.plus(match[j].plus(insertion[j]));
        }
        return sum;
    }
}
