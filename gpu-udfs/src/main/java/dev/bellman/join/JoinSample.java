package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import dev.bellman.join.sort.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A sample of the strings, small enough that processing its keys takes only a few hundredths of a second. Strings with
 * many rows are always in the sample.
 *
 * @param weights the reciprocal of each string's sampling probability
 * @param share the sampling probability of strings without many rows
 */
record JoinSample(Strings strings, double[] weights, double share) {
    /**
     * The maximum number of keys of a sample. Unless there are few keys, a sample is also limited to a fraction of all
     * keys.
     */
    private static final double MAX_KEYS = 2e6;

    private static final double SHARE_OF_KEYS = 0.125;
    private static final double FEW_KEYS = 2e5;
    private static final int MAX_STRINGS = 1 << 14;
    private static final int HEAVIEST = 256;
    /**
     * The maximum number of initial characters that determine a key's slice; this limit ensures that enough other
     * characters remain.
     */
    private static final int MAX_BEGINNING = 12;

    /**
     * How many times finer the longer prefix divides the strings. For 16 parts of random strings of four letters, the
     * largest part has 5% more strings than the average, instead of 22%.
     */
    private static final int FINER = 8;

    /**
     * Draws a sample of the given strings.
     *
     * @param keys the total number of keys that a method generates, at least one per string
     */
    static JoinSample of(Strings strings, double keys) {
        int count = strings.count();
        double maxKeys = Math.max(FEW_KEYS, Math.min(MAX_KEYS, keys * SHARE_OF_KEYS));
        return ofStrings(strings, Math.min(MAX_STRINGS, maxKeys * count / keys));
    }

    /** Draws a sample of about {@code most} strings, not counting strings with many rows. */
    static JoinSample ofStrings(Strings strings, double most) {
        int count = strings.count();
        double share = Math.min(1, most / count);
        List<StringBlock> blocks = strings.blocks();
        long heavy = share < 1 ? heavy(blocks, (int) Math.max(1, Math.min(HEAVIEST, most))) : 0;
        long[][] chosen = new long[blocks.size()][];
        Workers.firstAlone(
                chosen.length,
                block -> chosen[block] = IntStream.range(0, blocks.get(block).count())
                        .filter(index -> isChosen(blocks.get(block), index, share, heavy))
                        .mapToLong(index -> (long) block << 32 | index)
                        .toArray());
        Strings sample = strings.subset(
                Arrays.stream(chosen).flatMapToLong(Arrays::stream).toArray());
        double[] weights = IntStream.range(0, sample.count())
                .mapToDouble(id -> sample.left(id) + sample.right(id) >= heavy ? 1 : 1 / share)
                .toArray();
        return new JoinSample(sample, weights, share);
    }

    private static boolean isChosen(StringBlock block, int index, double share, long heavy) {
        return block.left(index) + block.right(index) >= heavy || (block.hash(index) >>> 11) * 0x1p-53 < share;
    }

    /** Returns the smallest power of 2 such that at most {@code most} strings have at least that many rows. */
    private static long heavy(List<StringBlock> blocks, int most) {
        int[][] reach = new int[blocks.size()][];
        Workers.firstAlone(
                reach.length, block -> reach[block] = blocks.get(block).rowsReach());
        int power = 0;
        while (true) {
            long strings = 0;
            for (int[] ofBlock : reach) {
                strings += ofBlock[power];
            }
            if (strings <= most) {
                return 1L << power;
            }
            power++;
        }
    }

    /**
     * Returns a prefix length like {@link #beginning}, or one of up to two more characters if it makes the parts more
     * equal. Each part is a task, and the slowest task determines the time of the join.
     */
    int fineBeginning(int parts) {
        int coarse = beginning(parts);
        int fine = beginning(FINER * parts);
        return fine <= coarse + 2L ? fine : coarse;
    }

    /**
     * Returns the minimum prefix length that yields parts of about equal size. If too many strings have the same
     * beginning, returns {@link Integer#MAX_VALUE}, which stands for the whole key.
     */
    int beginning(int parts) {
        int[] characters = new int[strings.longest()];
        long[] hashes = new long[strings.count()];
        int fair = 1;
        for (int length = 1; length <= MAX_BEGINNING; length++) {
            int first = strings.first(Math.min(length, strings.longest() + 1));
            for (int id = first; id < strings.count(); id++) {
                strings.characters(id, characters);
                hashes[id] = Hash.mix(hashes[id] + strings.group(id)) + characters[length - 1];
            }
            int most = longestRun(Arrays.copyOfRange(hashes, first, strings.count()));
            if (most <= 1 || 4.0 * most * parts <= strings.count()) {
                return length;
            }
            fair = (double) most * parts <= strings.count() ? length : Integer.MAX_VALUE;
        }
        return fair;
    }

    private static int longestRun(long[] hashes) {
        Arrays.sort(hashes);
        int most = 0;
        int start = 0;
        for (int i = 0; i < hashes.length; i++) {
            start = hashes[i] == hashes[start] ? start : i;
            most = Math.max(most, i - start + 1);
        }
        return most;
    }

    /** Returns the fraction of characters that differ from the next character. */
    double differentNeighbours() {
        int[] characters = new int[strings.longest()];
        long different = 0;
        long all = 0;
        for (int id = 0; id < strings.count(); id++) {
            strings.characters(id, characters);
            for (int i = 1; i < strings.length(id); i++) {
                different += characters[i - 1] == characters[i] ? 0 : 1;
                all++;
            }
        }
        return (different + 1.0) / (all + 1.0);
    }

    /** Estimates, among the pairs whose lengths are compatible, the fraction whose signatures are similar enough. */
    double similar(Limits limits) {
        int step = Math.max(1, strings.count() / 1_000);
        long looked = 0;
        long passed = 0;
        for (int x = 0; x < strings.count(); x += step) {
            for (int y = x % step; y < strings.count(); y += step) {
                int apart = limits.apart(strings.length(x), strings.length(y));
                if (apart >= 0) {
                    looked++;
                    passed += strings.mayBeApart(x, y, apart) ? 1 : 0;
                }
            }
        }
        return (passed + 1.0) / (looked + 1.0);
    }
}
