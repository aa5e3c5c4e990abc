package dev.bellman.chain.matrix;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.chain.BlockTable;
import dev.bellman.chain.TableKind;
import dev.bellman.chain.TiledTable;
import dev.bellman.chain.matrix.paper.ChainStrategies;
import dev.bellman.chain.matrix.paper.PaperStrategy;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Sorts the chains of a batch on the GPU by the number of bits that their costs need and by length, so that chains that
 * are solved in parallel take about the same time. See {@code chain/matrix/batch.cu}.
 */
final class ChainBatch {
    /** The kinds of tables, indexed by the width classes of {@code chain_classify}. */
    private static final TableKind[] KINDS = {
        TableKind.CHAIN_INT32, TableKind.CHAIN_FLOAT64, TableKind.CHAIN_INT64, TableKind.CHAIN_SATURATING
    };
    /** The width class in which a cost, or a number in Hu and Shing's algorithm, may not fit in 63 bits. */
    private static final int WIDEST = 3;

    /**
     * The maximum number of entries of the chains that share a launch regardless of their lengths. A launch for longer
     * chains contains chains whose lengths differ by at most a factor of two.
     */
    private static final int SHORT = 128;
    /**
     * Like {@link #SHORT}, but for Hu and Shing's algorithm. This algorithm uses one thread for a chain of any length,
     * so chains whose lengths differ more may share a launch.
     */
    private static final int SHORT_HU_SHING = 1024;
    /**
     * The maximum number of vertices of a chain whose tree is requested, because nodes of trees are pairs of 16-bit
     * numbers.
     */
    private static final int MAX_TREE_VERTICES = 1 << 16;

    /** The maximum number of entries. The table of a longer chain would not fit on any GPU. */
    private static final int MAX_TABLE_VERTICES = 1 << 28;

    private static final int ALIGNED_VERTICES = 8;
    private static final int BLOCK = 128;

    private final Batch batch;
    private final MatrixChain.Strategy strategy;
    private final int firstSharedPhase;
    private final GpuMemory memory = GpuMemory.ofSession();
    private final DeviceColumn dims;
    private final CudaModule module = CudaModule.load("chain/matrix/batch");
    private final int bins = module.constant("BINS");
    private final DeviceMemoryBuffer costs;
    private final Instances instances;

    private ChainBatch(Batch batch, SolverCall call, int firstSharedPhase, boolean tables, int longest) {
        this.batch = batch;
        strategy = (MatrixChain.Strategy) call.strategy();
        this.firstSharedPhase = firstSharedPhase;
        dims = batch.lists(0, DType.INT64);
        costs = batch.allocateLongs(batch.rows());
        int[] limits = new int[KINDS.length];
        for (int width = 0; width < limits.length; width++) {
            limits[width] = tables || width == WIDEST
                    ? Math.min(longest, maxVertices(KINDS[width]))
                    : memory.largest(longest, ChainBatch::huShingBytes);
        }
        instances = new Instances(
                batch, call, module.constant("WIDTHS") * bins, key -> limits[key / bins], rows -> module.kernel(
                                "chain_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                dims.offsets(),
                                dims.elements().validity(),
                                dims.elements().values(),
                                tables ? 1 : 0,
                                rows));
    }

    /**
     * Computes the cost of each chain. Rejected rows become null.
     *
     * @param firstSharedPhase the parameter of the adaptive strategies, as in
     *     {@link dev.bellman.chain.matrix.paper.AdaptiveMapping}
     */
    static ChainBatch costs(Batch batch, SolverCall call, int firstSharedPhase) {
        boolean tables =
                call.strategy() != MatrixChain.Strategy.AUTO && call.strategy() != MatrixChain.Strategy.HU_SHING;
        ChainBatch chains = new ChainBatch(batch, call, firstSharedPhase, tables, Integer.MAX_VALUE);
        chains.rejectOverflows();
        for (int width = 0; width < WIDEST; width++) {
            for (Instances.Group group : chains.groups(width, tables ? SHORT : SHORT_HU_SHING)) {
                if (tables) {
                    chains.solve(width, group, chains.answers(0, 0, 0, 0));
                } else {
                    chains.solveByHuShing(group);
                }
            }
        }
        return chains;
    }

    /** Sorts the chains, and rejects invalid rows, which become null. {@link #solve} then computes the results. */
    static ChainBatch checked(Batch batch, SolverCall call) {
        ChainBatch chains = new ChainBatch(batch, call, 1, true, MAX_TREE_VERTICES);
        chains.rejectOverflows();
        return chains;
    }

    private int maxVertices(TableKind kind) {
        return memory.largest(MAX_TABLE_VERTICES, vertices -> strategy.paper()
                .map(paper -> ChainStrategies.bytes(paper, kind, vertices))
                .orElseGet(() -> TiledTable.bytes(kind, vertices)));
    }

    /** Returns the amount of scratch memory that {@code chain_hu_shing} takes for a chain, in bytes. */
    private static long huShingBytes(int vertices) {
        return 44L * vertices;
    }

    /** Returns the cost of each chain as int64; it is undefined for null rows. */
    DeviceMemoryBuffer costs() {
        return costs;
    }

    /**
     * The number of bytes in each chain's order, and the number of products in each chain, both as int32; each buffer
     * has room for {@code rows + 1} numbers.
     */
    record Lengths(DeviceMemoryBuffer text, DeviceMemoryBuffer splits) {}

    Lengths lengths() {
        int rows = batch.rows();
        DeviceMemoryBuffer text = batch.allocateInts(rows + 1L);
        DeviceMemoryBuffer splits = batch.allocateInts(rows + 1L);
        module.kernel("chain_lengths")
                .threads(rows, BLOCK)
                .launch(rows, instances.classified(), text.getAddress(), splits.getAddress());
        return new Lengths(text, splits);
    }

    /** Computes the costs and writes the orders. */
    void solve(Offsets textOffsets, DeviceMemoryBuffer text) {
        solve(answers(0, 0, textOffsets.buffer().getAddress(), text.getAddress()));
    }

    /** Computes the costs, and writes the orders and the splits. */
    void solve(Offsets textOffsets, DeviceMemoryBuffer text, Offsets splitOffsets, DeviceMemoryBuffer splits) {
        solve(answers(
                splitOffsets.buffer().getAddress(),
                splits.getAddress(),
                textOffsets.buffer().getAddress(),
                text.getAddress()));
    }

    /** The addresses of the outputs; the address of an output that is not requested is 0. */
    private TiledTable.Answers answers(long splitOffsets, long splits, long textOffsets, long text) {
        return new TiledTable.Answers(costs.getAddress(), splitOffsets, splits, textOffsets, text);
    }

    private void solve(TiledTable.Answers answers) {
        for (int width = 0; width < KINDS.length; width++) {
            boolean byArcs = strategy == MatrixChain.Strategy.AUTO && width < WIDEST;
            for (Instances.Group group : byArcs ? groups(width, ArcTable::sizeClass) : groups(width, SHORT)) {
                if (byArcs) {
                    solveByArcs(KINDS[width], group, answers);
                } else {
                    solve(width, group, answers);
                }
            }
        }
    }

    private void solveByArcs(TableKind kind, Instances.Group group, TiledTable.Answers answers) {
        new ArcTable(kind, answers).solve(chains(group), rest -> solveByTable(kind, rest, answers));
    }

    /**
     * Computes the costs of the chains in the widest class, which may overflow. After that, it is known which rows are
     * rejected.
     */
    private void rejectOverflows() {
        List<Instances.Group> widest = groups(WIDEST, SHORT);
        for (Instances.Group group : widest) {
            solve(WIDEST, group, answers(0, 0, 0, 0));
        }
        instances.rejectNegative(widest, costs);
    }

    /**
     * Returns the chains of a width class, longest first, in groups. In a group, lengths above {@code shortest} differ
     * by up to a factor of two.
     */
    private List<Instances.Group> groups(int width, int shortest) {
        return groups(width, vertices -> sizeClass(vertices, shortest));
    }

    /** Returns the chains of a width class, longest first, in groups of the same size class. */
    private List<Instances.Group> groups(int width, IntUnaryOperator sizeClass) {
        List<Instances.Group> groups = new ArrayList<>();
        for (Instances.Group next : instances.groups()) {
            if (next.key() / bins != width) {
                continue;
            }
            int last = groups.size() - 1;
            if (last >= 0
                    && sizeClass.applyAsInt(next.largest())
                            == sizeClass.applyAsInt(groups.get(last).largest())) {
                groups.set(last, groups.get(last).upTo(next.to()));
            } else {
                groups.add(next);
            }
        }
        return groups;
    }

    static int sizeClass(int vertices, int shortest) {
        return 32 - Integer.numberOfLeadingZeros(Math.max(vertices, shortest) - 1);
    }

    private void solveByHuShing(Instances.Group group) {
        int vertices = aligned(group);
        int slots = memory.together(group.count(), huShingBytes(vertices));
        Kernel kernel = CudaModule.load("chain/matrix/hu_shing").kernel("chain_hu_shing");
        int resident = kernel.residentBlocks(Kernel.WARP, 0);
        // use one warp per chain as long as there are enough warps, because otherwise the chains of a warp wait for
        // each other
        int lanes = Math.min(Kernel.WARP, (slots + resident - 1) / resident);
        int blocks = Math.min(resident, (slots + lanes - 1) / lanes);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer ticket = scratch.zeroInts(1);
            DeviceMemoryBuffer room = scratch.allocate(huShingBytes(vertices) * lanes * blocks);
            kernel.grid(blocks)
                    .block(lanes)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            ticket.getAddress(),
                            dims.offsets(),
                            dims.elements().values(),
                            room.getAddress(),
                            vertices,
                            costs.getAddress());
        }
    }

    private void solve(int width, Instances.Group group, TiledTable.Answers answers) {
        TableKind kind = KINDS[width];
        Optional<PaperStrategy> paper = strategy.paper();
        if (paper.isPresent()) {
            new ChainStrategies(paper.get(), firstSharedPhase, dims)
                    .solve(instances.rows(group), instances.sizes(group), kind, answers);
        } else {
            solveByTable(kind, chains(group), answers);
        }
    }

    private void solveByTable(TableKind kind, TiledTable.Group chains, TiledTable.Answers answers) {
        if (strategy == MatrixChain.Strategy.R_WAY) {
            TiledTable.solveByRecursion(kind, chains, answers);
        } else if (strategy == MatrixChain.Strategy.TILED
                || TiledTable.pays(memory, chains.count(), chains.vertices(), kind.bytes())) {
            TiledTable.solve(kind, chains, answers);
        } else {
            BlockTable.solve(kind, chains, answers);
        }
    }

    private TiledTable.Group chains(Instances.Group group) {
        return new TiledTable.Group(
                memory,
                instances.order().getAddress(),
                group.from(),
                group.count(),
                dims.offsets(),
                aligned(group),
                dims.elements().values());
    }

    /** Returns an upper bound on the number of vertices in any chain of a group. */
    private static int aligned(Instances.Group group) {
        return (group.largest() + ALIGNED_VERTICES - 1) / ALIGNED_VERTICES * ALIGNED_VERTICES;
    }
}
