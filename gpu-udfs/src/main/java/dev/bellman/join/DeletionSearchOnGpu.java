package dev.bellman.join;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the pairs of a slice of the hash space on the GPU, by deletion: with the keys and owners of {@link DeletionKeys}, bit for bit, so slices may
 * be searched here or on the CPU. Keys go into a hash table; see {@code join/deletion.cu}. A slice that overflows the table or a list is halved.
 *
 * <p>One search at a time uses the GPU, with all the memory that a search may take; its results go to the host before the next begins.
 */
final class DeletionSearchOnGpu extends PairSearch {
    private static final ModuleInterface DELETION = ModuleInterface.of("join/deletion");
    private static final int KEYS = DELETION.constant("KEYS");
    private static final int CANDIDATES = DELETION.constant("CANDIDATES");
    private static final int PAIRS = DELETION.constant("PAIRS");
    private static final int COUNTS = 3;
    private static final int KEYS_BLOCK = DELETION.constant("KEYS_BLOCK");
    private static final int VERIFY_BLOCK = DELETION.constant("VERIFY_BLOCK");
    private static final int MOST_EDITS = DELETION.constant("MOST_EDITS");
    /** Strings must be shorter. */
    private static final int LONGEST = DELETION.constant("LONGEST");

    private static final int STRING_BYTES = DELETION.constant("JoinString");
    private static final int CANDIDATE_BYTES = 2 * Long.BYTES;
    private static final int ASCII = 128;

    /** If a string has more keys, the whole join is left to the CPU. */
    private static final double MOST_KEYS = 5_000;
    /** The maximum load factor of a table. */
    private static final double FULL = 0.8;

    private static final int SMALLEST_TABLE = 12;
    private static final int LARGEST_TABLE = 33;
    /** The table's share of the memory for an instance; the rest is for strings, candidates and pairs. */
    private static final double TABLE = 0.4;

    private static final double LISTS = 0.3;
    private static final long MOST_CANDIDATES = 1L << 30;
    /** Of a slice, and of a batch up to its last slice: the host has them in an array, twice while it grows. */
    private static final long MOST_PAIRS = 1L << 25;

    private static final ReentrantLock GPU = new ReentrantLock();

    private record Slice(int bits, long number) {}

    /** {@code JoinString} of the kernels; written member by member, because there are so many. */
    record JoinString(long start, long signature, long seed, int length, int sides) {}

    /** {@code JoinStrings} of the kernels. */
    record JoinStrings(long strings, long bytes, long characters, long powers, int count, int edits) {}

    /** {@code JoinSlice} of the kernels. */
    record JoinSlice(long number, long low, int bits, int shift) {}

    private final Strings strings;
    private final int k;
    private final Deque<Slice> slices = new ArrayDeque<>();
    private final double keysExpected;
    private final Runnable checkpoint;

    /** @param keysExpected in the slice */
    DeletionSearchOnGpu(Strings strings, int k, int bits, long slice, double keysExpected, Runnable checkpoint) {
        this.strings = strings;
        this.k = k;
        this.keysExpected = keysExpected;
        this.checkpoint = checkpoint;
        slices.push(new Slice(bits, slice));
    }

    /** Whether the GPU can find the pairs of these strings: ASCII, not too long, few edits. */
    static boolean serves(Strings strings, int k) {
        if (k < 1
                || k > MOST_EDITS
                || strings.longest() >= LONGEST
                || DeletionKeys.most(strings.longest(), k) > MOST_KEYS) {
            return false;
        }
        for (int id = 0; id < strings.count(); id++) {
            if (!strings.isAscii(id)) {
                return false;
            }
        }
        return true;
    }

    /** How many keys a slice may have to be searched at once. */
    static double mostKeys() {
        return FULL * (1L << logOfTable(Double.MAX_VALUE, GpuMemory.ofSession()));
    }

    /** The logarithm of the slots of a table: enough for these keys, memory permitting. */
    private static int logOfTable(double keys, GpuMemory memory) {
        int fits = 63 - Long.numberOfLeadingZeros((long) (memory.perInstance() * TABLE / Long.BYTES));
        int wanted = SMALLEST_TABLE;
        while (wanted < LARGEST_TABLE && (1L << wanted) * FULL / 1.4 < keys) {
            wanted++;
        }
        return Math.max(SMALLEST_TABLE, Math.min(wanted, fits));
    }

    @Override
    public boolean advance() {
        found.clear();
        if (slices.isEmpty()) {
            return false;
        }
        Cuda.autoSetDevice();
        GPU.lock();
        try (Scratch scratch = new Scratch()) {
            new OnDevice(scratch).search();
        } finally {
            GPU.unlock();
        }
        return true;
    }

    /** All device data of a search. */
    private final class OnDevice {
        private final CudaModule module = CudaModule.load("join/deletion");
        private final Scratch scratch;
        private final JoinStrings all;
        private final long ways;
        private final long starts;
        private final long lengths;
        private final int logOfTable;
        private final DeviceMemoryBuffer table;
        private final DeviceMemoryBuffer candidates;
        private final long mostCandidates;
        private final DeviceMemoryBuffer results;
        private final long mostPairs;

        OnDevice(Scratch scratch) {
            this.scratch = scratch;
            GpuMemory memory = GpuMemory.ofSession();
            all = upload();
            boolean[] occur = strings.lengthsThatOccur();
            long bits = 0;
            for (int length = 0; length < occur.length; length++) {
                bits |= occur[length] ? 1L << length : 0;
            }
            lengths = bits;
            int[] first = new int[LONGEST * (MOST_EDITS + 1) + 1];
            ways = DeviceArrays.writeInts(scratch, ways(occur, first)).getAddress();
            starts = DeviceArrays.writeInts(scratch, first).getAddress();
            logOfTable = logOfTable(keysExpected, memory);
            table = scratch.allocate(Long.BYTES << logOfTable);
            long lists = (long) (memory.perInstance() * LISTS);
            mostCandidates = Math.min(MOST_CANDIDATES, Math.min(1L << logOfTable + 2, lists / 2 / CANDIDATE_BYTES));
            candidates = scratch.allocate(CANDIDATE_BYTES * mostCandidates);
            mostPairs = Math.min(MOST_PAIRS, Math.min(mostCandidates, lists / 2 / Long.BYTES));
            results = scratch.allocate(Long.BYTES * mostPairs);
        }

        private JoinStrings upload() {
            long bytes = 0;
            for (int id = 0; id < strings.count(); id++) {
                bytes += strings.length(id);
            }
            DeviceMemoryBuffer text = scratch.allocate(bytes);
            DeviceMemoryBuffer entries = scratch.allocate((long) STRING_BYTES * strings.count());
            try (HostMemoryBuffer textOnHost = HostMemoryBuffer.allocate(Math.max(1, bytes), false);
                    HostMemoryBuffer onHost = HostMemoryBuffer.allocate((long) STRING_BYTES * strings.count(), false)) {
                long at = 0;
                for (int id = 0; id < strings.count(); id++) {
                    StringBlock block = strings.block(id);
                    int length = strings.length(id);
                    textOnHost.setBytes(at, block.bytes(), block.start(strings.index(id)), length);
                    long entry = (long) STRING_BYTES * id;
                    onHost.setLong(entry, at);
                    onHost.setLong(entry + 8, strings.signature(id));
                    onHost.setLong(entry + 16, DeletionKeys.seed(strings.group(id)));
                    onHost.setInt(entry + 24, length);
                    onHost.setInt(entry + 28, strings.sides(id));
                    at += length;
                }
                text.copyFromMemoryBuffer(0, textOnHost, 0, bytes, Cuda.DEFAULT_STREAM);
                entries.copyFromMemoryBuffer(0, onHost, 0, entries.getLength(), Cuda.DEFAULT_STREAM);
            }
            long[] characters = new long[ASCII];
            Arrays.setAll(characters, Hash::character);
            return new JoinStrings(
                    entries.getAddress(),
                    text.getAddress(),
                    DeviceArrays.writeLongs(scratch, characters).getAddress(),
                    DeviceArrays.writeLongs(scratch, Hash.powers(LONGEST)).getAddress(),
                    strings.count(),
                    k);
        }

        /** The positions to delete, ascending, one byte each: for each length that occurs, for 0 to {@link #k} deletions. */
        private int[] ways(boolean[] occur, int[] first) {
            int[] ways = new int[1 << 10];
            int size = 0;
            for (int length = 0; length < LONGEST; length++) {
                for (int deleted = 0; deleted <= MOST_EDITS; deleted++) {
                    first[length * (MOST_EDITS + 1) + deleted] = size;
                    if (length >= occur.length || !occur[length] || deleted > k || deleted > length) {
                        continue;
                    }
                    int[] places = new int[deleted];
                    Arrays.setAll(places, i -> i);
                    do {
                        int way = 0;
                        for (int i = 0; i < deleted; i++) {
                            way |= places[i] << Byte.SIZE * i;
                        }
                        if (size == ways.length) {
                            ways = Arrays.copyOf(ways, 2 * size);
                        }
                        ways[size++] = way;
                    } while (next(places, length));
                }
            }
            first[first.length - 1] = size;
            return Arrays.copyOf(ways, size);
        }

        /** The next positions in lexicographic order; false after the last. */
        private static boolean next(int[] places, int length) {
            for (int i = places.length - 1; i >= 0; i--) {
                if (places[i] < length - (places.length - i)) {
                    places[i]++;
                    for (int j = i + 1; j < places.length; j++) {
                        places[j] = places[j - 1] + 1;
                    }
                    return true;
                }
            }
            return false;
        }

        void search() {
            int low = 32 - Integer.numberOfLeadingZeros(strings.count());
            while (!slices.isEmpty() && found.count() < MOST_PAIRS) {
                checkpoint.run();
                Slice slice = slices.pop();
                if (!search(slice, new JoinSlice(slice.number(), (1L << low) - 1, slice.bits(), 64 - logOfTable))) {
                    slices.push(new Slice(slice.bits() + 1, 2 * slice.number() + 1));
                    slices.push(new Slice(slice.bits() + 1, 2 * slice.number()));
                }
            }
        }

        /** Whether the slice fit. */
        private boolean search(Slice number, JoinSlice slice) {
            long slots = 1L << logOfTable;
            long mostKeys = (long) (slots * FULL);
            DeviceMemoryBuffer counted = scratch.filled(Long.BYTES * COUNTS, (byte) 0);
            Cuda.asyncMemset(table.getAddress(), (byte) 0, table.getLength());
            Kernel keys = module.kernel("join_deletion_keys");
            int blocks = Math.min(
                    keys.residentBlocks(KEYS_BLOCK, 0), (strings.count() + KEYS_BLOCK / 32 - 1) / (KEYS_BLOCK / 32));
            keys.grid(blocks)
                    .block(KEYS_BLOCK)
                    .launch(
                            all,
                            slice,
                            ways,
                            starts,
                            lengths,
                            table.getAddress(),
                            slots,
                            mostKeys,
                            candidates.getAddress(),
                            mostCandidates,
                            counted.getAddress());
            long[] made = DeviceArrays.readLongs(counted, 0, COUNTS);
            if (made[KEYS] > mostKeys || made[CANDIDATES] > mostCandidates) {
                return false;
            }
            module.kernel("join_deletion_verify")
                    .threads(made[CANDIDATES], VERIFY_BLOCK)
                    .launch(
                            all,
                            slice,
                            candidates.getAddress(),
                            made[CANDIDATES],
                            results.getAddress(),
                            mostPairs,
                            counted.getAddress());
            long pairs = DeviceArrays.readLongs(counted, PAIRS, 1)[0];
            if (pairs > mostPairs) {
                return false;
            }
            found.add(DeviceArrays.readLongs(results, 0, (int) pairs));
            counts.keys += made[KEYS];
            counts.candidates += made[CANDIDATES];
            counts.verified += made[CANDIDATES];
            scratch.free(counted);
            return true;
        }
    }
}
