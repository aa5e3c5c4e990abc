package dev.bellman.join;

import dev.bellman.GpuSide;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Determines which method is likely to be fastest and how many pairs to expect.
 *
 * <p>A method's number of keys or comparisons follows from the lengths of the strings. The number of candidates can be
 * estimated only from a sample. Therefore, methods are tried on the sample in ascending order of their number of keys,
 * until generating the keys of the next method would take longer than the fastest method so far.
 *
 * <p>Each pair of the {@link JoinSample} is weighted according to its strings' sampling probabilities.
 */
public final class JoinEstimate {
    /** The time in which all strings can be compared such that {@code auto} tries only {@code plain}. */
    private static final double FEW_NANOSECONDS = 2e8;

    /** The minimum number of strings for which transferring them to the GPU is worthwhile. */
    private static final int MIN_GPU_ROWS = 4_000;

    /** The minimum number of pairs of strings, in both orders and with themselves, that justifies a separate task. */
    private static final double MIN_ROWS = 1 << 17;

    /** The number of candidates in the sample above which the estimate abandons a method as too slow. */
    private static final long MAX_CANDIDATES = 20_000_000;

    /** The two limits on the number of deletion keys per string that the estimate tries. */
    private static final double[] DELETION_KEYS = {1_500, 6_000};
    /** The average number of keys per string above which a method is never used. */
    private static final double MAX_KEYS_A_STRING = 20_000;

    /** The minimum length of a long run. A run consists of the strings in the sample that share a key. */
    private static final int LONG_RUN = 32;

    private static final double NANOSECONDS_A_KEY = 14;
    private static final double NANOSECONDS_A_CANDIDATE = 15;
    private static final double NANOSECONDS_A_COMPARISON = 4;
    /** The cost per string of determining whether the string has a hot key, or a key in a slice. */
    private static final double NANOSECONDS_A_STRING = 250;
    /** The minimum time, in nanoseconds, that a part must take to justify a separate task. */
    private static final double SHORTEST_PART = 5e6;

    private static final int BYTES_A_KEY = 5 * Long.BYTES;
    private static final int MIN_KEYS = 1 << 12;
    private static final int MAX_KEYS = 1 << 27;

    private final Strings strings;
    private final StringTotals totals;
    private final Passes passes;
    private final Limits limits;
    private final double nanosecondsAVerification;
    private final int tasks;
    private final int maxKeys;
    private final boolean gpu;
    private final boolean oneOrder;
    private final Runnable checkpoint;

    /**
     * @param strings the strings of the first pass
     * @param totals the totals of all strings
     * @param tasks the number of concurrent tasks
     * @param taskBytes the memory of each task, in bytes
     * @param gpu whether a GPU may be used
     * @param oneOrder whether both sides are the same rows and each pair of different rows counts in only one order
     */
    public JoinEstimate(
            Strings strings,
            StringTotals totals,
            Passes passes,
            Measure measure,
            int tasks,
            long taskBytes,
            boolean gpu,
            boolean oneOrder,
            Runnable checkpoint) {
        this.strings = strings;
        this.totals = totals;
        this.passes = passes;
        limits = new Limits(measure, totals.longest());
        nanosecondsAVerification = PlainSearch.nanosecondsAVerification(strings, limits);
        this.tasks = tasks;
        this.gpu = gpu;
        this.oneOrder = oneOrder;
        this.checkpoint = checkpoint;
        maxKeys = (int) Math.max(MIN_KEYS, Math.min(MAX_KEYS, taskBytes / BYTES_A_KEY));
    }

    /** The expected cost and result of a method; {@code runs} are the long runs of the sample. */
    private record Cost(
            JoinMethod method,
            int deletionUpTo,
            double keys,
            double nanoseconds,
            double stringPairs,
            double rowPairs,
            List<SliceSearch.LongRun> runs) {}

    /** Plans a join with a given method, or with the fastest. {@code PLAIN} replaces a method with too many keys. */
    public JoinPlan plan(JoinMethod method) {
        boolean mayDelete = method == JoinMethod.AUTO || method == JoinMethod.DELETION;
        DeletionGpu onGpu = gpu ? GpuSide.find(DeletionGpu.class).orElse(null) : null;
        if (onGpu != null
                && limits.measure().isForGpu()
                && mayDelete
                && strings.count() >= MIN_GPU_ROWS
                && onGpu.serves(totals, limits.maxEdits())
                && onGpu.fits(strings)) {
            JoinSample sample = sample();
            Cost cost = keyed(sample, strings.longest());
            if (cost.runs().stream().allMatch(run -> onGpu.fits(2 * run.length() / sample.share()))) {
                return onGpu(onGpu, cost, sample);
            }
        }
        double comparisons = limits.maxEdits() < 1 ? 0 : PlainSearch.comparisons(strings, limits);
        if (comparisons * nanosecondsAVerification <= FEW_NANOSECONDS) {
            Cost all = compared(strings, null, 1);
            int upTo = method == JoinMethod.DELETION ? deletionUpTo(DELETION_KEYS[0]) : -1;
            boolean asAsked = limits.maxEdits() > 0 && method != JoinMethod.AUTO && isPossible(upTo);
            double keys = !asAsked || method == JoinMethod.PLAIN ? 0 : keys(upTo, 1);
            return plan(
                    new Cost(
                            asAsked ? method : JoinMethod.PLAIN,
                            upTo,
                            keys,
                            NANOSECONDS_A_KEY * keys,
                            all.stringPairs(),
                            all.rowPairs(),
                            List.of()),
                    null,
                    String.format(Locale.ROOT, "only %,.0f comparisons", comparisons));
        }
        JoinSample sample = sample();
        JoinPlan onCpu = plan(method, sample, comparisons);
        PlainGpu plain = gpu ? GpuSide.find(PlainGpu.class).orElse(null) : null;
        if (plain == null
                || method != JoinMethod.AUTO && method != JoinMethod.PLAIN
                || strings.count() < MIN_GPU_ROWS
                || !plain.serves(totals, limits.measure())
                || !plain.fits(strings)) {
            return onCpu;
        }
        double seconds = PlainSearch.nanosecondsOnGpu(strings, limits, sample.similar(limits)) * passes.count() / 1e9;
        return seconds < onCpu.seconds() / tasks ? onCpu.plainOnGpu(parts(onCpu.stringPairs()), seconds) : onCpu;
    }

    private JoinPlan plan(JoinMethod method, JoinSample sample, double comparisons) {
        double different = sample.differentNeighbours();
        List<Integer> possible = IntStream.concat(
                        Arrays.stream(DELETION_KEYS).mapToInt(this::deletionUpTo), IntStream.of(-1))
                .map(upTo -> Math.min(upTo, strings.longest()))
                .distinct()
                .filter(this::isPossible)
                .boxed()
                .sorted(Comparator.comparingDouble(upTo -> keys(upTo, different)))
                .toList();
        List<Integer> wanted = possible.stream()
                .filter(upTo -> method == JoinMethod.AUTO || method == method(upTo))
                .toList();
        boolean isPlain = wanted.isEmpty();
        List<Cost> tried = new ArrayList<>();
        List<String> why = new ArrayList<>();
        Cost best = null;
        // try at least one method, because the number of pairs is always needed
        for (int upTo : isPlain ? possible.subList(0, Math.min(1, possible.size())) : wanted) {
            double least = keys(upTo, different) * NANOSECONDS_A_KEY;
            if (best != null && least >= best.nanoseconds()) {
                why.add(work(method(upTo), upTo, "over", least));
                continue;
            }
            Cost cost = keyed(sample, upTo);
            tried.add(cost);
            why.add(work(method(upTo), upTo, "about", cost.nanoseconds()));
            best = best == null || cost.nanoseconds() < best.nanoseconds() ? cost : best;
        }
        double least = comparisons * NANOSECONDS_A_COMPARISON;
        JoinSample small = sample;
        if (tried.isEmpty()) {
            small = JoinSample.ofStrings(strings, Math.sqrt(2 * FEW_NANOSECONDS / nanosecondsAVerification));
            tried.add(compared(small.strings(), small.weights(), small.share()));
        }
        if (isPlain || method == JoinMethod.AUTO && least < best.nanoseconds()) {
            double each = NANOSECONDS_A_COMPARISON + small.similar(limits) * nanosecondsAVerification;
            Cost plain = new Cost(JoinMethod.PLAIN, -1, 0, comparisons * each, 0, 0, List.of());
            why.add(work(JoinMethod.PLAIN, -1, "about", plain.nanoseconds()));
            best = isPlain || plain.nanoseconds() < best.nanoseconds() ? plain : best;
        } else {
            why.add(work(JoinMethod.PLAIN, -1, "over", least));
        }
        // an abandoned method found only some of the pairs
        return plan(
                new Cost(
                        best.method(),
                        best.deletionUpTo(),
                        best.keys(),
                        best.nanoseconds(),
                        tried.stream().mapToDouble(Cost::stringPairs).max().orElseThrow(),
                        tried.stream().mapToDouble(Cost::rowPairs).max().orElseThrow(),
                        best.runs()),
                sample,
                String.join(", ", why));
    }

    private JoinMethod method(int deletionUpTo) {
        return deletionUpTo < 0 && limits.isOrdered() ? JoinMethod.SEGMENTS : JoinMethod.DELETION;
    }

    /** Describes the time that a method takes on one thread. */
    private String work(JoinMethod method, int deletionUpTo, String about, double nanoseconds) {
        String which = method.name().toLowerCase(Locale.ROOT)
                + (method == JoinMethod.DELETION && deletionUpTo < strings.longest()
                        ? " up to " + deletionUpTo + " characters"
                        : "");
        return "%s %s %s s"
                .formatted(
                        which,
                        about,
                        new BigDecimal(nanoseconds * passes.count() / 1e9)
                                .round(new MathContext(2))
                                .toPlainString());
    }

    /**
     * @param all the number of row pairs if each pair counts in both orders, and each row also forms a pair with itself
     */
    private double rowPairs(double all) {
        return oneOrder ? Math.max(0, (all - totals.leftRows()) / 2) : all;
    }

    /** Extrapolates the number of pairs from the first pass to all strings. */
    private double ofAll(double pairs) {
        double share = Math.max(1, (double) totals.count() / Math.max(1, strings.count()));
        return pairs * share * share;
    }

    /** Returns the number of parts that are needed to divide the work of returning pairs among all tasks. */
    private int parts(double stringPairs) {
        return (int) Math.max(1, Math.min(tasks, (strings.count() + 2 * stringPairs) / MIN_ROWS));
    }

    /** Plans deletion on the GPU, with parts that fit in GPU memory and that keep all tasks busy returning pairs. */
    private JoinPlan onGpu(DeletionGpu gpu, Cost cost, JoinSample sample) {
        double keys = keys(strings.longest(), 1);
        double wanted = Math.max(keys / gpu.maxKeys(), parts(cost.stringPairs()));
        int parts = 1;
        while (parts < wanted) {
            parts *= 2;
        }
        // parts that do not fit are split in half
        int beginning = sample.fineBeginning(Math.max(parts, 64));
        return new JoinPlan(
                limits.measure(),
                limits.maxEdits(),
                JoinMethod.DELETION,
                strings.longest(),
                beginning > gpu.longestBeginning() ? 0 : beginning,
                HotKeys.NONE,
                true,
                passes,
                parts,
                maxKeys,
                totals.count(),
                keys * passes.count(),
                ofAll(cost.stringPairs()),
                rowPairs(ofAll(cost.rowPairs()) + totals.equalRows()),
                0,
                "all strings are short and ASCII, as the GPU requires");
    }

    private JoinPlan plan(Cost cost, JoinSample sample, String why) {
        double wanted = Math.max(Math.min(tasks, cost.nanoseconds() / SHORTEST_PART), 1.2 * cost.keys() / maxKeys);
        int parts = Math.max(1, (int) Math.min(1 << 20, Math.ceil(wanted)));
        if (cost.method() != JoinMethod.PLAIN && Integer.bitCount(parts) != 1) {
            parts = Integer.highestOneBit(parts) << 1;
        }
        int beginning = sample == null ? 1 : sample.beginning(parts);
        return new JoinPlan(
                limits.measure(),
                limits.maxEdits(),
                cost.method(),
                cost.deletionUpTo(),
                beginning,
                sample == null ? HotKeys.NONE : hot(cost, sample, beginning, Math.min(parts, tasks)),
                false,
                passes,
                parts,
                maxKeys,
                totals.count(),
                cost.keys() * passes.count(),
                ofAll(cost.stringPairs()),
                rowPairs(ofAll(cost.rowPairs()) + totals.equalRows()),
                cost.nanoseconds() * passes.count() / 1e9,
                why);
    }

    /**
     * Returns the keys whose pairs take more than half the time of a part, and more time than it takes to divide these
     * pairs among the parts.
     */
    private HotKeys hot(Cost cost, JoinSample sample, int beginning, int parts) {
        double toShare = 2 * NANOSECONDS_A_STRING * strings.count() * parts;
        List<SliceSearch.LongRun> hot = cost.runs().stream()
                .filter(run -> {
                    double length = run.length() / sample.share();
                    double nanoseconds = (NANOSECONDS_A_CANDIDATE + nanosecondsAVerification) * length * length / 2;
                    return nanoseconds > toShare && nanoseconds > cost.nanoseconds() / (2 * parts);
                })
                .sorted(Comparator.comparingInt(SliceSearch.LongRun::length).reversed())
                .distinct()
                .limit(HotKeys.MAX_KEYS)
                .toList();
        return parts == 1 || hot.isEmpty() || !limits.isOrdered()
                ? HotKeys.NONE
                : HotKeys.of(sample.strings(), limits, cost.deletionUpTo(), beginning, hot, parts);
    }

    private int deletionUpTo(double mostKeys) {
        return DeletionKeys.longest(limits, strings.longest(), mostKeys);
    }

    private boolean isPossible(int deletionUpTo) {
        return keys(deletionUpTo, 1) <= MAX_KEYS_A_STRING * strings.count();
    }

    /** Estimates the number of keys of all strings; for {@code different}, see {@link DeletionKeys#count}. */
    private double keys(int deletionUpTo, double different) {
        double[] deletion = DeletionKeys.count(strings.lengthsThatOccur(), limits, deletionUpTo, different);
        double keys = 0;
        for (int length = 0; length <= strings.longest(); length++) {
            double each = length < deletion.length ? deletion[length] : SegmentKeys.most(limits, length);
            keys += each * (strings.first(length + 1) - strings.first(length));
        }
        return keys;
    }

    private JoinSample sample() {
        double keys = Math.max(keys(deletionUpTo(DELETION_KEYS[0]), 1), keys(-1, 1));
        return JoinSample.of(strings, Math.max(strings.count(), keys));
    }

    private Cost compared(Strings of, double[] weights, double share) {
        PlainSearch search = new PlainSearch(of, limits, 0, 1, checkpoint);
        return search(search, of, weights, share, JoinMethod.PLAIN, -1);
    }

    private Cost keyed(JoinSample sample, int deletionUpTo) {
        SliceSearch search = new SliceSearch(
                        sample.strings(),
                        limits,
                        deletionUpTo,
                        1,
                        new HashSlice(0, 0),
                        HotKeys.NONE,
                        0,
                        4 * MIN_KEYS + maxKeys,
                        checkpoint)
                .rememberRuns(LONG_RUN);
        return search(search, sample.strings(), sample.weights(), sample.share(), method(deletionUpTo), deletionUpTo);
    }

    private Cost search(
            PairSearch search, Strings of, double[] weights, double share, JoinMethod method, int deletionUpTo) {
        double stringPairs = 0;
        double rowPairs = 0;
        while (search.counts().candidates() < MAX_CANDIDATES && search.advance()) {
            for (int i = 0; i < search.count(); i++) {
                int x = search.first(i);
                int y = search.second(i);
                double weight = weights == null ? 1 : weights[x] * weights[y];
                stringPairs += weight;
                rowPairs += weight * ((double) of.left(x) * of.right(y) + (double) of.left(y) * of.right(x));
            }
        }
        PairSearch.Counts counts = search.counts();
        boolean givenUp = counts.candidates() >= MAX_CANDIDATES;
        double keys = counts.keys() / share;
        double nanoseconds = keys * NANOSECONDS_A_KEY
                + keys / maxKeys * strings.count() * NANOSECONDS_A_STRING
                + counts.compared() * NANOSECONDS_A_COMPARISON / (share * share)
                + counts.candidates() * NANOSECONDS_A_CANDIDATE / (share * share)
                + counts.verified() * nanosecondsAVerification / (share * share);
        return new Cost(
                method,
                deletionUpTo,
                keys,
                givenUp ? 4 * nanoseconds : nanoseconds,
                stringPairs,
                rowPairs,
                search instanceof SliceSearch slices ? slices.longRuns() : List.of());
    }
}
