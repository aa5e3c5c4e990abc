package dev.bellman.recurrence;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.recurrence.instance.DeviceInstance;
import dev.bellman.recurrence.instance.Operator;
import java.util.stream.LongStream;

/**
 * Runs {@link ModularSeries} on the GPU, with the same steps. Series and transforms are device addresses. See {@code
 * recurrence/series.cu}.
 */
final class ModularSeriesOnGpu {
    /** The maximum number of elements in a table. Longer transforms would take too much memory. */
    private static final int MAX_ELEMENTS = 1 << 26;

    /** The minimum number of candidates for which power series are faster than tiles. */
    private static final long CANDIDATES = 1L << 31;

    private static final int PRIMES = PrimeTransform.ALL.size();
    private static final ModuleInterface SERIES = ModuleInterface.of("recurrence/series");
    private static final int BLOCK = SERIES.constant("BLOCK");
    /** The number of levels of a transform whose values fit in a block's memory. */
    private static final int TILE = Integer.numberOfTrailingZeros(SERIES.constant("TILE"));
    /**
     * The maximum number of levels that one pass performs on values that are far apart. It is chosen so that a tile has
     * room for 16 neighbours of each value.
     */
    private static final int DEPTH = 7;

    private final CudaModule module = CudaModule.load("recurrence/series");
    private final Scratch scratch;
    private final int farthest;
    private final ModularSeries.Modulus modulus;
    private final int most;
    private final long marks;
    private final long roots;
    private final long product;
    private final long factor;

    private ModularSeriesOnGpu(Scratch scratch, DeviceInstance instance) {
        this.scratch = scratch;
        farthest = instance.farthest();
        modulus = ModularSeries.Modulus.of(instance.modulus());
        most = most(instance);
        marks = scratch.filled(farthest + 1L, (byte) 0).getAddress();
        roots = transforms();
        product = transforms();
        factor = transforms();
        module.kernel("series_marks")
                .threads(instance.stages(), BLOCK)
                .launch(instance.offsets(), instance.stages(), marks);
        long[] orders = PrimeTransform.ALL.stream()
                .flatMapToLong(PrimeTransform::orders)
                .toArray();
        DeviceMemoryBuffer written = DeviceArrays.writeLongs(scratch, orders);
        module.kernel("series_roots").grid(blocks(most)).block(BLOCK).launch(written.getAddress(), most, roots);
    }

    /** Whether this method is the fastest and fits in the memory. */
    static boolean serves(DeviceInstance instance, GpuMemory memory) {
        return instance.is(Operator.Kind.SUM_MOD)
                && instance.length() <= MAX_ELEMENTS
                && (long) instance.missing() * instance.stages() >= CANDIDATES
                && bytes(instance) <= memory.perInstance();
    }

    /**
     * Returns the approximate number of bytes for all arrays: four transforms, and series that have up to as many terms
     * as a transform has values.
     */
    private static long bytes(DeviceInstance instance) {
        return Long.BYTES * (long) most(instance) * (4 * PRIMES + 4);
    }

    /** Computes the elements that are not initial. */
    static void solve(DeviceInstance instance) {
        try (Scratch scratch = new Scratch()) {
            new ModularSeriesOnGpu(scratch, instance)
                    .solve(
                            instance.table() + Long.BYTES * (long) instance.start(),
                            instance.missing(),
                            instance.nearest());
        }
    }

    /** Returns the number of values in the largest transform. */
    private static int most(DeviceInstance instance) {
        return Math.max(
                ModularSeries.size(instance.missing()),
                ModularSeries.numeratorSize(instance.farthest(), instance.missing()));
    }

    /** Computes the elements that follow the initial ones. */
    private void solve(long table, int missing, int nearest) {
        int size = ModularSeries.size(missing);
        int half = size / 2;
        int terms = Math.min(missing, farthest);
        long numerator = numerator(table, missing, terms);
        long inverse = inverse(half, nearest);
        int low = Math.min(half, missing);
        int high = missing - low;

        load(inverse, half, size, factor);
        load(numerator, Math.min(half, terms), size, product);
        multiply(size, factor);
        combine(size, 0, low, table);

        long rest = series(high);
        load(table, low, size, product);
        long denominator = transforms();
        loadOffsets(modulus.one(), modulus.value() - 1, size, denominator);
        multiply(size, denominator);
        combine(size, half, high, true, numerator + Long.BYTES * (long) half, Math.max(0, terms - half), rest);
        load(rest, high, size, product);
        multiply(size, factor);
        combine(size, 0, high, table + Long.BYTES * (long) low);
    }

    private long numerator(long table, int missing, int terms) {
        int size = ModularSeries.numeratorSize(farthest, missing);
        long numerator = series(terms);
        load(table - Long.BYTES * (long) farthest, farthest, size, product);
        loadOffsets(0, modulus.one(), size, factor);
        multiply(size, factor);
        combine(size, farthest, terms, numerator);
        return numerator;
    }

    private long inverse(int terms, int nearest) {
        long inverse = scratch.filled(Long.BYTES * (long) terms, (byte) 0).getAddress();
        // the first term is 1, or 0 if the modulus is 1; set its lowest byte, because all other bytes are already 0
        Cuda.asyncMemset(inverse, (byte) modulus.one(), 1);
        long error = series(terms);
        for (int known = Math.min(terms, Integer.highestOneBit(nearest)); known < terms; known *= 2) {
            int size = 2 * known;
            load(inverse, known, size, factor);
            loadOffsets(modulus.one(), modulus.value() - 1, size, product);
            multiply(size, factor);
            combine(size, known, known, error);
            load(error, known, size, product);
            multiply(size, factor);
            combine(size, 0, known, true, 0, 0, inverse + Long.BYTES * (long) known);
        }
        return inverse;
    }

    private long transforms() {
        return series(PRIMES * (long) most);
    }

    private long series(long terms) {
        return scratch.allocateLongs(terms).getAddress();
    }

    /** Returns the number of blocks for which each thread processes one value of one prime's transform. */
    private static int blocks(int size) {
        return PRIMES * ((size + BLOCK - 1) / BLOCK);
    }

    /** Transforms a series. */
    private void load(long series, int count, int size, long values) {
        module.kernel("series_load").grid(blocks(size)).block(BLOCK).launch(series, count, size, values);
        transform("series_forward", size, values);
    }

    /** Transforms the series that has one term at 0 and one term at each offset. */
    private void loadOffsets(long atZero, long atOffsets, int size, long values) {
        module.kernel("series_load_marks")
                .grid(blocks(size))
                .block(BLOCK)
                .launch(marks, farthest + 1, atZero, atOffsets, size, values);
        transform("series_forward", size, values);
    }

    /** Multiplies {@link #product} by a second transform and transforms the result back. */
    private void multiply(int size, long other) {
        module.kernel("series_multiply").grid(blocks(size)).block(BLOCK).launch(size, product, other);
        transform("series_inverse", size, product);
    }

    /**
     * Runs all passes over the values. Each pass performs some of the levels. One pass combines values that are close
     * together, in blocks of adjacent values; all others combine values that are far apart, in tiles.
     */
    private void transform(String kernel, int size, long values) {
        int levels = Integer.numberOfTrailingZeros(size);
        int near = Math.min(levels, TILE);
        int far = levels - near;
        int passes = (far + DEPTH - 1) / DEPTH;
        boolean forward = kernel.equals("series_forward");
        for (int i = 0; i <= passes; i++) {
            int pass = forward ? i : passes - i;
            int from = pass < passes ? far * pass / passes : far;
            int depth = pass < passes ? far * (pass + 1) / passes - from : near;
            int columns = pass < passes ? 1 << TILE - depth : 1;
            module.kernel(kernel)
                    .grid(PRIMES * (size / (columns << depth)))
                    .block(BLOCK)
                    .launch(roots, most, size, depth, 1 << levels - from - depth, columns, values);
        }
    }

    private void combine(int size, int from, int count, long result) {
        combine(size, from, count, false, 0, 0, result);
    }

    private void combine(int size, int from, int count, boolean negated, long minuend, int minuendCount, long result) {
        long[] scales = PrimeTransform.ALL.stream()
                .flatMapToLong(prime -> LongStream.of(prime.scale(size)))
                .toArray();
        module.kernel("series_combine")
                .threads(count, BLOCK)
                .launch(
                        product,
                        size,
                        from,
                        count,
                        scales[0],
                        scales[1],
                        scales[2],
                        modulus.value(),
                        modulus.second().residue(),
                        modulus.second().shifted(),
                        modulus.third().residue(),
                        modulus.third().shifted(),
                        negated ? 1 : 0,
                        minuend,
                        minuendCount,
                        result);
    }
}
