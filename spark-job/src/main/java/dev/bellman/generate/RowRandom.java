package dev.bellman.generate;

import java.util.SplittableRandom;

/**
 * Random numbers for rows. {@link #startRow} starts a {@link SplittableRandom} whose seed is a hash of the dataset's
 * seed and the row's number. All values are derived from its 64-bit numbers with {@link StrictMath}, so that rows are
 * the same on every machine and every JDK.
 */
final class RowRandom {
    private final long seed;
    private SplittableRandom random;

    RowRandom(long seed) {
        this.seed = hash(seed);
    }

    void startRow(long row) {
        // hash the row's number first, because otherwise the states of adjacent rows could differ by one step of the
        // generator
        random = new SplittableRandom(hash(hash(row) + seed));
    }

    long nextLong() {
        return random.nextLong();
    }

    /**
     * Returns a number from 0 to {@code bound - 1}, with a bias of at most {@code bound / 2^32} (Lemire 2019, without
     * rejection).
     */
    int below(int bound) {
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Returns a number from the standard normal distribution (Box and Muller 1958). */
    double nextGaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * nextDouble());
    }

    private static long hash(long value) {
        return new SplittableRandom(value).nextLong();
    }
}
