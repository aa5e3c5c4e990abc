package dev.bellman.join;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Estimates from a sample of the strings which method is fastest and how many pairs to expect.
 *
 * <p>Strings are sampled with a probability such that their keys take a few hundredths of a second in all; strings with the most rows are always in
 * the sample. Each pair of the sample is weighted according to its strings' probabilities.
 */
public final class JoinEstimate {
    /** With fewer comparisons, every pair is compared. */
    private static final double FEW_COMPARISONS = 2e6;

    /** Fewer strings are not worth the transfer to the GPU. */
    private static final int FEWEST_ON_GPU = 4_000;

    private static final double SAMPLE_KEYS = 3e6;
    private static final int LARGEST_SAMPLE = 1 << 14;
    private static final int HEAVIEST = 256;
    /** A sample with more candidates is abandoned: its method is slow. */
    private static final long MOST_CANDIDATES = 20_000_000;

    private static final double NANOSECONDS_A_KEY = 14;
    private static final double NANOSECONDS_A_CANDIDATE = 15;
    private static final double NANOSECONDS_A_VERIFICATION = 100;
    private static final double NANOSECONDS_A_COMPARISON = 4;
    /** A part that takes less than this is not worth a task. */
    private static final double SHORTEST_PART = 5e6;

    private static final int BYTES_A_KEY = 5 * Long.BYTES;
    private static final int FEWEST_KEYS = 1 << 12;
    private static final int MOST_KEYS = 1 << 27;

    private final Strings strings;
    private final int k;
    private final int tasks;
    private final int mostKeys;
    private final boolean gpu;
    private final Runnable checkpoint;

    /**
     * @param tasks how many tasks run concurrently
     * @param taskBytes the memory of each
     * @param gpu whether a GPU may be used
     */
    public JoinEstimate(Strings strings, int k, int tasks, long taskBytes, boolean gpu, Runnable checkpoint) {
        this.strings = strings;
        this.k = k;
        this.tasks = tasks;
        this.gpu = gpu;
        this.checkpoint = checkpoint;
        mostKeys = (int) Math.max(FEWEST_KEYS, Math.min(MOST_KEYS, taskBytes / BYTES_A_KEY));
    }

    /** The expected cost and result of a method. */
    private record Cost(JoinMethod method, double keys, double nanoseconds, double stringPairs, double rowPairs) {}

    /** The plan of a join by a given method, or by the fastest one. */
    public JoinPlan plan(JoinMethod method) {
        boolean mayDelete = method == JoinMethod.AUTO || method == JoinMethod.DELETION;
        double same = IntStream.range(0, strings.count())
                .mapToDouble(id -> (double) strings.left(id) * strings.right(id))
                .sum();
        if (gpu && mayDelete && strings.count() >= FEWEST_ON_GPU && DeletionSearchOnGpu.serves(strings, k)) {
            return onGpu(same);
        }
        double comparisons = k < 1 ? 0 : PlainSearch.comparisons(strings, k);
        if (comparisons <= FEW_COMPARISONS) {
            Cost all = search(strings, new PlainSearch(strings, k, 0, 1, checkpoint), null, 1, JoinMethod.PLAIN);
            JoinMethod chosen = method == JoinMethod.AUTO ? JoinMethod.PLAIN : method;
            double keys = keys(chosen);
            return plan(new Cost(chosen, keys, NANOSECONDS_A_KEY * keys, all.stringPairs(), all.rowPairs()), same);
        }
        Sample sample = sample();
        Cost plain = plain(sample, comparisons);
        Cost deletion = keyed(sample, JoinMethod.DELETION);
        Cost segments = keyed(sample, JoinMethod.SEGMENTS);
        Cost best =
                switch (method) {
                    case PLAIN -> plain;
                    case DELETION -> deletion;
                    case SEGMENTS -> segments;
                    case AUTO -> cheaper(cheaper(deletion, segments), plain);
                };
        // an abandoned method found only some pairs
        double stringPairs = Math.max(best.stringPairs(), Math.max(deletion.stringPairs(), segments.stringPairs()));
        double rowPairs = Math.max(best.rowPairs(), Math.max(deletion.rowPairs(), segments.rowPairs()));
        return plan(new Cost(best.method(), best.keys(), best.nanoseconds(), stringPairs, rowPairs), same);
    }

    /** Deletion, in as many parts as the GPU's memory requires. */
    private JoinPlan onGpu(double same) {
        Cost cost = keyed(sample(), JoinMethod.DELETION);
        double keys = IntStream.range(0, strings.count())
                .mapToDouble(id -> DeletionKeys.most(strings.length(id), k))
                .sum();
        double wanted = Math.max(keys / DeletionSearchOnGpu.mostKeys(), cost.stringPairs() / MOST_KEYS);
        int parts = 1;
        while (parts < wanted) {
            parts *= 2;
        }
        return new JoinPlan(
                k,
                JoinMethod.DELETION,
                true,
                parts,
                mostKeys,
                strings.count(),
                keys,
                cost.stringPairs(),
                cost.rowPairs() + same);
    }

    private static Cost cheaper(Cost one, Cost other) {
        return one.nanoseconds() <= other.nanoseconds() ? one : other;
    }

    private JoinPlan plan(Cost cost, double same) {
        double wanted = Math.max(Math.min(tasks, cost.nanoseconds() / SHORTEST_PART), 1.2 * cost.keys() / mostKeys);
        int parts = Math.max(1, (int) Math.min(1 << 20, Math.ceil(wanted)));
        if (cost.method() != JoinMethod.PLAIN && Integer.bitCount(parts) != 1) {
            parts = Integer.highestOneBit(parts) << 1;
        }
        return new JoinPlan(
                k,
                cost.method(),
                false,
                parts,
                mostKeys,
                strings.count(),
                cost.keys(),
                cost.stringPairs(),
                cost.rowPairs() + same);
    }

    /** An upper bound on the keys: equal neighbours make fewer. */
    private double keys(JoinMethod method) {
        if (method == JoinMethod.PLAIN) {
            return 0;
        }
        int deletionUpTo = JoinPlan.deletionUpTo(method, k);
        double keys = 0;
        for (int id = 0; id < strings.count(); id++) {
            int length = strings.length(id);
            keys += length <= deletionUpTo ? DeletionKeys.most(length, k) : SegmentKeys.most(k);
        }
        return keys;
    }

    private record Sample(Strings strings, double[] weights, double share) {}

    private Sample sample() {
        int count = strings.count();
        double keysEach = Math.max(keys(JoinMethod.DELETION), keys(JoinMethod.SEGMENTS)) / count;
        double share = Math.min(1, Math.min(LARGEST_SAMPLE, SAMPLE_KEYS / keysEach) / count);
        boolean[] heaviest = new boolean[count];
        if (share < 1) {
            long[] rows = IntStream.range(0, count)
                    .mapToLong(id -> strings.left(id) + strings.right(id))
                    .toArray();
            long[] sorted = rows.clone();
            Arrays.sort(sorted);
            long heavy = Math.max(sorted[Math.max(0, count - HEAVIEST)], 2 * sorted[count / 2] + 1);
            for (int id = 0; id < count; id++) {
                heaviest[id] = rows[id] >= heavy;
            }
        }
        int[] ids = IntStream.range(0, count)
                .filter(id -> heaviest[id] || (Hash.mix(id) >>> 11) * 0x1p-53 < share)
                .toArray();
        // the same order by length, hash and bytes as for all strings
        double[] weights = Arrays.stream(ids)
                .mapToDouble(id -> heaviest[id] ? 1 : 1 / share)
                .toArray();
        return new Sample(strings.subset(ids), weights, share);
    }

    private Cost plain(Sample sample, double comparisons) {
        int count = sample.strings().count();
        int step = Math.max(1, count / 1_000);
        long looked = 0;
        long passed = 0;
        for (int x = 0; x < count; x += step) {
            for (int y = x % step; y < count; y += step) {
                if (Math.abs(sample.strings().length(x) - sample.strings().length(y)) <= k) {
                    looked++;
                    passed += sample.strings().mayBeWithin(x, y, k) ? 1 : 0;
                }
            }
        }
        double rate = (passed + 1.0) / (looked + 1.0);
        return new Cost(
                JoinMethod.PLAIN,
                0,
                comparisons * (NANOSECONDS_A_COMPARISON + rate * NANOSECONDS_A_VERIFICATION),
                0,
                0);
    }

    private Cost keyed(Sample sample, JoinMethod method) {
        SliceSearch search = new SliceSearch(
                sample.strings(), k, JoinPlan.deletionUpTo(method, k), 0, 0, 4 * FEWEST_KEYS + mostKeys, checkpoint);
        return search(sample.strings(), search, sample.weights(), sample.share(), method);
    }

    private Cost search(Strings of, PairSearch search, double[] weights, double share, JoinMethod method) {
        double stringPairs = 0;
        double rowPairs = 0;
        while (search.counts().candidates() < MOST_CANDIDATES && search.advance()) {
            for (int i = 0; i < search.count(); i++) {
                int x = search.first(i);
                int y = search.second(i);
                double weight = weights == null ? 1 : weights[x] * weights[y];
                stringPairs += weight;
                rowPairs += weight * ((double) of.left(x) * of.right(y) + (double) of.left(y) * of.right(x));
            }
        }
        SearchCounts counts = search.counts();
        boolean givenUp = counts.candidates() >= MOST_CANDIDATES;
        double nanoseconds = counts.keys() * NANOSECONDS_A_KEY / share
                + counts.candidates() * NANOSECONDS_A_CANDIDATE / (share * share)
                + counts.verified() * NANOSECONDS_A_VERIFICATION / (share * share);
        return new Cost(method, counts.keys() / share, givenUp ? 4 * nanoseconds : nanoseconds, stringPairs, rowPairs);
    }
}
