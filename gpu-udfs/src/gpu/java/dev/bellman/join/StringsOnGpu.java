package dev.bellman.join;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The strings of a join in GPU memory, and the ways to delete characters from them. All searches of a join in this
 * process share one object; when the last of them closes it, the memory is freed.
 */
final class StringsOnGpu implements AutoCloseable {
    /** The exclusive upper bound on the number of characters in a string on a GPU. */
    static final int LONGEST = DeletionSearchOnGpu.DELETION.constant("LONGEST");

    /** The lock that a search holds while it uses the GPU. */
    static final ReentrantLock SEARCH = new ReentrantLock();

    private static final int MAX_EDITS = DeletionSearchOnGpu.MAX_EDITS;
    private static final int STRING_BYTES = DeletionSearchOnGpu.DELETION.constant("JoinString");
    private static final int ASCII = 128;

    private static final Map<Key, StringsOnGpu> USED = new HashMap<>();

    private record Key(Strings strings, int k, int begins) {}

    /** A string in the kernels' layout ({@code JoinString}), whose members are written one by one for speed. */
    record JoinString(long start, long signature, long seed, int length, int sides) {}

    /** The strings in the kernels' layout ({@code JoinStrings}). */
    record JoinStrings(long strings, long bytes, long characters, long powers, long lengths, int count, int edits) {}

    /** The ways to delete characters, in the kernels' layout ({@code JoinWays}). */
    record JoinWays(long beginnings, long beginStarts, long rests, long restStarts, long ways) {}

    private final Key key;
    private final Scratch scratch = new Scratch();
    private final JoinStrings strings;
    private final JoinWays ways;
    private int users;

    private StringsOnGpu(Key key) {
        this.key = key;
        try {
            strings = upload(key.strings(), key.k());
            ways = ways(key.strings().longest(), key.k(), key.begins());
        } catch (Throwable e) {
            scratch.close();
            throw e;
        }
    }

    /** Returns the strings on this thread's GPU. The caller must close the returned object exactly once. */
    static StringsOnGpu use(Strings strings, int k, int begins) {
        synchronized (USED) {
            StringsOnGpu used = USED.computeIfAbsent(new Key(strings, k, begins), StringsOnGpu::new);
            used.users++;
            return used;
        }
    }

    @Override
    public void close() {
        synchronized (USED) {
            if (--users == 0) {
                USED.remove(key);
                scratch.close();
            }
        }
    }

    JoinStrings strings() {
        return strings;
    }

    JoinWays ways() {
        return ways;
    }

    /** Returns the amount of memory that strings take on the GPU, in bytes. */
    static long bytes(Strings all) {
        long bytes = (long) STRING_BYTES * all.count();
        for (int length = 0; length <= all.longest(); length++) {
            bytes += (long) length * (all.first(length + 1) - all.first(length));
        }
        return bytes;
    }

    private JoinStrings upload(Strings all, int k) {
        int count = all.count();
        // strings are ordered by their lengths, and so are their bytes
        long[] starts = new long[all.longest() + 2];
        long lengths = 0;
        for (int length = 0; length <= all.longest(); length++) {
            int strings = all.first(length + 1) - all.first(length);
            starts[length + 1] = starts[length] + (long) length * strings;
            lengths |= strings > 0 ? 1L << length : 0;
        }
        long bytes = starts[all.longest() + 1];
        DeviceMemoryBuffer text = scratch.allocate(bytes);
        DeviceMemoryBuffer entries = scratch.allocate((long) STRING_BYTES * count);
        try (Scratch unordered = new Scratch()) {
            new BlocksOnGpu(unordered, all.blocks()).copy(all, starts, entries, text);
        }
        long[] characters = new long[ASCII];
        Arrays.setAll(characters, Hash::character);
        return new JoinStrings(
                entries.getAddress(),
                text.getAddress(),
                DeviceArrays.writeLongs(scratch, characters).getAddress(),
                DeviceArrays.writeLongs(scratch, Hash.powers(LONGEST)).getAddress(),
                lengths,
                count,
                k);
    }

    private JoinWays ways(int longest, int k, int begins) {
        List<Integer> beginnings = new ArrayList<>();
        int[] beginStarts = new int[begins + k + 2];
        for (int length = 0; length <= begins + k; length++) {
            for (int deleted = 0; deleted <= Math.min(k, length); deleted++) {
                addBeginnings(Math.min(begins, length - deleted), deleted, beginnings);
            }
            beginStarts[length + 1] = beginnings.size();
        }
        List<Integer> rests = new ArrayList<>();
        int[] restStarts = new int[MAX_EDITS + 1];
        int[] ways = new int[(MAX_EDITS + 1) * LONGEST];
        for (int deleted = 0; deleted <= k; deleted++) {
            restStarts[deleted] = rests.size();
            for (int length = 0; length < LONGEST; length++) {
                if (length <= longest) {
                    addRests(length, deleted, rests);
                }
                ways[deleted * LONGEST + length] = rests.size() - restStarts[deleted];
            }
        }
        return new JoinWays(
                write(beginnings),
                DeviceArrays.writeInts(scratch, beginStarts).getAddress(),
                write(rests),
                DeviceArrays.writeInts(scratch, restStarts).getAddress(),
                DeviceArrays.writeInts(scratch, ways).getAddress());
    }

    private long write(List<Integer> numbers) {
        return DeviceArrays.writeInts(
                        scratch, numbers.stream().mapToInt(Integer::intValue).toArray())
                .getAddress();
    }

    /**
     * Adds all ways to obtain the first {@code kept} characters of a key by deleting up to {@code deleted} characters
     * that precede the last of them.
     */
    private void addBeginnings(int kept, int deleted, List<Integer> to) {
        for (int within = 0; within <= deleted; within++) {
            int places = kept + within;
            for (int mask = 0; mask < 1 << places; mask++) {
                // the last character is kept, because otherwise, the beginning would end before it
                if (Integer.bitCount(mask) == within && (places == 0 || (mask >>> places - 1 & 1) == 0)) {
                    to.add(mask | deleted << 16 | places << 20);
                }
            }
        }
    }

    /** Adds the ways to delete {@code deleted} of {@code length} characters, including the last character. */
    private static void addRests(int length, int deleted, List<Integer> to) {
        int last = length - 1;
        switch (deleted) {
            case 0 -> {
                if (length == 0) {
                    to.add(0);
                }
            }
            case 1 -> {
                if (length > 0) {
                    to.add(last);
                }
            }
            case 2 -> {
                for (int first = 0; first < last; first++) {
                    to.add(first | last << 8);
                }
            }
            default -> {
                for (int second = 0; second < last; second++) {
                    for (int first = 0; first < second; first++) {
                        to.add(first | second << 8 | last << 16);
                    }
                }
            }
        }
    }
}
