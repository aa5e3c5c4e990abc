package dev.bellman.chain;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.chain.paper.AdaptiveMapping;
import dev.bellman.chain.paper.ChainStrategies;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.ListColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The chains of a batch on the GPU, sorted by the width of their costs and by length, so that those solved side by side
 * take about the same time. See {@code chain/batch.cu}.
 */
final class ChainBatch {
    /** By the widths of {@code chain_classify}. */
    private static final TableKind[] KINDS = {
        TableKind.CHAIN_INT32, TableKind.CHAIN_FLOAT64, TableKind.CHAIN_INT64, TableKind.CHAIN_SATURATING
    };

    /**
     * Chains of one width and of like lengths: positions in {@link #order}.
     *
     * @param vertices at least the most entries of a chain, a multiple of 8
     */
    private record Group(int width, int from, int to, int vertices) {
        int count() {
            return to - from;
        }
    }

    private static final int WIDTHS = KINDS.length;
    /** The width beyond which a cost may not fit 63 bits, and Hu and Shing's algorithm may not either. */
    private static final int WIDEST = 3;

    private static final int BINS = 1024;
    private static final int BIN_VERTICES = 8;
    private static final int MOST_VERTICES = WIDTHS * BINS;
    private static final int FIRST_REJECTED = MOST_VERTICES + WIDTHS;
    private static final int SUMMARY = FIRST_REJECTED + 1;

    /** Chains of up to that many entries share a launch; longer ones do with others of up to twice the length. */
    private static final int SHORT = 128;
    /** Hu and Shing's algorithm takes one thread for a chain whatever its length, so that more may share. */
    private static final int SHORT_HU_SHING = 1024;
    /** The nodes of a tree are pairs of 16-bit numbers. */
    private static final int MOST_TREE_VERTICES = 1 << 16;
    /** Bytes of scratch memory that suffice to keep the device busy; a chain that needs more gets it. */
    private static final long SCRATCH = 2L << 30;

    private static final int BLOCK = 128;
    private static final int WARP = 32;
    /** Bytes of scratch memory that {@code chain_hu_shing} takes for each entry of a chain. */
    private static final long HU_SHING_BYTES = 44;

    private final Batch batch;
    private final String function;
    private final FunctionOptions options;
    private final MatrixChain.Strategy strategy;
    private final int firstSplit;
    private final ListColumn dims;
    private final CudaModule module = CudaModule.load("chain/batch");
    private final DeviceMemoryBuffer states;
    private final DeviceMemoryBuffer counts;
    private final DeviceMemoryBuffer order;
    private final DeviceMemoryBuffer costs;
    private final int[] summary;

    private ChainBatch(
            Batch batch,
            String function,
            FunctionOptions options,
            MatrixChain.Strategy strategy,
            int firstSplit,
            boolean widths) {
        this.batch = batch;
        this.function = function;
        this.options = options;
        this.strategy = strategy;
        this.firstSplit = firstSplit;
        dims = batch.lists(0, DType.INT64);
        int rows = batch.rows();
        costs = batch.allocate(8L * rows);
        states = batch.allocate(rows);
        counts = batch.scratch().filled(4L * SUMMARY, (byte) 0);
        order = batch.allocate(4L * rows);
        DeviceMemoryBuffer keys = batch.allocate(4L * rows);
        DeviceMemoryBuffer starts = batch.allocate(4L * WIDTHS * BINS);
        module.kernel("chain_classify")
                .threads(32L * rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        dims.offsets(),
                        dims.elementValidity(),
                        dims.values(),
                        states.getAddress(),
                        keys.getAddress(),
                        counts.getAddress(),
                        widths ? 1 : 0);
        module.kernel("chain_starts").grid(1).block(BINS).launch(counts.getAddress(), starts.getAddress());
        module.kernel("chain_order")
                .threads(rows, BLOCK)
                .launch(rows, keys.getAddress(), starts.getAddress(), order.getAddress());
        summary = DeviceArrays.readInts(counts, 0, SUMMARY);
    }

    /**
     * Finds the cost of each chain. Rejected rows become null.
     *
     * @param firstSplit of the adaptive strategies, see {@link AdaptiveMapping}
     */
    static ChainBatch costs(
            Batch batch, String function, FunctionOptions options, MatrixChain.Strategy strategy, int firstSplit) {
        boolean table = strategy != MatrixChain.Strategy.AUTO && strategy != MatrixChain.Strategy.HU_SHING;
        ChainBatch chains = new ChainBatch(batch, function, options, strategy, firstSplit, table);
        chains.rejectOverflows();
        for (int width = 0; width < WIDEST; width++) {
            for (Group group : chains.groups(width, table ? SHORT : SHORT_HU_SHING)) {
                if (table) {
                    chains.solve(group, chains.answers(0, 0, 0, 0));
                } else {
                    chains.solveByHuShing(group);
                }
            }
        }
        chains.count();
        return chains;
    }

    /** Sorts the chains and rejects rows, which become null; {@link #solve} does the rest. */
    static ChainBatch checked(Batch batch, String function, FunctionOptions options, MatrixChain.Strategy strategy) {
        ChainBatch chains = new ChainBatch(batch, function, options, strategy, 1, true);
        int longest = Arrays.stream(chains.summary, MOST_VERTICES, MOST_VERTICES + WIDTHS)
                .max()
                .orElseThrow();
        if (longest > MOST_TREE_VERTICES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: a chain of %d matrices is too long for the GPU, where it is limited to %d; use matrix_chain_cost"
                            .formatted(function, longest - 1, MOST_TREE_VERTICES - 1));
        }
        chains.rejectOverflows();
        return chains;
    }

    /** The cost of each chain, int64; undefined where the row is null. */
    DeviceMemoryBuffer costs() {
        return costs;
    }

    /** Counts the candidates of the chains' tables; last of all, for what comes before may run again. */
    private void count() {
        DeviceMemoryBuffer candidates = batch.scratch().filled(Long.BYTES, (byte) 0);
        module.kernel("chain_candidates")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), states.getAddress(), dims.offsets(), candidates.getAddress());
        options.cells().add(DeviceArrays.readLongs(candidates, 0, 1)[0]);
    }

    /** {@code rows + 1} int32: the bytes of each chain's order, and how many products it has. */
    record Lengths(DeviceMemoryBuffer text, DeviceMemoryBuffer splits) {}

    Lengths lengths() {
        int rows = batch.rows();
        DeviceMemoryBuffer text = batch.allocate(4L * (rows + 1L));
        DeviceMemoryBuffer splits = batch.allocate(4L * (rows + 1L));
        module.kernel("chain_lengths")
                .threads(rows, BLOCK)
                .launch(rows, states.getAddress(), dims.offsets(), text.getAddress(), splits.getAddress());
        return new Lengths(text, splits);
    }

    /** Finds the costs and writes the orders. */
    void solve(Offsets textOffsets, DeviceMemoryBuffer text) {
        solve(answers(0, 0, textOffsets.buffer().getAddress(), text.getAddress()));
    }

    /** Finds the costs and writes the orders and the splits. */
    void solve(Offsets textOffsets, DeviceMemoryBuffer text, Offsets splitOffsets, DeviceMemoryBuffer splits) {
        solve(answers(
                splitOffsets.buffer().getAddress(),
                splits.getAddress(),
                textOffsets.buffer().getAddress(),
                text.getAddress()));
    }

    /** Addresses; 0 for what is not wanted. */
    private TiledTable.Answers answers(long splitOffsets, long splits, long textOffsets, long text) {
        return new TiledTable.Answers(costs.getAddress(), splitOffsets, splits, textOffsets, text);
    }

    private void solve(TiledTable.Answers answers) {
        for (int width = 0; width < WIDTHS; width++) {
            for (Group group : groups(width, SHORT)) {
                solve(group, answers);
            }
        }
        count();
    }

    /** The costs of the chains of which nothing else is known to fit; then the rows to reject are all known. */
    private void rejectOverflows() {
        int firstRejected = summary[FIRST_REJECTED];
        List<Group> widest = groups(WIDEST, SHORT);
        if (!widest.isEmpty()) {
            for (Group group : widest) {
                solve(group, answers(0, 0, 0, 0));
                module.kernel("chain_reject_overflows")
                        .threads(group.count(), BLOCK)
                        .launch(
                                batch.rows(),
                                order.getAddress(),
                                group.from(),
                                group.to(),
                                costs.getAddress(),
                                states.getAddress(),
                                counts.getAddress());
            }
            firstRejected = DeviceArrays.readInts(counts, FIRST_REJECTED, 1)[0];
        }
        if (firstRejected == 0) {
            return;
        }
        if (options.onInvalid() == OnInvalid.FAIL) {
            throw rejection(batch.rows() - firstRejected);
        }
        module.kernel("chain_set_null")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), states.getAddress(), batch.writableValidity());
    }

    /** What the function on the CPU throws for a row. */
    private BellmanException rejection(int row) {
        DeviceMemoryBuffer facts = batch.allocate(2L * Long.BYTES);
        Kernel read = module.kernel("chain_row");
        read.grid(1).launch(row, dims.offsets(), dims.elementValidity(), dims.values(), facts.getAddress(), 0L);
        int entries = Math.toIntExact(DeviceArrays.readLongs(facts, 0, 1)[0]);
        DeviceMemoryBuffer values = batch.allocate((long) Long.BYTES * entries);
        read.grid(1)
                .launch(
                        row,
                        dims.offsets(),
                        dims.elementValidity(),
                        dims.values(),
                        facts.getAddress(),
                        values.getAddress());
        int firstNull = Math.toIntExact(DeviceArrays.readLongs(facts, 1, 1)[0]);
        if (firstNull >= 0) {
            return MatrixChain.invalidEntry(function, firstNull, "NULL");
        }
        return MatrixChain.rejection(function, DeviceArrays.readLongs(values, 0, entries));
    }

    /** The chains of a width, the longest first, in groups whose lengths differ by up to a factor of two. */
    private List<Group> groups(int width, int shortest) {
        int from = 0;
        for (int bin = 0; bin < width * BINS; bin++) {
            from += summary[bin];
        }
        List<Group> groups = new ArrayList<>();
        Group open = null;
        for (int bin = 0; bin < BINS; bin++) {
            int count = summary[width * BINS + bin];
            if (count == 0) {
                continue;
            }
            int vertices =
                    bin == 0 ? roundUp(summary[MOST_VERTICES + width], BIN_VERTICES) : (BINS - bin) * BIN_VERTICES;
            if (open != null && sizeClass(vertices, shortest) == sizeClass(open.vertices(), shortest)) {
                open = new Group(width, open.from(), from + count, open.vertices());
            } else {
                if (open != null) {
                    groups.add(open);
                }
                open = new Group(width, from, from + count, vertices);
            }
            from += count;
        }
        if (open != null) {
            groups.add(open);
        }
        return groups;
    }

    private static int sizeClass(int vertices, int shortest) {
        return 32 - Integer.numberOfLeadingZeros(Math.max(vertices, shortest) - 1);
    }

    private void solveByHuShing(Group group) {
        long slot = HU_SHING_BYTES * group.vertices();
        long slots = Math.min(group.count(), Math.max(1, SCRATCH / slot));
        Kernel kernel = CudaModule.load("chain/hu_shing").kernel("chain_hu_shing");
        int resident = kernel.residentBlocks(WARP, 0);
        // a warp for each chain as long as there are warps: the chains of one wait for each other
        int lanes = (int) Math.min(WARP, (slots + resident - 1) / resident);
        int blocks = (int) Math.min(resident, (slots + lanes - 1) / lanes);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer ticket = scratch.filled(Integer.BYTES, (byte) 0);
            DeviceMemoryBuffer memory = scratch.allocate(slot * lanes * blocks);
            kernel.grid(blocks)
                    .block(lanes)
                    .launch(
                            order.getAddress(),
                            group.from(),
                            group.to(),
                            ticket.getAddress(),
                            dims.offsets(),
                            dims.values(),
                            memory.getAddress(),
                            group.vertices(),
                            costs.getAddress());
        }
    }

    private void solve(Group group, TiledTable.Answers answers) {
        TableKind kind = KINDS[group.width()];
        TiledTable.Instances chains = new TiledTable.Instances(
                function,
                order.getAddress(),
                group.from(),
                group.count(),
                dims.offsets(),
                group.vertices(),
                dims.values());
        if (ChainStrategies.serve(strategy)) {
            new ChainStrategies(strategy, firstSplit, function, dims)
                    .solve(order, group.from(), group.to(), kind, answers);
        } else if (strategy == MatrixChain.Strategy.TILED
                || TiledTable.pays(group.count(), group.vertices(), kind.bytes())) {
            TiledTable.solve(kind, chains, answers);
        } else {
            BlockTable.solve(kind, chains, answers);
        }
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
