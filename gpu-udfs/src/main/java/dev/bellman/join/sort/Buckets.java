package dev.bellman.join.sort;

/**
 * Divides strings into buckets by their length and first hash bits. The buckets are in their final order, and each
 * bucket is sorted separately.
 */
public final class Buckets {
    /** The approximate number of strings per bucket, small enough for a core's cache. */
    private static final int SIZE = 1 << 12;

    /** The first bucket of each length; -1 if no string has that length. */
    private final int[] ofLength;
    /** The number of hash bits that distinguish the buckets of each length. */
    private final byte[] bits;

    /** The start of each bucket; the last entry is the number of strings. Filled by {@link #deal}. */
    private final int[] starts;

    /** @param firsts the first string of each length, followed by the number of strings */
    public Buckets(int... firsts) {
        ofLength = new int[firsts.length - 1];
        bits = new byte[ofLength.length];
        int count = 0;
        for (int length = 0; length < ofLength.length; length++) {
            int strings = firsts[length + 1] - firsts[length];
            bits[length] = (byte) (32 - Integer.numberOfLeadingZeros(strings / SIZE));
            ofLength[length] = strings == 0 ? -1 : count;
            count = Math.addExact(count, strings == 0 ? 0 : 1 << bits[length]);
        }
        starts = new int[count + 1];
    }

    /** Returns a mask of the bits in a word that contain a string's place. */
    public static long mask(int strings) {
        return (1L << 32 - Integer.numberOfLeadingZeros(strings)) - 1;
    }

    private int of(int length, long hash) {
        return ofLength[length] + (int) (hash >>> 1 >>> 63 - bits[length]);
    }

    /** Returns the first bucket that begins at or after a string. */
    public int from(int string) {
        int low = 0;
        int high = starts.length - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (starts[middle] < string) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the first string of a bucket. */
    public int start(int bucket) {
        return starts[bucket];
    }

    /**
     * Distributes the strings to the buckets, as words that contain the remaining hash bits and the place. The order of
     * the words as signed numbers is the order of the hashes as unsigned numbers.
     */
    public void deal(int[] lengths, long[] hashes, long[] words) {
        int count = lengths.length;
        int[][] next = new int[Workers.parts(count)][starts.length - 1];
        Workers.parts(count, (part, from, to) -> {
            int[] sizes = next[part];
            for (int i = from; i < to; i++) {
                sizes[of(lengths[i], hashes[i])]++;
            }
        });
        int at = 0;
        for (int bucket = 0; bucket < starts.length - 1; bucket++) {
            starts[bucket] = at;
            for (int[] ofPart : next) {
                int size = ofPart[bucket];
                ofPart[bucket] = at;
                at += size;
            }
        }
        starts[starts.length - 1] = count;
        long mask = mask(count);
        Workers.parts(count, (part, from, to) -> {
            int[] places = next[part];
            for (int i = from; i < to; i++) {
                long rest = hashes[i] << bits[lengths[i]];
                words[places[of(lengths[i], hashes[i])]++] = (rest ^ Long.MIN_VALUE) & ~mask | i;
            }
        });
    }
}
