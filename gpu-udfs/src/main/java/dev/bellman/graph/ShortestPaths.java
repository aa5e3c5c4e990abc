package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.columns.TaskCores;
import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.Distances;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import java.io.Serializable;
import java.util.function.LongConsumer;

/**
 * Finds shortest paths between all pairs of vertices of a directed graph. Edges may have negative weights; cycles may
 * not.
 *
 * <p>Among several shortest paths, the path with the fewest edges wins; among those, the path with the smallest second
 * vertex wins, and so on from each vertex. Therefore, {@code next(i, j)}, the second vertex of the path from {@code i}
 * to {@code j}, does not depend on the algorithm. A path that follows the next vertices always reaches {@code j},
 * because each step leaves a path with one edge fewer, even along edges of weight 0. The path from a vertex to itself
 * has no edges.
 *
 * <p><b>Keys.</b> Length, number of edges and next vertex are found together. An edge from {@code i} to {@code v} of
 * weight {@code w} has the key {@code (w * 2^b + 1) * 2^b + v}, where {@code 2^b > nodes}. The key of a path is the sum
 * of its edges' keys, of which all but the first omit {@code v}. The winning path has the smallest key, because the
 * number of edges, which is less than {@code 2^b}, never overflows into the bits of the length. A cycle of weight 0 has
 * a positive key and a cycle of negative weight has a negative key, so shortest paths by keys exist whenever shortest
 * paths by weights do. The algorithm by Floyd, "Algorithm 97: Shortest path", Communications of the ACM 5 (1962), finds
 * these paths. So does Dijkstra's algorithm (1959), after Johnson's method, "Efficient algorithms for shortest paths in
 * sparse networks", Journal of the ACM 24 (1977), has made the weights non-negative.
 *
 * <p><b>Integers</b> are exact. Tables contain {@code int} or {@code long} values if every sum is certain to fit, and
 * otherwise numbers with 124 bits. Floyd's algorithm stops at the first negative cycle, before its numbers grow, so no
 * number exceeds {@code nodes} times the largest weight. See Hougardy, "The Floyd-Warshall algorithm on graphs with
 * negative cycles" (2010). The algorithm finds the first {@code k} for which the vertices up to {@code k} contain a
 * negative cycle; {@code k} is on this cycle. Johnson's algorithm finds a vertex on a negative cycle.
 *
 * <p><b>Sparse graphs.</b> For integers, the paths do not depend on the order of the vertices. {@link Strategy#BLOCKED}
 * orders the vertices of a sparse graph by nested dissection and skips empty tiles ({@link TileOrder}), if this saves
 * at least half of the work.
 *
 * <p><b>Doubles.</b> The length of a path depends on the order of its additions, so the order is part of the
 * definition: the order of Floyd's algorithm, {@code d(i, j) = min(d(i, j), d(i, k) + d(k, j))} for {@code k} from 0
 * on. With negative weights, a sum replaces a length only if it is smaller by more than rounding can explain ({@link
 * dev.bellman.graph.dense.DoubleDistances#margin}), so that no path goes around a cycle whose weight would be 0 without
 * rounding. A cycle is negative if {@code d(k, k)}, initially 0, is negative at step {@code k}; the path from a vertex
 * to itself has length 0. Dijkstra's algorithm adds in a different order, so it is not used for doubles.
 *
 * <p>For doubles, {@code w(i, v) + d(v, j)} may differ from {@code d(i, j)} in the last bits for each {@code v}, so
 * next vertices need a rule that does not rely on equality. The paths to a target {@code j} form a tree that grows from
 * {@code j}. Each step adds a vertex {@code i} with an edge to a vertex {@code v} of the tree. It chooses the edge with
 * the smallest {@code max(0, (w(i, v) + d(v, j)) - d(i, j))}; among ties, the edge whose path has the fewest edges,
 * then the one with the smallest {@code i}, and then the one with the smallest {@code v}. If sums are exact, the first
 * criterion is always 0, and this rule is the definition above. All vertices that reach {@code j} join the tree.
 * Regardless of how sums are rounded, all paths to {@code j} end there, because they form a tree.
 */
public final class ShortestPaths {
    /**
     * All strategies return the same paths. If sums of integers may need more than 64 bits, every strategy runs as
     * {@link #FLOYD_WARSHALL}.
     */
    public enum Strategy {
        /**
         * Uses {@link #JOHNSON} for few edges with integer weights. For other graphs, uses {@link #BLOCKED} if they are
         * large or a job solves them on a GPU, and {@link #FLOYD_WARSHALL} if they are small.
         */
        AUTO,
        /** Uses the Floyd-Warshall algorithm, in O(n^3) time. */
        FLOYD_WARSHALL,
        /**
         * Uses the Floyd-Warshall algorithm on tiles, in the order of the 2-way recursion by Javanmard et al.,
         * "Toward efficient architecture-independent algorithms for dynamic programs" (2019).
         */
        R_WAY,
        /**
         * Uses the Floyd-Warshall algorithm on tiles, in rounds, in parallel on the task's cores. Skips the empty tiles
         * of sparse graphs.
         */
        BLOCKED,
        /** Uses Dijkstra's algorithm from each vertex, in O(n (m + n) log n) time, for non-negative integers. */
        DIJKSTRA,
        /** Uses Dijkstra's algorithm after Johnson's reweighting, for integers. */
        JOHNSON
    }

    /** The maximum number of vertices of the graph in a Spark row. */
    static final int MAX_NODES = 16_000;

    /** The maximum number of vertices for which tiles are not worthwhile, because the table fits in the cache. */
    private static final int SMALL = 512;

    /**
     * Seconds per step of the Floyd-Warshall algorithm on one core. Steps took 0.14 to 0.18 ns on grids of 48 x 48 to
     * 96 x 96 vertices.
     */
    private static final double DENSE_STEP = 0.15e-9;

    /** Seconds per step of Dijkstra's algorithm on one core. Steps took 6 to 7.6 ns on the same grids. */
    private static final double SPARSE_STEP = 6e-9;

    /** Seconds per step for a table of 64-bit cells on an H200. */
    private static final double GPU_STEP = 0.3e-12;

    /** Seconds per step for a table of 32-bit cells on an H200. */
    private static final double GPU_STEP_32 = 0.07e-12;

    /**
     * Seconds that the three consecutive kernel launches of a round take if empty tiles are skipped and there is little
     * work.
     */
    private static final double GPU_ROUND = 0.3e-3;

    /** Seconds to load the kernels and copy edges. */
    private static final double GPU_START = 0.05;

    /**
     * The number of seconds above which several GPUs compute a table together. Two H200s need several seconds more than
     * half of one GPU's time, in which they fill their shares and wait for each other's tiles.
     */
    private static final double TOGETHER = 15;

    /**
     * The additional seconds that several tasks take compared with one task: with 60 vertices, a run in a new process
     * took 0.20 to 0.30 s longer.
     */
    private static final double TASKS_START = 0.25;

    /** Seconds to write a path in one task: 36 million paths with next vertices and hops took 11.5 s. */
    private static final double WRITE_STEP = 0.3e-6;

    /** Seconds per path to share a table with other tasks through a tile file: 36 million paths took 2.4 s. */
    private static final double TILE_STEP = 65e-9;

    private static final int TASKS_OF_HOST = 16;

    /**
     * The slowdown that each additional task on a host causes: in a test of Dijkstra's algorithm with 6,000 vertices
     * and 120,000 edges, each of 16 tasks took 3.5 times as long as a single task.
     */
    private static final double SLOWER_BY_TASK = 1.0 / 6;

    private ShortestPaths() {}

    /**
     * Finds the shortest paths between all pairs of vertices.
     *
     * @param next whether to find next vertices in addition to lengths
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there is a negative cycle, {@link
     *     ErrorCode#BELLMAN_CONFIGURATION} if the strategy does not support the weights
     */
    public static PathTable solve(Graph graph, Strategy strategy, boolean next) {
        return solve(graph, planInTask(graph, strategy, next), next);
    }

    /** Returns a plan for computing all paths of a graph in the heap of one task. */
    static Plan planInTask(Graph graph, Strategy asked, boolean next) {
        return plan(graph, asked, graph.nodes, next, new Machine(Long.MAX_VALUE, false, 0, 0, 1), false);
    }

    private static PathTable onCpu(Graph graph, Plan plan, boolean next, LongConsumer done) {
        return switch (plan.strategy) {
            case R_WAY -> new TiledPaths(graph, Schedule::twoWay, TaskCores.count(), done).solve(next);
            case BLOCKED ->
                TiledPaths.blocked(graph, plan.order, TaskCores.count(), done).solve(next);
            case DIJKSTRA, JOHNSON -> SparsePaths.solve(graph, next);
            case AUTO, FLOYD_WARSHALL -> FloydWarshall.solve(graph, next, done);
        };
    }

    /**
     * The resources that are available to solve one graph.
     *
     * @param heap the maximum size, in bytes, of a table in the heap of a task
     * @param tiles whether a larger table may be stored in {@link PathTiles}, on executors or as large tiles on a GPU
     * @param gpu the maximum size, in bytes, of a table on a GPU; 0 if there is no GPU
     * @param gpus the number of GPUs that can compute one table together
     * @param tasks the number of tasks among which the sources of Dijkstra's algorithm, or the paths to write, are
     *     divided
     */
    public record Machine(long heap, boolean tiles, long gpu, int gpus, int tasks) {}

    /**
     * Describes how to solve one graph.
     *
     * @param strategy any strategy except {@link Strategy#AUTO}
     * @param onGpu whether the table is computed on a GPU
     * @param largeTiles whether the table is stored in large tiles on the GPU, because the whole table does not fit in
     *     GPU memory or because several GPUs compute it together
     * @param order the order of the table's rows; null for ascending vertex numbers and no empty tiles
     * @param shared whether the task that has the table copies it into {@link PathTiles}, so that several tasks can
     *     write the paths
     * @param denseSeconds the estimated time for a table, including writing its paths
     * @param sparseSeconds the estimated time for Dijkstra's algorithm, including writing; infinity if the algorithm
     *     does not support the weights
     */
    public record Plan(
            Strategy strategy,
            boolean onGpu,
            boolean largeTiles,
            TileOrder order,
            boolean shared,
            double denseSeconds,
            double sparseSeconds)
            implements Serializable {
        /** Whether one table contains all paths. */
        public boolean hasTable() {
            return !isSparse(strategy);
        }
    }

    /**
     * Returns the plan for one large graph.
     *
     * @param sources the number of vertices from which paths start
     * @param gpuOnly whether to use a GPU whenever the strategy and the memory permit, even if the CPU is faster
     * @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the strategy does not support the weights
     */
    public static Plan plan(Graph graph, Strategy asked, long sources, boolean next, Machine machine, boolean gpuOnly) {
        checkWeights(graph, asked);
        double heapBytes = tableBytes(graph, next);
        boolean fitsGpu = machine.gpu > 0
                && gpuBytes(graph, asked, next) <= machine.gpu
                // for DOUBLE, the trees of next vertices need the heap
                && (graph.longs != null || !next || heapBytes <= machine.heap);
        TileOrder gpuOrder =
                fitsGpu ? order(graph, asked, next, GpuSide.get(PathsGpu.class).edge()) : null;
        TileOrder heapOrder = heapBytes <= machine.heap ? order(graph, asked, next, Distances.EDGE) : null;
        double cpuSeconds = work(graph, heapOrder) * DENSE_STEP;
        double gpuSeconds = gpuSeconds(graph, gpuOrder, next);
        boolean tilesFit = machine.gpu > 0 && machine.tiles && (asked == Strategy.AUTO || asked == Strategy.BLOCKED);
        boolean onGpu = (fitsGpu || tilesFit) && (gpuOnly || gpuSeconds < cpuSeconds);
        TileOrder order = onGpu ? gpuOrder : heapOrder;
        double writing = WRITE_STEP * sources * graph.nodes;
        boolean sparse = LongTable.fits(graph, next);
        boolean wide = graph.longs != null && !sparse;
        boolean tiles = onGpu || graph.nodes > SMALL;
        Strategy table = wide
                ? Strategy.FLOYD_WARSHALL
                : asked != Strategy.AUTO && !isSparse(asked)
                        ? asked
                        : tiles ? Strategy.BLOCKED : Strategy.FLOYD_WARSHALL;
        boolean canShare = machine.tiles && (onGpu || table != Strategy.FLOYD_WARSHALL && heapBytes <= machine.heap);
        double sharing = canShare ? sharedSeconds(graph, sources, machine.tasks) : Double.POSITIVE_INFINITY;
        boolean together = tilesFit && machine.gpus > 1 && gpuOrder == null && gpuSeconds > TOGETHER;
        boolean largeTiles = onGpu && (!fitsGpu || together);
        boolean shared = !largeTiles && sharing < writing;
        double dense = Math.min(writing, sharing) + (onGpu ? gpuSeconds : cpuSeconds);
        double sparseSeconds = sparse
                ? TASKS_START + inTasks(writing + sparseSeconds(graph, sources), Math.min(machine.tasks, sources))
                : Double.POSITIVE_INFINITY;
        boolean noTable = isSparse(asked)
                || asked == Strategy.AUTO
                        && !(gpuOnly && onGpu)
                        && (dense > sparseSeconds || !onGpu && heapBytes > machine.heap && !machine.tiles);
        if (sparse && noTable) {
            return new Plan(
                    asked == Strategy.AUTO ? Strategy.JOHNSON : asked, false, false, null, false, dense, sparseSeconds);
        }
        return new Plan(table, onGpu, largeTiles, order, shared, dense, sparseSeconds);
    }

    /**
     * Returns the number of seconds that several tasks need to write the paths of a table that is in one task's memory.
     */
    private static double sharedSeconds(Graph graph, long sources, int tasks) {
        double paths = (double) sources * graph.nodes;
        long writers = Math.min(Math.min(tasks, sources), (graph.nodes - 1L) / Distances.EDGE + 1);
        return TASKS_START + TILE_STEP * paths + inTasks(WRITE_STEP * paths, writers);
    }

    /** Returns the time, in seconds, that several tasks need for work that takes a single task {@code seconds}. */
    private static double inTasks(double seconds, long tasks) {
        double slower = 1 + SLOWER_BY_TASK * (Math.min(tasks, TASKS_OF_HOST) - 1);
        return tasks <= 1 ? seconds : seconds * slower / tasks;
    }

    private static boolean isSparse(Strategy strategy) {
        return strategy == Strategy.DIJKSTRA || strategy == Strategy.JOHNSON;
    }

    /**
     * Computes the table of a graph's paths according to a plan.
     *
     * @param plan a plan for this graph that has a table ({@link Plan#hasTable})
     * @return the paths, which the caller must close
     * @throws BellmanException as for {@link #solve(Graph, Strategy, boolean)}
     */
    public static PathTable solve(Graph graph, Plan plan, boolean next) {
        return solve(graph, plan, next, relaxations -> {});
    }

    /**
     * Computes the table of a graph's paths according to a plan, and reports progress.
     *
     * @param done receives the number of relaxations as they complete; not called on a GPU
     */
    public static PathTable solve(Graph graph, Plan plan, boolean next, LongConsumer done) {
        return plan.onGpu ? GpuSide.get(PathsGpu.class).solve(graph, plan, next) : onCpu(graph, plan, next, done);
    }

    /** Returns the number of relaxations for a plan whose table is in the heap. */
    public static long relaxations(Graph graph, Plan plan) {
        long n = graph.nodes;
        if (plan.strategy == Strategy.FLOYD_WARSHALL) {
            return n * n * n;
        }
        long side = Grid.tiles(graph.nodes, Distances.EDGE);
        return Distances.relaxations(
                plan.order == null ? side * side * side : plan.order.fill().tasks());
    }

    /** Returns the maximum size, in bytes, of a table on this thread's GPU. */
    public static long gpuMemory() {
        return GpuSide.get(GpuOfTask.class).memory();
    }

    /** Returns the size, in bytes, of a graph's table on a GPU, or infinity if GPUs do not support the graph. */
    public static double gpuBytes(Graph graph, Strategy strategy, boolean next) {
        return graph.longs == null || LongTable.fits(graph, next)
                ? GpuSide.get(PathsGpu.class).bytes(graph, strategy, next)
                : Double.POSITIVE_INFINITY;
    }

    /** Returns the size, in bytes, of the Floyd-Warshall table in the heap. */
    public static double tableBytes(Graph graph, boolean next) {
        int cell = !LongTable.fits(graph, next) || graph.longs == null && next ? 2 * Long.BYTES : Long.BYTES;
        return (double) graph.nodes * graph.nodes * cell;
    }

    private static TileOrder order(Graph graph, Strategy asked, boolean next, int tile) {
        boolean wanted = graph.nodes > SMALL && (asked == Strategy.AUTO || asked == Strategy.BLOCKED);
        return wanted ? TileOrder.of(graph, next, tile) : null;
    }

    /** Returns the number of steps of the Floyd-Warshall algorithm. */
    private static double work(Graph graph, TileOrder order) {
        double all = (double) graph.nodes * graph.nodes * graph.nodes;
        return order == null ? all : all * order.fill().tasks() / order.fill().allTasks();
    }

    private static double gpuSeconds(Graph graph, TileOrder order, boolean next) {
        double launches = order == null ? 0 : GPU_ROUND * order.fill().side();
        double step = CellPaths.type(graph, next) == Cell.INT32 ? GPU_STEP_32 : GPU_STEP;
        return GPU_START + launches + step * work(graph, order);
    }

    private static double sparseSeconds(Graph graph, long sources) {
        double levels = Math.log(graph.nodes + 1.0) / Math.log(2);
        return SPARSE_STEP * sources * (graph.edges() + graph.nodes * levels);
    }

    private static void checkWeights(Graph graph, Strategy strategy) {
        if (isSparse(strategy) && graph.doubles != null && graph.edges() > 0) {
            throw unsuited(
                    graph, strategy, "DOUBLE weights, whose sums depend on the order of addition", "floyd-warshall");
        }
        if (strategy == Strategy.DIJKSTRA && graph.hasNegativeWeights()) {
            throw unsuited(graph, strategy, "negative weights", "johnson or floyd-warshall");
        }
    }

    private static BellmanException unsuited(Graph graph, Strategy strategy, String what, String others) {
        return new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "%s: the strategy '%s' does not support %s; use %s"
                        .formatted(graph.context.caller(), dev.bellman.Strategies.name(strategy), what, others));
    }
}
