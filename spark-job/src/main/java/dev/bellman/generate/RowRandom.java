package dev.bellman.generate;

/**
 * SplitMix64 (Steele, Lea and Flood 2014), started anew for each row from the seed and the row's number. Numbers derived from it
 * use {@link StrictMath}, so that they are the same on every machine.
 */
final class RowRandom {
    private static final long GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15L;

    private final long seed;
    private long state;

    RowRandom(long seed) {
        this.seed = mix(seed + GOLDEN_GAMMA);
    }

    void startRow(long row) {
        // without the outer mix, the numbers of a row would be those of the row before, shifted
        state = mix(mix(row) + seed);
    }

    long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** A number from 0 to {@code bound - 1}; its bias is at most {@code bound / 2^32} (Lemire 2019, without the rejection). */
    int below(int bound) {
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /** A number at least 0 and below 1. */
    double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** A number of the standard normal distribution (Box and Muller 1958). */
    double nextGaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * nextDouble());
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }
}
