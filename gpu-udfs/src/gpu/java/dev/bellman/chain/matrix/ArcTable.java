package dev.bellman.chain.matrix;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.chain.TableKind;
import dev.bellman.chain.TiledTable;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/**
 * Solves chains on the GPU, one warp per chain, with tables that contain only the ranges that an optimal order may
 * contain. See {@code chain/matrix/arcs.cu}.
 */
final class ArcTable {
    /**
     * The rows of a launch.
     *
     * @param leftOver the address of the number of rows that the launch does not solve, followed by these rows
     * @param vertices the maximum number of vertices in a chain
     * @param arcs the maximum number of arcs in a table
     */
    record ArcBatch(long order, int from, int to, long ticket, long leftOver, int vertices, int arcs) {}

    /** Solves the chains that this class does not solve. */
    @FunctionalInterface
    interface Rest {
        void solve(TiledTable.Group chains);
    }

    /** The maximum number of vertices in a chain; the kernels' queue has 10 bits for the index of a vertex. */
    private static final int MAX_VERTICES = 1024;

    /** The numbers of vertices of the chains in a launch differ by less than this. */
    private static final int STEP = 128;

    /** The amount of static shared memory in the kernels, rounded up, in bytes. */
    private static final int STATIC_SHARED_MEMORY = 1024;

    /**
     * A random chain of {@code n} vertices has {@code n log2(n)} arcs or slightly more. The first launch has room for
     * most random chains; the second launch, which has fewer resident warps, has room for nearly all of them.
     */
    private static final double FEW_ARCS = 1.3;

    private static final double MANY_ARCS = 2.4;

    private final CudaModule module = CudaModule.load("chain/matrix/arcs");
    private final Kernel kernel;
    private final TiledTable.Answers answers;
    private final int costBytes;

    /** @param kind the kind of a table with costs of at most 2^60 */
    ArcTable(TableKind kind, TiledTable.Answers answers) {
        TableKind arithmetic = kind == TableKind.CHAIN_FLOAT64 ? TableKind.CHAIN_INT64 : kind;
        kernel = module.kernel(arithmetic.kernel("arcs"));
        costBytes = arithmetic.bytes();
        this.answers = answers;
    }

    /** Returns the size class of a chain. The classes of chains with too many vertices are those of their tables. */
    static int sizeClass(int vertices) {
        return vertices <= MAX_VERTICES ? -vertices / STEP : ChainBatch.sizeClass(vertices, MAX_VERTICES);
    }

    /** Computes the costs and orders of chains, and passes those with too many vertices or arcs to {@code rest}. */
    void solve(TiledTable.Group chains, Rest rest) {
        launch(chains, FEW_ARCS, more -> launch(more, MANY_ARCS, rest));
    }

    private void launch(TiledTable.Group chains, double density, Rest rest) {
        int vertices = chains.vertices();
        int vectors = module.constant("ARC_VERTEX_BYTES") * vertices;
        int arcs = arcs(vertices, density);
        int sharedMemory = vectors + costBytes * (arcs + 1);
        if (vertices > MAX_VERTICES
                || sharedMemory + STATIC_SHARED_MEMORY > kernel.device().sharedMemoryPerBlock()) {
            rest.solve(chains);
            return;
        }
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer leftOver = scratch.zeroInts(1L + chains.count());
            ArcBatch batch = new ArcBatch(
                    chains.rows(),
                    chains.from(),
                    chains.from() + chains.count(),
                    scratch.zeroInts(1).getAddress(),
                    leftOver.getAddress(),
                    vertices,
                    arcs);
            kernel.grid(Math.min(chains.count(), kernel.residentBlocks(Kernel.WARP, sharedMemory)))
                    .block(Kernel.WARP)
                    .sharedMemory(sharedMemory)
                    .launch(batch, chains.offsets(), chains.given()[0], answers);
            int count = DeviceArrays.readInts(leftOver, 0, 1)[0];
            if (count > 0) {
                rest.solve(new TiledTable.Group(
                        chains.memory(),
                        leftOver.getAddress() + Integer.BYTES,
                        0,
                        count,
                        chains.offsets(),
                        vertices,
                        chains.given()));
            }
        }
    }

    /** Returns the maximum number of arcs in the tables of a launch. */
    private static int arcs(int vertices, double density) {
        return (int) Math.max(4.0 * vertices, density * vertices * Math.log(vertices) / Math.log(2));
    }
}
