package dev.bellman.join;

import dev.bellman.join.measure.Limits;
import java.io.Serializable;
import java.util.List;

/**
 * Keys that are shared by so many strings that the pairs of these strings are divided among several parts of a join. A
 * hot key is not in any slice. Instead, each part forms the pairs whose first string belongs to the part's share of the
 * key's strings.
 *
 * @param beginnings the number of each key's slice, for slices of {@link HashSlice#BEGINNING_BITS} bits
 * @param words the word of each key in that slice, without the bits of {@code unknown}
 * @param unknown a mask of the lowest bits of a word, which are unknown
 * @param parts the number of parts that share the keys; 0 if there are no hot keys
 */
record HotKeys(long[] beginnings, long[] words, long unknown, int parts) implements Serializable {
    static final HotKeys NONE = new HotKeys(new long[0], new long[0], 0, 0);

    /**
     * The maximum number of hot keys, which is small because every key that may be hot is compared with all of them.
     */
    static final int MAX_KEYS = 16;

    /**
     * Returns the keys of long runs found in {@code strings}, which may be a sample.
     *
     * @param parts the number of parts among which the pairs of these keys are divided
     */
    static HotKeys of(
            Strings strings,
            Limits limits,
            int deletionUpTo,
            int beginning,
            List<SliceSearch.LongRun> runs,
            int parts) {
        KeyBuffer keys = new KeyBuffer(strings.count(), NONE);
        DeletionKeys deletions = new DeletionKeys(strings, limits, deletionUpTo, beginning);
        SegmentKeys segments = new SegmentKeys(strings, limits, deletionUpTo + 1);
        long[] beginnings = new long[runs.size()];
        for (int i = 0; i < beginnings.length; i++) {
            SliceSearch.LongRun run = runs.get(i);
            boolean found = false;
            for (long number = 0; !found; number++) {
                keys.begin(new HashSlice(HashSlice.BEGINNING_BITS, number), Integer.MAX_VALUE - 8);
                deletions.add(run.string(), keys);
                segments.add(run.string(), keys);
                for (int at = 0; at < keys.size(); at++) {
                    found |= keys.hash(keys.keys()[at]) == run.word();
                }
                beginnings[i] = number;
            }
        }
        long[] words = runs.stream().mapToLong(SliceSearch.LongRun::word).toArray();
        return new HotKeys(beginnings, words, keys.mask(), parts);
    }

    int count() {
        return words.length;
    }

    HashSlice slice(int key) {
        return new HashSlice(HashSlice.BEGINNING_BITS, beginnings[key]);
    }

    /** Whether a key with the given first characters may be hot; {@code hash} is their mixed hash. */
    boolean hasBeginning(long hash) {
        for (long beginning : beginnings) {
            if (hash >>> 64 - HashSlice.BEGINNING_BITS == beginning) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the index of the hot key with these mixed hashes of its first and of all characters; -1 if there is none.
     */
    int find(long beginning, long hash) {
        for (int key = 0; key < words.length; key++) {
            if (slice(key).hasBeginning(beginning) && (slice(key).word(hash) & ~unknown) == words[key]) {
                return key;
            }
        }
        return -1;
    }
}
