package dev.bellman.align;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.StringColumn;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;

/**
 * The pairs of a batch grouped by {@linkplain PairClass class} on the GPU, so that a short pair does not wait for a long one. Pairs
 * that are not ASCII are decoded to characters. Null rows are in no group.
 */
public final class PairGroups {
    /** What is asked of the pairs. */
    public enum Purpose {
        /** A number; the shorter string is the pattern, whose symbols go down the table. */
        SCORE,
        /** A way through the table; {@code a} is the pattern. */
        PATH
    }

    public static final int PAIR_BYTES = 32;
    private static final int PAIR_INTS = PAIR_BYTES / Integer.BYTES;
    private static final int CLASSIFY_BLOCK = 256;
    private static final int LANES_PER_ROW = 2;
    private static final int GROUP_BLOCK = 1024;
    private static final int WARP = 32;

    private final CudaModule module = CudaModule.load("align/pair_batch");
    private final Batch batch;
    private final StringColumn a;
    private final StringColumn b;
    private final DeviceMemoryBuffer pairs;
    private final long cells;
    private final int[] firsts = new int[PairClass.COUNT + 1];

    public PairGroups(Batch batch, Purpose purpose) {
        this.batch = batch;
        a = batch.strings(0);
        b = batch.strings(1);
        int rows = batch.rows();
        pairs = batch.allocate((long) PAIR_BYTES * rows);
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer keys = scratch.allocate(4L * rows);
        DeviceMemoryBuffer lengths = scratch.allocate(8L * rows);
        long sizesBytes = 4L * PairClass.COUNT;
        DeviceMemoryBuffer sizes = scratch.filled(sizesBytes + 2 * Long.BYTES, (byte) 0);
        long wide = sizes.getAddress() + sizesBytes;
        int paths = purpose == Purpose.PATH ? 1 : 0;

        Kernel classify = module.kernel("pair_classify");
        long blocks = ((long) rows * LANES_PER_ROW + CLASSIFY_BLOCK - 1) / CLASSIFY_BLOCK;
        classify.grid((int) Math.min(blocks, classify.residentBlocks(CLASSIFY_BLOCK, 0)))
                .block(CLASSIFY_BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        a.offsets(),
                        a.bytes(),
                        b.offsets(),
                        b.bytes(),
                        paths,
                        keys.getAddress(),
                        lengths.getAddress(),
                        sizes.getAddress(),
                        wide,
                        wide + Long.BYTES);
        int[] counted = DeviceArrays.readInts(sizes, 0, PairClass.COUNT + 4);
        cells = longAt(counted, PairClass.COUNT + 2);
        for (int i = 0; i < PairClass.COUNT; i++) {
            firsts[i + 1] = firsts[i] + counted[i];
        }
        DeviceMemoryBuffer places = DeviceArrays.writeInts(scratch, firsts);
        module.kernel("pair_group")
                .threads(rows, GROUP_BLOCK)
                .launch(
                        rows,
                        a.offsets(),
                        a.bytes(),
                        b.offsets(),
                        b.bytes(),
                        paths,
                        keys.getAddress(),
                        lengths.getAddress(),
                        places.getAddress(),
                        pairs.getAddress());
        scratch.free(keys);
        scratch.free(lengths);
        scratch.free(places);
        if (hasWidePairs()) {
            decode(longAt(counted, PairClass.COUNT));
        }
        scratch.free(sizes);
    }

    private static long longAt(int[] values, int index) {
        return (long) values[index + 1] << Integer.SIZE | values[index] & 0xffffffffL;
    }

    /** The cells of the tables of all pairs. */
    public long cells() {
        return cells;
    }

    private void decode(long characters) {
        DeviceMemoryBuffer decoded = batch.allocate(4 * characters);
        DeviceMemoryBuffer taken = batch.scratch().filled(Long.BYTES, (byte) 0);
        int first = firsts[firstWide()];
        int count = firsts[PairClass.COUNT] - first;
        module.kernel("pair_decode")
                .threads((long) WARP * count, CLASSIFY_BLOCK)
                .launch(address(first), count, a.offsets(), b.offsets(), decoded.getAddress(), taken.getAddress());
    }

    private static int firstWide() {
        return Symbols.WIDE.ordinal() * PairClass.SHAPES * PairClass.TEXT_CLASSES;
    }

    private boolean hasWidePairs() {
        return firsts[firstWide()] < firsts[PairClass.COUNT];
    }

    /** The classes that have pairs, those of one alphabet and shape as one. */
    public List<PairClass> shapes() {
        return classes(PairClass.TEXT_CLASSES);
    }

    /** The classes that have pairs. */
    public List<PairClass> classes() {
        return classes(1);
    }

    private List<PairClass> classes(int together) {
        List<PairClass> classes = new ArrayList<>();
        for (int i = 0; i < PairClass.COUNT; i += together) {
            if (firsts[i + together] > firsts[i]) {
                int shape = i / PairClass.TEXT_CLASSES;
                classes.add(new PairClass(
                        Symbols.values()[shape / PairClass.SHAPES],
                        shape % PairClass.SHAPES,
                        i % PairClass.TEXT_CLASSES,
                        firsts[i],
                        firsts[i + together] - firsts[i]));
            }
        }
        return classes;
    }

    /** The device address of a pair, by its place in the groups. */
    public long address(int place) {
        return pairs.getAddress() + (long) PAIR_BYTES * place;
    }

    /** The lengths of the pairs of a class: pattern, text, pattern, text... */
    public int[] lengths(PairClass group) {
        int[] read = DeviceArrays.readInts(pairs, PAIR_INTS * group.first(), PAIR_INTS * group.count());
        int[] lengths = new int[2 * group.count()];
        for (int i = 0; i < group.count(); i++) {
            lengths[2 * i] = read[PAIR_INTS * i + 4];
            lengths[2 * i + 1] = read[PAIR_INTS * i + 5];
        }
        return lengths;
    }
}
