package dev.bellman.join;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * On the GPU, finds the pairs in a slice of the hash space by deletion, using the keys and owners that
 * {@link DeletionKeys} defines. Keys are inserted into a hash table; see {@code join/deletion.cu}. A slice that
 * overflows the hash table or a list is split in half.
 *
 * <p>Only one search at a time uses the GPU, with all of the memory that is reserved for searches. Its results are
 * copied to the host before the next search begins.
 */
final class DeletionSearchOnGpu extends PairSearch {
    static final ModuleInterface DELETION = ModuleInterface.of("join/deletion");
    private static final int KEYS = DELETION.constant("KEYS");
    private static final int CANDIDATES = DELETION.constant("CANDIDATES");
    private static final int PAIRS = DELETION.constant("PAIRS");
    private static final int COUNTS = 3;
    private static final int KEYS_BLOCK = DELETION.constant("KEYS_BLOCK");
    private static final int VERIFY_BLOCK = DELETION.constant("VERIFY_BLOCK");
    static final int MAX_EDITS = DELETION.constant("MAX_EDITS");
    /** The maximum number of a key's first characters that determine its slice. */
    static final int LONGEST_BEGINNING = DELETION.constant("LONGEST_BEGINNING");

    private static final int CANDIDATE_BYTES = 2 * Long.BYTES;

    /** The maximum number of keys per string. If a string may have more keys, the CPU computes the whole join. */
    private static final double MAX_KEYS = 5_000;
    /** The maximum load factor of the hash table. */
    private static final double FULL = 0.8;

    private static final int MIN_TABLE = 12;
    private static final int MAX_TABLE = 33;
    /**
     * The fraction of an instance's memory that the hash table takes; the rest is for strings, candidates and pairs.
     */
    private static final double TABLE = 0.4;

    private static final double LISTS = 0.3;
    private static final long MAX_CANDIDATES = 1L << 30;
    /**
     * The number of bits at which splitting stops, because a slice that still does not fit probably has a single key.
     */
    private static final int MAX_BITS = 40;
    /**
     * The maximum number of pairs in a slice. A batch ends once its slices have this many pairs in total. The host
     * stores pairs in an array, which needs twice the memory while it grows.
     */
    private static final long MAX_PAIRS = 1L << 25;

    /** A slice in the kernels' layout ({@code JoinSlice}). */
    record JoinSlice(long number, long low, int beginning, int beginningBits, int begins, int bits, int shift) {}

    private final Strings strings;
    private final int k;
    private final int begins;
    private final Deque<HashSlice> slices = new ArrayDeque<>();
    /** The expected number of keys in the next slice, which determines the sizes of the hash table and the lists. */
    private double keysExpected;

    private final Runnable checkpoint;
    /** The strings in GPU memory, from the first batch until this search is closed. */
    private StringsOnGpu onGpu;

    /**
     * @param begins the number of a key's first characters that determine its slice; 0 if all characters do
     * @param keysExpected the expected number of keys in the slice
     */
    DeletionSearchOnGpu(Strings strings, int k, int begins, HashSlice slice, double keysExpected, Runnable checkpoint) {
        this.strings = strings;
        this.k = k;
        this.begins = begins;
        this.keysExpected = keysExpected;
        this.checkpoint = checkpoint;
        slices.push(slice);
    }

    /**
     * Whether the GPU can find the pairs, which requires short ASCII strings with few keys, and from 1 to {@link
     * #MAX_EDITS} edits.
     */
    static boolean serves(StringTotals strings, int k) {
        return k >= 1
                && k <= MAX_EDITS
                && strings.longest() < StringsOnGpu.LONGEST
                && DeletionKeys.most(strings.longest(), k) <= MAX_KEYS
                && strings.allAscii();
    }

    /** Whether these strings fit in GPU memory in addition to the hash table and the lists. */
    static boolean fits(Strings strings) {
        return StringsOnGpu.bytes(strings) <= GpuMemory.ofSession().perInstance() * (1 - TABLE - LISTS);
    }

    /** Whether all pairs fit in GPU memory if the given number of strings have the same key. */
    static boolean fits(double strings) {
        return strings * strings / 2 < Math.min(MAX_PAIRS, mostCandidates(GpuMemory.ofSession()));
    }

    private static long mostCandidates(GpuMemory memory) {
        return Math.min(MAX_CANDIDATES, (long) (memory.perInstance() * LISTS) / 2 / CANDIDATE_BYTES);
    }

    /** Returns the maximum number of keys in a slice that is searched at once. */
    static double maxKeys() {
        return FULL * (1L << logOfTable(Double.MAX_VALUE, GpuMemory.ofSession()));
    }

    /**
     * Returns the binary logarithm of the number of slots in a hash table: enough for the given keys if the memory
     * permits.
     */
    private static int logOfTable(double keys, GpuMemory memory) {
        int fits = 63 - Long.numberOfLeadingZeros((long) (memory.perInstance() * TABLE / Long.BYTES));
        int wanted = MIN_TABLE;
        while (wanted < MAX_TABLE && (1L << wanted) * FULL / 1.4 < keys) {
            wanted++;
        }
        return Math.max(MIN_TABLE, Math.min(wanted, fits));
    }

    /** Returns the size of a hash table in bytes, which may exceed 2^31. */
    static long tableBytes(int logOfTable) {
        return (long) Long.BYTES << logOfTable;
    }

    @Override
    public boolean advance() {
        found.clear();
        if (slices.isEmpty()) {
            close();
            return false;
        }
        Cuda.autoSetDevice();
        Cancellation.acquire(StringsOnGpu.SEARCH);
        try (Scratch scratch = new Scratch()) {
            if (onGpu == null) {
                onGpu = StringsOnGpu.use(strings, k, begins);
            }
            new OnDevice(scratch).search();
        } finally {
            StringsOnGpu.SEARCH.unlock();
        }
        return true;
    }

    @Override
    public void close() {
        if (onGpu != null) {
            onGpu.close();
            onGpu = null;
        }
    }

    /** The device memory of a search in addition to the strings. */
    private final class OnDevice {
        private final CudaModule module = CudaModule.load("join/deletion");
        private final Scratch scratch;
        private final int logOfTable;
        private final DeviceMemoryBuffer table;
        private final DeviceMemoryBuffer candidates;
        private final long mostCandidates;
        private final DeviceMemoryBuffer results;
        private final long mostPairs;

        OnDevice(Scratch scratch) {
            this.scratch = scratch;
            GpuMemory memory = GpuMemory.ofSession();
            logOfTable = logOfTable(keysExpected, memory);
            table = scratch.allocate(tableBytes(logOfTable));
            long lists = (long) (memory.perInstance() * LISTS);
            mostCandidates = Math.min(1L << logOfTable + 2, mostCandidates(memory));
            candidates = scratch.allocate(CANDIDATE_BYTES * mostCandidates);
            // the hash table, of which at most half is used, then records which pairs have already been found
            mostPairs = Math.min(
                    Math.min(MAX_PAIRS, 1L << logOfTable - 1), Math.min(mostCandidates, lists / 2 / Long.BYTES));
            results = scratch.allocateLongs(mostPairs);
        }

        private JoinSlice of(HashSlice slice, int low) {
            int beginningBits = begins == 0 ? 0 : Math.min(slice.bits(), HashSlice.BEGINNING_BITS);
            int bits = slice.bits() - beginningBits;
            return new JoinSlice(
                    slice.number() & (1L << bits) - 1,
                    (1L << low) - 1,
                    (int) (slice.number() >>> bits),
                    beginningBits,
                    begins,
                    bits,
                    64 - logOfTable);
        }

        void search() {
            int low = 32 - Integer.numberOfLeadingZeros(strings.count());
            while (!slices.isEmpty() && found.count() < MAX_PAIRS) {
                checkpoint.run();
                HashSlice slice = slices.pop();
                if (search(of(slice, low))) {
                    continue;
                }
                if (slice.bits() == MAX_BITS) {
                    if (logOfTable == logOfTable(Double.MAX_VALUE, GpuMemory.ofSession())) {
                        throw new BellmanException(
                                ErrorCode.BELLMAN_LIMIT,
                                ("the join on an edit distance of at most %d: the strings that share one key form "
                                                + "more pairs than fit in the GPU's lists of %,d candidates and "
                                                + "%,d pairs. Set spark.bellman.join.gpu=false, or filter out some of "
                                                + "these strings")
                                        .formatted(k, mostCandidates, mostPairs));
                    }
                    // the next batch has a larger hash table and larger lists
                    keysExpected = Math.max(1, keysExpected) * 16;
                    slices.push(slice);
                    return;
                }
                slices.push(slice.half(1));
                slices.push(slice.half(0));
            }
        }

        /** Searches a slice. Returns false if the slice does not fit. */
        private boolean search(JoinSlice slice) {
            long slots = 1L << logOfTable;
            long maxKeys = (long) (slots * FULL);
            DeviceMemoryBuffer counted = scratch.filled(Long.BYTES * COUNTS, (byte) 0);
            Cuda.asyncMemset(table.getAddress(), (byte) 0, table.getLength());
            Kernel keys = module.kernel("join_deletion_keys");
            int blocks = Math.min(keys.residentBlocks(KEYS_BLOCK, 0), (strings.count() + KEYS_BLOCK - 1) / KEYS_BLOCK);
            keys.grid(blocks)
                    .block(KEYS_BLOCK)
                    .launch(
                            onGpu.strings(),
                            slice,
                            onGpu.ways(),
                            table.getAddress(),
                            slots,
                            maxKeys,
                            candidates.getAddress(),
                            mostCandidates,
                            counted.getAddress());
            long[] made = DeviceArrays.readLongs(counted, 0, COUNTS);
            if (made[KEYS] > maxKeys || made[CANDIDATES] > mostCandidates) {
                return false;
            }
            long seen = 2;
            while (seen < 2 * Math.min(made[CANDIDATES], mostPairs)) {
                seen *= 2;
            }
            Cuda.asyncMemset(table.getAddress(), (byte) 0, Long.BYTES * seen);
            module.kernel("join_deletion_verify")
                    .threads(made[CANDIDATES], VERIFY_BLOCK)
                    .launch(
                            onGpu.strings(),
                            slice,
                            candidates.getAddress(),
                            made[CANDIDATES],
                            table.getAddress(),
                            seen,
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
