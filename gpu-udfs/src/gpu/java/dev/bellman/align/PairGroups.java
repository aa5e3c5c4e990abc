package dev.bellman.align;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.FunctionOptions;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.columns.Batch;
import dev.bellman.columns.CpuFunction;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;

/**
 * Groups the pairs of a batch by {@linkplain PairClass class} on the GPU, so that short pairs do not wait for long
 * ones. Strings that are not ASCII are decoded to characters. Null rows do not belong to any group.
 */
public final class PairGroups {
    /**
     * A pair in the kernels' layout ({@code Pair} in {@code pairs.cuh}): the addresses and lengths of its two strings,
     * its row, and whether the pattern is the second string.
     */
    record Pair(long pattern, long text, int patternLength, int textLength, int row, int swapped) {}

    public static final int PAIR_BYTES = Struct.of(Pair.class).bytes();
    private static final int CLASSIFY_BLOCK = 256;
    private static final int LONGS_PER_TILE = 4;
    private static final int WORDS_PER_TILE = 8;

    private final CudaModule module = CudaModule.load("align/pair_batch");
    private final Batch batch;
    private final DeviceColumn a;
    private final DeviceColumn b;
    private final Instances instances;
    private final DeviceMemoryBuffer pairs;
    private final int[] firsts = new int[PairClass.COUNT + 1];

    /** Returns the address of each row's maximum distance, or 0 if there is no limit. */
    public static long limits(Batch batch, SolverCall call) {
        int max = call.column("max");
        return max < 0 ? 0 : batch.ints(max).values();
    }

    /**
     * Groups the pairs for kernels that compute one number for each pair. Token arrays are coded as strings; the CPU
     * solves pairs that are too large to be coded.
     */
    public static PairGroups scores(Batch batch, SolverCall call) {
        return of(batch, call, "VALUES", Instances.UNLIMITED);
    }

    /** Works like {@link #scores(Batch, SolverCall)} for strings that were computed from the arguments. */
    public static PairGroups scores(
            Batch batch, FunctionOptions options, CpuFunction onCpu, DeviceColumn a, DeviceColumn b) {
        return new PairGroups(batch, options, onCpu, a, b, "VALUES", Instances.UNLIMITED);
    }

    /** Groups the pairs for kernels that search for the first string in the second. */
    public static PairGroups searches(Batch batch, SolverCall call) {
        return of(batch, call, "SEARCHES", Instances.UNLIMITED);
    }

    /** Works like {@link #searches(Batch, SolverCall)} for strings that were computed from the arguments. */
    public static PairGroups searches(Batch batch, SolverCall call, DeviceColumn a, DeviceColumn b) {
        return new PairGroups(batch, call.options(), call::onCpu, a, b, "SEARCHES", Instances.UNLIMITED);
    }

    /**
     * Groups the pairs for kernels that find a path for each pair. Token arrays are coded as strings. The CPU solves
     * pairs that are too large to be coded, and pairs whose tables do not fit on the GPU.
     *
     * @param savedBytes the number of bytes that the problem's kernels store for each word of a column
     */
    public static PairGroups paths(Batch batch, SolverCall call, int savedBytes) {
        int bytesPerTile = Long.BYTES * LONGS_PER_TILE + savedBytes * WORDS_PER_TILE;
        int most = GpuMemory.ofSession().largest(Integer.MAX_VALUE - 1, tiles -> (long) bytesPerTile * tiles);
        return of(batch, call, "PATHS", key -> most);
    }

    private static PairGroups of(Batch batch, SolverCall call, String wanted, IntUnaryOperator limit) {
        if (call.type(0) instanceof ArrayType array) {
            TokenStrings coded = TokenStrings.of(batch, array.elementType());
            PairGroups groups = new PairGroups(batch, call.options(), call::onCpu, coded.a(), coded.b(), wanted, limit);
            groups.leaveToCpu(coded.left());
            return groups;
        }
        return new PairGroups(batch, call.options(), call::onCpu, batch.strings(0), batch.strings(1), wanted, limit);
    }

    /** @param wanted the name of a {@code Purpose} in {@code pair_batch.cu} */
    private PairGroups(
            Batch batch,
            FunctionOptions options,
            CpuFunction onCpu,
            DeviceColumn a,
            DeviceColumn b,
            String wanted,
            IntUnaryOperator limit) {
        this.batch = batch;
        this.a = a;
        this.b = b;
        int rows = batch.rows();
        int purpose = module.constant(wanted);
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer lengths = scratch.allocateInts(2L * rows);
        DeviceMemoryBuffer wide = scratch.filled(Long.BYTES, (byte) 0);
        Kernel classify = module.kernel("pair_classify");
        long blocks = ((long) rows * module.constant("CLASSIFY_LANES") + CLASSIFY_BLOCK - 1) / CLASSIFY_BLOCK;
        instances = new Instances(batch, options, onCpu, PairClass.COUNT, limit, classified -> classify.grid(
                        (int) Math.min(blocks, classify.residentBlocks(CLASSIFY_BLOCK, 0)))
                .block(CLASSIFY_BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        a.offsets(),
                        a.values(),
                        b.offsets(),
                        b.values(),
                        purpose,
                        lengths.getAddress(),
                        wide.getAddress(),
                        classified));
        for (Instances.Group group : instances.groups()) {
            firsts[group.key() + 1] = group.count();
        }
        for (int i = 0; i < PairClass.COUNT; i++) {
            firsts[i + 1] += firsts[i];
        }
        int count = firsts[PairClass.COUNT];
        pairs = batch.allocate((long) PAIR_BYTES * count);
        module.kernel("pair_list")
                .threads(count, CLASSIFY_BLOCK)
                .launch(
                        count,
                        instances.order().getAddress(),
                        a.offsets(),
                        a.values(),
                        b.offsets(),
                        b.values(),
                        purpose,
                        lengths.getAddress(),
                        pairs.getAddress());
        scratch.free(lengths);
        if (hasWidePairs()) {
            decode(DeviceArrays.readLongs(wide, 0, 1)[0]);
        }
        scratch.free(wide);
    }

    private void decode(long characters) {
        DeviceMemoryBuffer decoded = batch.allocateInts(characters);
        DeviceMemoryBuffer taken = batch.scratch().filled(Long.BYTES, (byte) 0);
        int first = firsts[firstWide()];
        int count = firsts[PairClass.COUNT] - first;
        module.kernel("pair_decode")
                .warps(count, CLASSIFY_BLOCK)
                .launch(address(first), count, a.offsets(), b.offsets(), decoded.getAddress(), taken.getAddress());
    }

    private static int firstWide() {
        return Symbols.WIDE.ordinal() * PairClass.SHAPES * PairClass.TEXT_CLASSES;
    }

    private boolean hasWidePairs() {
        return firsts[firstWide()] < firsts[PairClass.COUNT];
    }

    /** Returns the first strings of all rows. */
    public DeviceColumn a() {
        return a;
    }

    /** Returns the second strings of all rows. */
    public DeviceColumn b() {
        return b;
    }

    /** Returns the non-empty classes, merged if they have the same alphabet and shape. */
    public List<PairClass> shapes() {
        return classes(PairClass.TEXT_CLASSES);
    }

    /** Returns the non-empty classes. */
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

    /** Returns the number of pairs. */
    public int count() {
        return firsts[PairClass.COUNT];
    }

    /** Returns the device address of a pair, given its index in the groups. */
    public long address(int place) {
        return pairs.getAddress() + (long) PAIR_BYTES * place;
    }

    /** Returns the lengths of a class's pairs in the order pattern, text, pattern, text, and so on. */
    public int[] lengths(PairClass group) {
        return structs(group)
                .flatMapToInt(pair -> IntStream.of(pair.patternLength(), pair.textLength()))
                .toArray();
    }

    /** Returns the rows of the batch that contain a class's pairs. */
    public int[] rows(PairClass group) {
        return structs(group).mapToInt(Pair::row).toArray();
    }

    private Stream<Pair> structs(PairClass group) {
        return DeviceArrays.readStructs(pairs, group.first(), group.count(), Pair.class).stream();
    }

    /** See {@link Instances#classified}. */
    public Instances.Classified classified() {
        return instances.classified();
    }

    /** See {@link Instances#regroup}. */
    public void regroup() {
        instances.regroup();
    }

    /** Assigns rows that are too large for the GPU to the CPU. */
    public void leaveToCpu(List<Integer> rows) {
        instances.leaveToCpu(rows);
    }
}
