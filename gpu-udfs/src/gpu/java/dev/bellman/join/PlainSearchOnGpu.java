package dev.bellman.join;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.LetterMeasure;
import dev.bellman.join.measure.Limits;
import dev.bellman.join.measure.Measure;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compares each string with all later strings whose lengths permit a pair, on the GPU; see {@code join/plain.cu}. The
 * strings, which are ordered by length, are divided into ranges of strings with equal lengths. A range with too many
 * pairs is split in half.
 */
final class PlainSearchOnGpu extends PairSearch {
    static final ModuleInterface PLAIN = ModuleInterface.of("join/plain");
    private static final int PAIRS = PLAIN.constant("PLAIN_PAIRS");
    private static final int VERIFIED = PLAIN.constant("PLAIN_VERIFIED");
    private static final int COUNTS = 2;
    private static final int BLOCK = PLAIN.constant("PLAIN_BLOCK");
    private static final int ROWS = PLAIN.constant("PLAIN_ROWS");
    private static final int COLUMNS = PLAIN.constant("PLAIN_COLUMNS");

    /** The maximum number of strings in a range. */
    private static final int RANGE = 128 * ROWS;

    /** The number of pairs at which a batch ends. */
    private static final int ENOUGH = 1 << 20;

    private static final int MAX_PAIRS = 1 << 24;

    /** A range in the kernel's layout ({@code PlainRange}). */
    record PlainRange(
            long apart,
            double least,
            int xFrom,
            int xEnd,
            int yFrom,
            int yEnd,
            int n,
            int m,
            int prefixes,
            int measure) {}

    /** Strings of equal length, from {@code from} (inclusive) to {@code end} (exclusive). */
    private record Range(int from, int end) {}

    private final Strings strings;
    private final Limits limits;
    private final Runnable checkpoint;
    private final Deque<Range> ranges = new ArrayDeque<>();
    /** The strings in GPU memory, from the first batch until this search is closed. */
    private StringsOnGpu onGpu;

    PlainSearchOnGpu(Strings strings, Limits limits, int part, int parts, Runnable checkpoint) {
        this.strings = strings;
        this.limits = limits;
        this.checkpoint = checkpoint;
        int number = 0;
        for (int length = 0; length <= strings.longest(); length++) {
            for (int from = strings.first(length); from < strings.first(length + 1); from += RANGE) {
                if (number++ % parts == part) {
                    ranges.add(new Range(from, Math.min(from + RANGE, strings.first(length + 1))));
                }
            }
        }
    }

    /** Returns the memory that a search takes on the GPU in addition to the strings, in bytes. */
    static long bytes(Strings strings) {
        return (long) Long.BYTES * mostPairs(strings);
    }

    /** Returns the maximum number of pairs in a range; it is at least the number of pairs of one string. */
    private static int mostPairs(Strings strings) {
        return Math.max(MAX_PAIRS, strings.count());
    }

    @Override
    public boolean advance() {
        found.clear();
        if (ranges.isEmpty()) {
            close();
            return false;
        }
        Cuda.autoSetDevice();
        Cancellation.acquire(StringsOnGpu.SEARCH);
        try (Scratch scratch = new Scratch()) {
            if (onGpu == null) {
                onGpu = StringsOnGpu.use(strings, 0, 0);
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

    /** The device memory of a batch in addition to the strings. */
    private final class OnDevice {
        private final Kernel kernel = CudaModule.load("join/plain").kernel("join_plain");
        private final int mostPairs = mostPairs(strings);
        private final int prefixes;
        private final int measure;
        private final double least;
        private final DeviceMemoryBuffer apart;
        private final DeviceMemoryBuffer pairs;
        private final DeviceMemoryBuffer counted;

        OnDevice(Scratch scratch) {
            Measure of = limits.measure();
            prefixes = of instanceof LetterMeasure letters ? letters.prefixes() : 0;
            if (of instanceof Jaro jaro) {
                measure = PLAIN.constant(jaro.winkler() ? "JARO_WINKLER" : "JARO");
                least = jaro.least();
            } else {
                measure = PLAIN.constant("RATIO");
                least = ((IndelRatio) of).least();
            }
            apart = DeviceArrays.writeInts(scratch, apart());
            pairs = scratch.allocateLongs(mostPairs);
            counted = scratch.allocateLongs(COUNTS);
        }

        /**
         * Returns the maximum number of differences between two signatures, for each pair of string lengths and each
         * length of a common prefix.
         */
        private int[] apart() {
            int lengths = strings.longest() + 1;
            int[] all = new int[lengths * lengths * (prefixes + 1)];
            for (int n = 0; n < lengths; n++) {
                for (int m = n; m < lengths; m++) {
                    for (int prefix = 0; prefix <= prefixes; prefix++) {
                        all[at(n, m) + prefix] = limits.apart(n, m, prefix);
                    }
                }
            }
            return all;
        }

        private int at(int n, int m) {
            return (n * (strings.longest() + 1) + m) * (prefixes + 1);
        }

        void search() {
            while (!ranges.isEmpty() && found.count() < ENOUGH) {
                checkpoint.run();
                Range range = ranges.pop();
                if (!search(range)) {
                    int middle = range.from() + range.end() >>> 1;
                    ranges.push(new Range(middle, range.end()));
                    ranges.push(new Range(range.from(), middle));
                }
            }
        }

        /** Searches a range. Returns false if the range has too many pairs. */
        private boolean search(Range range) {
            Cuda.asyncMemset(counted.getAddress(), (byte) 0, counted.getLength());
            int n = strings.length(range.from());
            long compared = 0;
            for (int m = n; m <= Math.min(strings.longest(), limits.longestPartner(n)); m++) {
                int yFrom = m == n ? range.from() + 1 : strings.first(m);
                int yEnd = strings.first(m + 1);
                if (yFrom < yEnd && limits.apart(n, m) >= 0) {
                    compared += (long) (range.end() - range.from()) * (yEnd - yFrom);
                    compare(range, n, yFrom, yEnd, m);
                }
            }
            long[] counts = DeviceArrays.readLongs(counted, 0, COUNTS);
            if (counts[PAIRS] > mostPairs) {
                return false;
            }
            found.add(DeviceArrays.readLongs(pairs, 0, (int) counts[PAIRS]));
            PlainSearchOnGpu.this.counts.compared += compared;
            PlainSearchOnGpu.this.counts.candidates += counts[VERIFIED];
            PlainSearchOnGpu.this.counts.verified += counts[VERIFIED];
            return true;
        }

        private void compare(Range range, int n, int yFrom, int yEnd, int m) {
            long tiles = (long) tiles(range.end() - range.from(), ROWS) * tiles(yEnd - yFrom, COLUMNS);
            kernel.grid(Math.toIntExact(tiles))
                    .block(BLOCK)
                    .launch(
                            onGpu.strings(),
                            new PlainRange(
                                    apart.getAddress() + (long) Integer.BYTES * at(n, m),
                                    least,
                                    range.from(),
                                    range.end(),
                                    yFrom,
                                    yEnd,
                                    n,
                                    m,
                                    prefixes,
                                    measure),
                            pairs.getAddress(),
                            (long) mostPairs,
                            counted.getAddress());
        }

        private static int tiles(int strings, int size) {
            return (strings + size - 1) / size;
        }
    }
}
