package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import dev.bellman.join.sort.RadixSort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Finds the pairs of a slice of the hash space: generates all keys of the slice, sorts them, and verifies the strings
 * that share a key. If the keys do not fit in memory, the slice is halved until they fit or only one key is left. The
 * entries of a single key (at most two 64-bit words per string) take less memory than the strings, so they are not
 * divided further.
 *
 * <p>Two strings may share many keys in many slices, but each pair is returned only once: when the search processes the
 * pair's owner, which is one of these keys ({@link DeletionKeys#isOwner}, {@link SegmentKeys#isOwner}).
 *
 * <p>If very many strings share a key, its pairs do not fit in the buffer at once, and may take several batches of
 * their own.
 */
final class SliceSearch extends PairSearch {
    /**
     * An odd multiplier, so that the multiplication is a bijection. The product spreads the pairs for the radix sort.
     */
    private static final long SPREAD = 0xD6E8FEB86659FD93L;

    private static final long GATHER = inverse();
    private static final int MIN_CANDIDATES = 1 << 12;
    /** The number of bits at which halving stops, because a slice that still does not fit has a single key. */
    private static final int MAX_BITS = 40;

    private static final int STRINGS_A_CHECK = 1 << 12;

    private final Strings strings;
    private final Limits limits;
    private final int deletionUpTo;
    private final DeletionKeys deletions;
    private final SegmentKeys segments;
    /** The keys to use instead of deletions and segments if the order of characters does not matter. */
    private final LetterKeys letters;

    private final Verifier verifier;
    private final KeyBuffer keys;
    private final int maxKeys;
    private final Runnable checkpoint;
    private final Deque<HashSlice> slices = new ArrayDeque<>();
    private final HotKeys hot;
    /** The part whose share of the hot keys' pairs this search returns. */
    private final int part;

    private int nextHot;

    private final List<LongRun> longRuns = new ArrayList<>();
    private int longRun = Integer.MAX_VALUE;

    private boolean loaded;
    private int at;
    private long[] spare = {};
    private long[] candidates = {};
    private int candidateCount;
    private long[] spareCandidates = {};

    /** The number of strings in the current run. */
    private int runLength;

    private int[] runIds = {};
    private int[] runKinds = {};
    private int[] runLengths = {};
    private int runX;
    private int runY;
    /** Within a run, the distance between consecutive strings that are the first strings of pairs. */
    private int step = 1;

    private boolean inRun;

    /**
     * @param deletionUpTo the maximum length of the longer string of pairs that are found by deletion; other pairs are
     *     found by segments
     * @param beginning the number of initial characters that determine the slice of a deletion key
     * @param hot the hot keys, which are not in any slice
     * @param part the part whose share of the hot keys' pairs this search returns
     * @param maxKeys the maximum number of keys to generate at a time
     * @param checkpoint called periodically
     */
    SliceSearch(
            Strings strings,
            Limits limits,
            int deletionUpTo,
            int beginning,
            HashSlice slice,
            HotKeys hot,
            int part,
            int maxKeys,
            Runnable checkpoint) {
        strings.readable();
        this.strings = strings;
        this.limits = limits;
        this.hot = hot;
        this.part = part;
        this.maxKeys = maxKeys;
        this.checkpoint = checkpoint;
        boolean ordered = limits.isOrdered();
        this.deletionUpTo = ordered ? deletionUpTo : Integer.MAX_VALUE;
        letters = ordered ? null : new LetterKeys(strings, limits, deletionUpTo, beginning);
        deletions = ordered && deletionUpTo >= 0 ? new DeletionKeys(strings, limits, deletionUpTo, beginning) : null;
        segments =
                ordered && strings.longest() > deletionUpTo ? new SegmentKeys(strings, limits, deletionUpTo + 1) : null;
        verifier = new Verifier(strings, limits);
        keys = new KeyBuffer(strings.count(), hot);
        if (limits.maxEdits() > 0 && strings.count() > 1) {
            slices.push(slice);
            nextHot = part < hot.parts() ? 0 : hot.count();
        } else {
            nextHot = hot.count();
        }
    }

    /**
     * A run of strings that share a key.
     *
     * @param word the key, without the bits of {@link KeyBuffer#mask}
     * @param string one of the strings that share the key
     */
    record LongRun(long word, int string, int length) {}

    /** Makes this search record all runs of at least the given number of strings, and returns the search. */
    SliceSearch rememberRuns(int atLeast) {
        longRun = atLeast;
        return this;
    }

    List<LongRun> longRuns() {
        return longRuns;
    }

    private static long inverse() {
        long inverse = SPREAD;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - SPREAD * inverse;
        }
        return inverse;
    }

    @Override
    public boolean advance() {
        found.clear();
        checkpoint.run();
        while (!loaded) {
            if (!slices.isEmpty()) {
                load(slices.pop());
            } else if (nextHot < hot.count()) {
                loadHot(nextHot++);
            } else {
                return false;
            }
        }
        long first;
        long last;
        if (inRun) {
            first = keys.hash(keys.keys()[at]);
            last = first;
            fillFromRun();
        } else {
            first = at < keys.size() ? keys.hash(keys.keys()[at]) : 0;
            last = fill(first);
        }
        verify(first, last);
        if (!inRun && at >= keys.size()) {
            loaded = false;
        }
        return true;
    }

    private void load(HashSlice slice) {
        keys.begin(slice, slice.bits() < MAX_BITS ? maxKeys : Integer.MAX_VALUE - 8);
        makeKeys();
        if (keys.isOverflown()) {
            slices.push(slice.half(1));
            slices.push(slice.half(0));
            return;
        }
        sort();
        step = 1;
    }

    /**
     * Loads a hot key. Each part forms the pairs whose first string belongs to the part's share of the key's strings:
     * one in {@code hot.parts()} strings.
     */
    private void loadHot(int key) {
        keys.begin(key);
        makeKeys();
        sort();
        step = hot.parts();
        if (keys.size() > 0) {
            startRun(keys.size());
        }
    }

    private void makeKeys() {
        for (int id = 0; id < strings.count() && !keys.isOverflown(); id++) {
            if (id % STRINGS_A_CHECK == 0) {
                checkpoint.run();
            }
            if (deletions != null) {
                deletions.add(id, keys);
            }
            if (segments != null) {
                segments.add(id, keys);
            }
            if (letters != null) {
                letters.add(id, keys);
            }
        }
    }

    private void sort() {
        counts.keys += keys.size();
        if (spare.length < keys.size()) {
            spare = new long[keys.keys().length];
        }
        RadixSort.sort(keys.keys(), spare, keys.size());
        loaded = true;
        at = 0;
    }

    /** Begins a run that may take several batches. */
    private void startRun(int end) {
        readRun(end);
        inRun = true;
        runX = step == 1 ? 0 : part;
        runY = runX + 1;
    }

    /** Collects the candidates of complete runs, and returns the hash of the last run. */
    private long fill(long first) {
        long last = first;
        int capacity = capacity();
        long[] sorted = keys.keys();
        int size = keys.size();
        while (at < size) {
            long hash = keys.hash(sorted[at]);
            int end = at + 1;
            while (end < size && keys.hash(sorted[end]) == hash) {
                end++;
            }
            if (end - at > 1) {
                readRun(end);
                long pairs = (long) runLength * (runLength - 1) / 2;
                if (candidateCount + pairs > capacity) {
                    if (candidateCount == 0) {
                        startRun(end);
                        fillFromRun();
                        return hash;
                    }
                    return last;
                }
                reserve((int) pairs, capacity);
                runX = 0;
                runY = 1;
                collect(Integer.MAX_VALUE);
            }
            last = hash;
            at = end;
        }
        return last;
    }

    private int capacity() {
        return Math.max(MIN_CANDIDATES, Math.min(maxKeys, keys.keys().length));
    }

    private void reserve(int more, int capacity) {
        if (candidateCount + more > candidates.length) {
            candidates = Arrays.copyOf(
                    candidates,
                    Math.min(
                            capacity,
                            Math.max(MIN_CANDIDATES, Math.max(2 * candidates.length, candidateCount + more))));
        }
    }

    private void readRun(int end) {
        if (end - at > runIds.length) {
            int room = Math.max(64, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * (end - at)));
            runIds = new int[room];
            runKinds = new int[room];
            runLengths = new int[room];
        }
        long[] sorted = keys.keys();
        runLength = 0;
        int sides = 0;
        for (int i = at; i < end; i++) {
            // a substring may occur twice in a string
            if (i == at || sorted[i] != sorted[i - 1]) {
                int id = keys.id(sorted[i]);
                runIds[runLength] = id;
                runKinds[runLength] = keys.kind(sorted[i]);
                runLengths[runLength] = strings.length(id);
                sides |= strings.sides(id);
                runLength++;
            }
        }
        if (sides != Strings.BOTH) {
            runLength = 0;
        }
        if (runLength >= longRun) {
            longRuns.add(new LongRun(keys.hash(sorted[at]), runIds[0], runLength));
        }
    }

    private void fillFromRun() {
        int capacity = capacity();
        reserve(capacity - candidateCount, capacity);
        collect(capacity);
        if (runX >= runLength) {
            inRun = false;
            long hash = keys.hash(keys.keys()[at]);
            while (at < keys.size() && keys.hash(keys.keys()[at]) == hash) {
                at++;
            }
        }
    }

    /** Collects candidates from the run's next pair on, until there are {@code most} or the run ends. */
    private void collect(int most) {
        for (; runX < runLength; runX += step, runY = runX + 1) {
            int x = runIds[runX];
            int longest = limits.longestPartner(runLengths[runX]);
            int sides = strings.sides(x);
            for (; runY < runLength; runY++) {
                if (runLengths[runY] > longest) {
                    break;
                }
                if (candidateCount >= most) {
                    return;
                }
                int y = runIds[runY];
                if (x != y
                        && isCandidate(runKinds[runX], runKinds[runY], runLengths[runY])
                        && (sides | strings.sides(y)) == Strings.BOTH
                        && strings.mayBeApart(x, y, limits.apart(runLengths[runX], runLengths[runY]))) {
                    candidates[candidateCount++] = PairBuffer.pair(x, y);
                }
            }
            counts.compared += runY - runX;
        }
    }

    /**
     * Whether keys of the given kinds make the strings a candidate pair. The string with the smaller number is {@code
     * x}.
     */
    private boolean isCandidate(int xKind, int yKind, int yLength) {
        return yLength <= deletionUpTo
                ? xKind == KeyBuffer.DELETION && yKind == KeyBuffer.DELETION
                : xKind == KeyBuffer.SEGMENT && yKind == KeyBuffer.PART;
    }

    /** Verifies each candidate once, and keeps the pairs whose owner is a key from {@code first} to {@code last}. */
    private void verify(long first, long last) {
        counts.candidates += candidateCount;
        if (spareCandidates.length < candidateCount) {
            spareCandidates = new long[candidates.length];
        }
        for (int i = 0; i < candidateCount; i++) {
            candidates[i] *= SPREAD;
        }
        RadixSort.sort(candidates, spareCandidates, candidateCount);
        for (int i = 0; i < candidateCount; i++) {
            if (i % STRINGS_A_CHECK == 0) {
                checkpoint.run();
            }
            if (i > 0 && candidates[i] == candidates[i - 1]) {
                continue;
            }
            long pair = candidates[i] * GATHER;
            int x = PairBuffer.first(pair);
            int y = PairBuffer.second(pair);
            counts.verified++;
            if (strings.group(x) == strings.group(y) && verifier.isPair(x, y)) {
                if (isOwner(x, y, first, last)) {
                    found.add(x, y);
                }
            }
        }
        candidateCount = 0;
    }

    private boolean isOwner(int x, int y, long first, long last) {
        if (letters != null) {
            return letters.isOwner(x, y, keys, first, last);
        }
        return strings.length(y) <= deletionUpTo
                ? deletions.isOwner(x, y, keys, first, last)
                : segments.isOwner(x, y, keys, first, last);
    }
}
