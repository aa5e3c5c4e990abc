package dev.bellman.align.bits;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;

/**
 * Solves long pairs from both ends, which takes about half the time if there are too few pairs to fill the GPU. The
 * pattern and the first half of the text form one pair; the reversed pattern and the reversed second half form another.
 * An optimal path through the whole table crosses the middle in the row where the sum of the two halves' values is best
 * (Hirschberg 1975).
 *
 * <p>For both halves together, a pair needs the memory that {@link PairStripes} describes. It also needs memory for the
 * symbols of its pattern and half of its text, and for two columns of its table: 8 bytes per 32 rows, or 16 for edit
 * distance.
 */
final class PairHalves implements AutoCloseable {
    private static final int HALVE_BLOCK = 256;
    private static final int JOIN_BLOCK = 1024;
    private static final int ROWS_PER_WORD = 32;

    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer growths;

    /**
     * Solves all pairs of a class.
     *
     * @param kernels the prefix of the kernel names
     * @param lengths the lengths of the pairs, as {@link PairGroups#lengths} returns them
     * @param savedBytes the number of bytes that the problem's kernels store for each word of a column
     */
    PairHalves(CudaModule module, String kernels, PairGroups groups, PairClass group, int[] lengths, int savedBytes) {
        int count = group.count();
        boolean wide = group.symbols().isWide();
        int[] halfLengths = new int[4 * count];
        long[] turnedAt = new long[count];
        long[] columnAt = new long[2 * count];
        long turnedBytes = 0;
        long words = 0;
        for (int i = 0; i < count; i++) {
            int pattern = lengths[2 * i];
            int text = lengths[2 * i + 1];
            int patternWords = (int) ((pattern + ROWS_PER_WORD - 1L) / ROWS_PER_WORD);
            halfLengths[4 * i] = pattern;
            halfLengths[4 * i + 1] = text / 2;
            halfLengths[4 * i + 2] = pattern;
            halfLengths[4 * i + 3] = text - text / 2;
            turnedAt[i] = turnedBytes;
            turnedBytes += (wide ? Integer.BYTES : 1) * ((long) pattern + text - text / 2);
            columnAt[2 * i] = words;
            columnAt[2 * i + 1] = words + patternWords;
            words += 2L * patternWords;
        }
        try {
            long pairs = groups.address(group.first());
            DeviceMemoryBuffer turnedPlaces = DeviceArrays.writeLongs(scratch, turnedAt);
            DeviceMemoryBuffer turned = scratch.allocate(turnedBytes);
            DeviceMemoryBuffer halves = scratch.allocate(2L * PairGroups.PAIR_BYTES * count);
            CudaModule batch = CudaModule.load("align/pair_batch");
            batch.kernel("pair_halve")
                    .grid(Math.multiplyExact(batch.constant("HALVE_BLOCKS"), count))
                    .block(HALVE_BLOCK)
                    .launch(pairs, wide ? 1 : 0, turnedPlaces.getAddress(), turned.getAddress(), halves.getAddress());
            DeviceMemoryBuffer places = DeviceArrays.writeLongs(scratch, columnAt);
            DeviceMemoryBuffer columns = scratch.allocate(savedBytes * words);
            for (int first = 0; first < 2 * count; ) {
                try (PairStripes solved = PairStripes.columns(
                        module,
                        kernels,
                        group,
                        halves.getAddress(),
                        halfLengths,
                        first,
                        places.getAddress(),
                        columns.getAddress())) {
                    first = solved.end();
                }
            }
            growths = scratch.allocateInts(count);
            module.kernel(kernels + "_join")
                    .grid(count)
                    .block(JOIN_BLOCK)
                    .launch(pairs, places.getAddress(), columns.getAddress(), growths.getAddress());
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
    }

    /** Returns the device address of one int32 per pair: the increase of the values along the last column. */
    long growths() {
        return growths.getAddress();
    }

    @Override
    public void close() {
        scratch.close();
    }
}
