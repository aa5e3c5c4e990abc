package dev.bellman.align.score;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.CellCounter;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Sorting;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Classifies the pairs of a batch on the GPU by the mode and scoring of each row, which are usually the same in all
 * rows, and by the shape of the table that solves the pair. The CPU solves pairs with characters that are not ASCII,
 * with values that may be too large for the kernels, in local mode with a mismatch score above 0, or with tables that
 * do not fit in memory, and extensions with many cells. It also solves pairs whose scoring is not among the first
 * {@value Schemes#MAX}.
 */
final class AlignBatch {
    /** A pair in the kernels' layout ({@code ScoredPair} in {@code scheme.cuh}). */
    record ScoredPair(long a, long b, int aLength, int bLength, int row) {}

    /** Consecutive pairs in device memory. */
    record Run(DeviceMemoryBuffer buffer, int first, int count) {
        /** Returns the device address of a pair, given its index in the run. */
        long address(int at) {
            return buffer.getAddress() + (long) Struct.of(ScoredPair.class).bytes() * (first + at);
        }

        Run from(int at) {
            return new Run(buffer, first + at, count - at);
        }

        Run upTo(int at) {
            return new Run(buffer, first, at);
        }

        List<ScoredPair> read() {
            return DeviceArrays.readStructs(buffer, first, count, ScoredPair.class);
        }
    }

    /**
     * The pairs with the same scheme and shape. {@code shape} numbers the packed tables first, then the other tables,
     * the stripes, and finally the pairs with an empty string.
     */
    record Group(int scheme, int shape, int first, int count, int largest) {}

    private static final String MODULE = "align/score/batch";
    /** The maximum number of schemes for which pairs are also grouped by the length of b. */
    private static final int FEW_SCHEMES = 8;

    private static final int TEXT_CLASSES = 16;
    private static final int BLOCK = 256;

    /** The maximum number of queries for which query profiles are used. */
    private static final int MAX_QUERIES = 1_024;

    /** The minimum average number of rows per query for which query profiles are used. */
    private static final int ROWS_OF_A_QUERY = 256;

    /** The shared memory per class, in bytes, of the kernels that count and sort rows. */
    private static final int BYTES_OF_A_CLASS = 8;

    /**
     * The shared memory, in bytes, that the kernels that count and sort rows need in addition to the memory for the
     * classes.
     */
    private static final int STATIC_BYTES = 1_024;

    private static final int MAX_PIECES = 2;

    private final Batch batch;
    private final SolverCall call;
    private final CudaModule module = CudaModule.load(MODULE);
    private final Schemes schemes;
    private final Shapes shapes;
    private final int textClasses;
    private final Instances instances;
    private final DeviceMemoryBuffer pairs;
    /** If packed tables belong to queries, the first pair of each scheme, shape and query, in ascending order. */
    private final int[] queryFirsts;

    /**
     * Classifies the rows.
     *
     * @param function the function's name, for messages
     * @param ofQuery the shapes of packed tables for many consecutive rows with the same a, which are used if all
     *     scorings use a matrix
     * @param keeps whether to store traceback directions
     * @param bytes computes the number of bytes of a table from its shape, the pieces of its gap costs and the size of
     *     a pair, as in {@code align_classify}
     */
    AlignBatch(
            Batch batch,
            SolverCall call,
            String function,
            Shapes usual,
            Shapes ofQuery,
            boolean keeps,
            TableBytes bytes) {
        this.batch = batch;
        this.call = call;
        schemes = new Schemes(batch, function);
        int[] queryStarts = ofQuery.ofQuery() && schemes.lookLettersUp() ? queryStarts() : new int[0];
        boolean hasQueries = queryStarts.length > 0;
        shapes = hasQueries ? ofQuery.within(schemes.mostLetters()) : usual;
        int kinds = Math.max(1, schemes.count()) * shapes.count();
        textClasses =
                !hasQueries && schemes.count() <= FEW_SCHEMES && areCounted(kinds * TEXT_CLASSES) ? TEXT_CLASSES : 1;
        instances = classify(kinds, hasQueries, keeps, bytes);
        int count = instances.groups().stream().mapToInt(Instances.Group::count).sum();
        queryFirsts = hasQueries ? sortByQuery(count, queryStarts) : new int[0];
        pairs = batch.allocate((long) Struct.of(ScoredPair.class).bytes() * count);
        module.kernel("align_list")
                .threads(count, BLOCK)
                .launch(
                        count,
                        instances.order().getAddress(),
                        batch.strings(0).offsets(),
                        batch.strings(0).values(),
                        batch.strings(1).offsets(),
                        batch.strings(1).values(),
                        pairs.getAddress());
    }

    /**
     * Groups the rows by scheme and shape.
     *
     * @param kinds the number of combinations of a scheme and a shape
     */
    private Instances classify(int kinds, boolean hasQueries, boolean keeps, TableBytes bytes) {
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        long validity = least() == 0 ? batch.validity() : batch.writableValidity();
        DeviceMemoryBuffer heights = DeviceArrays.writeInts(batch.scratch(), shapes.heights());
        int[][] limits = new int[1 + MAX_PIECES][shapes.count()];
        GpuMemory memory = GpuMemory.ofSession();
        for (int pieces = 1; pieces <= MAX_PIECES; pieces++) {
            for (int shape = 0; shape < shapes.count(); shape++) {
                int its = shape;
                int of = pieces;
                limits[pieces][shape] = memory.largest(Integer.MAX_VALUE - 1, size -> bytes.of(shapes, its, of, size));
            }
        }
        return new Instances(
                batch,
                call,
                kinds * textClasses,
                key -> limits[schemes.pieces(key / textClasses / shapes.count())][key / textClasses % shapes.count()],
                classified -> module.kernel("align_classify")
                        .threads((long) batch.rows() * module.constant("CLASSIFY_LANES"), BLOCK)
                        .launch(
                                batch.rows(),
                                validity,
                                a.offsets(),
                                a.values(),
                                b.offsets(),
                                b.values(),
                                schemes.ofRows(),
                                schemes.address(0),
                                textClasses,
                                heights.getAddress(),
                                shapes.packed().size(),
                                hasQueries ? 1 : 0,
                                shapes.tables().size(),
                                AlignStripes.HEIGHT,
                                AlignStripes.CROSSING_BYTES,
                                keeps ? AlignStripes.WAY_BYTES : 0,
                                least(),
                                bands(),
                                drops(),
                                classified));
    }

    /** Computes the size of a table in bytes. */
    @FunctionalInterface
    interface TableBytes {
        long of(Shapes shapes, int shape, int pieces, int size);
    }

    /**
     * Returns the first row of each run of rows that have the same a; returns an empty array if there are too many runs
     * to use a profile for each.
     */
    private int[] queryStarts() {
        int most = Math.max(1, Math.min(MAX_QUERIES, batch.rows() / ROWS_OF_A_QUERY));
        DeviceColumn a = batch.strings(0);
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer found = scratch.zeroInts(1L + most);
        module.kernel("align_find_runs")
                .threads((long) batch.rows() * module.constant("RUN_LANES"), BLOCK)
                .launch(
                        batch.rows(),
                        a.validity(),
                        a.offsets(),
                        a.values(),
                        most,
                        found.getAddress() + Integer.BYTES,
                        found.getAddress());
        return ascending(found, most);
    }

    /**
     * Sorts a list of numbers that starts with their count, and frees the list. Returns an empty array if there are
     * more than {@code most} numbers.
     */
    private int[] ascending(DeviceMemoryBuffer list, int most) {
        int[] read = DeviceArrays.readInts(list, 0, 1 + most);
        batch.scratch().free(list);
        int[] numbers = read[0] <= most ? Arrays.copyOfRange(read, 1, 1 + read[0]) : new int[0];
        Arrays.sort(numbers);
        return numbers;
    }

    /**
     * Sorts the pairs of each class by query, and the pairs of each query by the length of b, longest first, so that
     * neighbouring pairs take about the same time.
     *
     * @return the positions at which a class or a query begins, in ascending order
     */
    private int[] sortByQuery(int count, int... queryStarts) {
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer keys = scratch.allocateLongs(count);
        module.kernel("align_query_keys")
                .threads(count, BLOCK)
                .launch(
                        count,
                        instances.order().getAddress(),
                        instances.classified(),
                        DeviceArrays.writeInts(scratch, queryStarts).getAddress(),
                        queryStarts.length,
                        batch.strings(1).offsets(),
                        keys.getAddress());
        Sorting.byKey(count, keys, instances.order());
        int most = (int) Math.min(count, (long) instances.groups().size() * queryStarts.length);
        DeviceMemoryBuffer found = scratch.zeroInts(1L + most);
        module.kernel("align_query_firsts")
                .threads(count, BLOCK)
                .launch(count, keys.getAddress(), found.getAddress() + Integer.BYTES, found.getAddress());
        scratch.free(keys);
        return ascending(found, most);
    }

    /**
     * Returns where each query's pairs begin in a group, relative to the group's first pair, followed by the number of
     * pairs in the group.
     */
    int[] queryFirsts(Group group) {
        int end = group.first() + group.count();
        return IntStream.concat(
                        Arrays.stream(queryFirsts).filter(first -> first >= group.first() && first < end),
                        IntStream.of(end))
                .map(first -> first - group.first())
                .toArray();
    }

    /** Whether the GPU can group rows into the given number of classes. */
    private static boolean areCounted(int classes) {
        return BYTES_OF_A_CLASS * (classes + 1L) <= Device.current().sharedMemoryPerBlock() - STATIC_BYTES;
    }

    /** Returns the address of each row's minimum score, as int64, or 0 if there is no limit. */
    long least() {
        return values(ScoreFunctions.MIN_SCORE, DType.INT64);
    }

    /** Returns the address of each row's band, as int32, or 0 if there is no limit. */
    long bands() {
        return values(ScoreFunctions.BAND, DType.INT32);
    }

    /** Returns the address of each row's z-drop, as int32, or 0 if there is no limit. */
    long drops() {
        return values(ScoreFunctions.Z_DROP, DType.INT32);
    }

    private long values(String parameter, DType type) {
        int column = call.column(parameter);
        return column < 0 ? 0 : batch.column(column, Types.of(type)).values();
    }

    Shapes shapes() {
        return shapes;
    }

    /** Returns a group for each scheme and shape. */
    List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        for (Group group : groupsByLength()) {
            Group last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
            if (last != null && last.scheme() == group.scheme() && last.shape() == group.shape()) {
                groups.set(
                        groups.size() - 1,
                        new Group(
                                last.scheme(),
                                last.shape(),
                                last.first(),
                                last.count() + group.count(),
                                Math.max(last.largest(), group.largest())));
            } else {
                groups.add(group);
            }
        }
        return groups;
    }

    /**
     * Returns groups of pairs that have the same scheme, the same shape and texts b of similar length; within a scheme
     * and shape, the groups with the longest texts come first.
     */
    List<Group> groupsByLength() {
        return instances.groups().stream()
                .map(group -> new Group(
                        group.key() / textClasses / shapes.count(),
                        group.key() / textClasses % shapes.count(),
                        group.from(),
                        group.count(),
                        group.largest()))
                .toList();
    }

    Scheme scheme(Group group) {
        return schemes.get(group.scheme());
    }

    /**
     * Returns the penalties of a group; empty if its kernels do not compare letters or if the scoring has no penalties.
     */
    Optional<Penalties> penalties(Group group) {
        return scheme(group).codes() == 0 ? schemes.penalties(group.scheme()) : Optional.empty();
    }

    long schemeAddress(Group group) {
        return schemes.address(group.scheme());
    }

    /**
     * Counts a group's pairs by the strategy that {@code auto} chose, as soon as the batch is complete.
     *
     * @param left the pairs that wavefronts did not solve
     */
    void countChoices(Group group, Run left) {
        if (group.shape() != shapes.empty()) {
            batch.whenDone(() -> {
                CellCounter cells = call.options().cells();
                Enum<?> strategy = call.strategy();
                ScoreFunctions.countChoice(
                        cells, strategy, SequenceAlignment.Strategy.WAVEFRONT, group.count() - left.count());
                ScoreFunctions.countChoice(cells, strategy, SequenceAlignment.Strategy.ANTI_DIAGONAL, left.count());
            });
        }
    }

    Run run(Group group) {
        return new Run(pairs, group.first(), group.count());
    }

    /** Sets rows to null if their score is below the requested minimum. */
    void limit(DeviceMemoryBuffer scores) {
        if (least() != 0) {
            module.kernel("align_limit")
                    .threads(batch.rows(), BLOCK)
                    .launch(
                            batch.rows(),
                            instances.classified(),
                            scores.getAddress(),
                            least(),
                            batch.writableValidity());
        }
    }
}
