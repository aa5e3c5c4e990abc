package dev.bellman.chain.matrix.paper;

import dev.bellman.chain.TableKind;
import dev.bellman.chain.TiledTable;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.Arrays;

/**
 * Solves matrix chains on the GPU with published algorithms, one chain after another. See {@code
 * chain/matrix/paper/strategies.cu}.
 */
public final class ChainStrategies {
    /** The maximum number of blocks of Solomon and Thulasiraman's kernels, as in the measurements by Wu et al. */
    private static final int SOLOMON_BLOCKS = 64;

    private static final int MAX_THREADS = 1024;
    private static final int BLOCK = 128;
    /** The number of bytes per dimension that are needed to find the tree. */
    private static final int TREE_BYTES = 12;

    private final PaperStrategy strategy;
    private final int firstSharedPhase;
    private final DeviceColumn dims;

    /**
     * @param firstSharedPhase the first phase in which the adaptive strategies assign several threads to each product
     */
    public ChainStrategies(PaperStrategy strategy, int firstSharedPhase, DeviceColumn dims) {
        this.strategy = strategy;
        this.firstSharedPhase = firstSharedPhase;
        this.dims = dims;
    }

    /** Returns the GPU memory, in bytes, for the table of a chain with the given number of entries. */
    public static long bytes(PaperStrategy strategy, TableKind kind, int vertices) {
        return ChainLayout.of(strategy, vertices - 1L).cells(vertices - 1L) * kind.bytes();
    }

    /**
     * Solves the given chains one after another, with tables of one kind.
     *
     * @param rows the row numbers of the chains in the batch
     * @param vertices the number of entries in each chain
     */
    public void solve(int[] rows, int[] vertices, TableKind kind, TiledTable.Answers answers) {
        int most = Arrays.stream(vertices).max().orElseThrow();
        try (Scratch scratch = new Scratch()) {
            Memory memory = new Memory(
                    scratch.allocate((long) kind.bytes() * most).getAddress(),
                    scratch.allocate(bytes(strategy, kind, most)).getAddress(),
                    scratch.allocate((long) TREE_BYTES * most).getAddress());
            for (int i = 0; i < rows.length; i++) {
                solve(rows[i], vertices[i] - 1, kind, memory, answers);
            }
        }
    }

    /** The addresses of one chain's data. */
    private record Memory(long weights, long table, long tree) {}

    private void solve(int row, int matrices, TableKind kind, Memory memory, TiledTable.Answers answers) {
        CudaModule module = CudaModule.load("chain/matrix/paper/strategies");
        ChainLayout layout = ChainLayout.of(strategy, matrices);
        module.kernel(kind.kernel("begin"))
                .threads(matrices + 1L, BLOCK)
                .launch(
                        row,
                        dims.offsets(),
                        dims.elements().values(),
                        memory.weights(),
                        memory.table(),
                        layout.byStart(),
                        layout.byEnd(),
                        layout.triangle());
        switch (strategy) {
            case SOLOMON, SOLOMON_COALESCED, DIAGONAL ->
                solveCells(module.kernel(kind.kernel("cells")), matrices, layout, memory);
            case PIPELINE, PIPELINE_DELAYED ->
                module.kernel(kind.kernel("pipeline"))
                        .grid(1)
                        .block(Math.min(MAX_THREADS, warps(matrices - 1)))
                        .launch(
                                matrices,
                                strategy == PaperStrategy.PIPELINE_DELAYED ? 1 : 0,
                                memory.weights(),
                                memory.table(),
                                layout.byStart(),
                                layout.byEnd(),
                                layout.triangle());
            case ADAPTIVE, ADAPTIVE_TYPE_0, ADAPTIVE_TYPE_1 ->
                solveGroups(module.kernel(kind.kernel("groups")), matrices, layout, memory);
        }
        module.kernel(kind.kernel("report"))
                .grid(1)
                .block(MAX_THREADS)
                .launch(
                        row,
                        matrices,
                        memory.weights(),
                        memory.table(),
                        layout.byStart(),
                        layout.byEnd(),
                        layout.triangle(),
                        memory.tree(),
                        answers.costs(),
                        answers.splitOffsets(),
                        answers.splits(),
                        answers.textOffsets(),
                        answers.text());
    }

    /**
     * Solves one diagonal per launch, with one thread per product or with at most 64 blocks, depending on the strategy.
     */
    private void solveCells(Kernel cells, int matrices, ChainLayout layout, Memory memory) {
        for (int length = 2; length <= matrices; length++) {
            int products = matrices - length + 1;
            int block = strategy == PaperStrategy.DIAGONAL
                    ? BLOCK
                    : Math.min(MAX_THREADS, warps((products + SOLOMON_BLOCKS - 1) / SOLOMON_BLOCKS));
            int blocks = (products + block - 1) / block;
            cells.grid(strategy == PaperStrategy.DIAGONAL ? blocks : Math.min(SOLOMON_BLOCKS, blocks))
                    .block(block)
                    .launch(matrices, length, memory.weights(), memory.table(), layout.byStart(), layout.byEnd());
        }
    }

    private void solveGroups(Kernel groups, int matrices, ChainLayout layout, Memory memory) {
        AdaptiveMapping mapping = new AdaptiveMapping(groups.device().multiprocessors(), MAX_THREADS, firstSharedPhase);
        for (int length = 2; length <= matrices; length++) {
            AdaptiveMapping.Phase phase = mapping.phase(matrices, length);
            groups.grid(phase.blocks())
                    .block(phase.block())
                    .launch(
                            matrices,
                            length,
                            phase.subthreads(),
                            memory.weights(),
                            memory.table(),
                            layout.byStart(),
                            layout.byEnd());
        }
    }

    /** Rounds a number of threads up to whole warps; the result is at least one warp. */
    private static int warps(int threads) {
        return Math.max(1, (threads + Kernel.WARP - 1) / Kernel.WARP) * Kernel.WARP;
    }
}
