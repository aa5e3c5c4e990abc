package dev.bellman.large.grid;

import dev.bellman.graph.Graph;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A problem whose large tiles are computed by a {@link SimulatedGpu}. */
final class OnSimulatedGpu<T> extends SameProblem<T> {
    private static final long serialVersionUID = 1L;

    static final String FAILURE = "cut off";

    /** The number of tasks that run before one fails. */
    static final AtomicInteger failAfter = new AtomicInteger(Integer.MAX_VALUE);

    /** Computes shortest paths on numbers. This class is not a record, because Kryo cannot serialize records. */
    static final class Paths implements SimulatedGpu.Cells {
        private static final long serialVersionUID = 1L;

        private final int bytes;
        private final double margin;

        /**
         * @param margin the amount by which a path must be shorter than another path to replace it
         */
        Paths(int bytes, double margin) {
            this.bytes = bytes;
            this.margin = margin;
        }

        /** Returns a problem for path lengths in DOUBLE, or in integers that fit in 32 bits. */
        static Paths of(Graph graph) {
            return new Paths(graph.hasDoubles() ? Double.BYTES : Integer.BYTES, graph.margin());
        }

        @Override
        public int bytes() {
            return bytes;
        }

        @Override
        public boolean keepsLines() {
            return true;
        }

        @Override
        public boolean run(SimulatedGpu.Arrays arrays, LargeTask task) {
            if (failAfter.decrementAndGet() < 0) {
                throw new IllegalStateException(FAILURE);
            }
            TileKernel kernel = task.task().kernel();
            boolean ownRows = kernel == TileKernel.A || kernel == TileKernel.B;
            boolean ownColumns = kernel == TileKernel.A || kernel == TileKernel.C;
            double[][] cells = arrays.get(task.cells(), task.down(), task.across());
            double[][] rows = arrays.get(task.rows(), task.depth(), task.across());
            double[][] columns = arrays.get(task.columns(), task.depth(), task.down());
            for (int k = 0; k < task.depth(); k++) {
                if (ownRows) {
                    rows[k] = cells[k].clone();
                }
                for (int i = 0; i < task.down(); i++) {
                    if (ownColumns) {
                        columns[k][i] = cells[i][k];
                    }
                    for (int j = 0; j < task.across(); j++) {
                        if (columns[k][i] + (rows[k][j] + margin) < cells[i][j]) {
                            cells[i][j] = columns[k][i] + rows[k][j];
                        }
                    }
                }
            }
            arrays.set(task.cells(), cells);
            if (ownRows) {
                arrays.set(task.rows(), rows);
            }
            if (ownColumns) {
                arrays.set(task.columns(), columns);
            }
            return true;
        }
    }

    /** Eliminates a matrix of n rows. This class is not a record, because Kryo cannot serialize records. */
    static final class Elimination implements SimulatedGpu.Cells {
        private static final long serialVersionUID = 1L;

        private final int n;

        Elimination(int n) {
            this.n = n;
        }

        @Override
        public int bytes() {
            return Double.BYTES;
        }

        @Override
        public boolean run(SimulatedGpu.Arrays arrays, LargeTask task) {
            TileKernel kernel = task.task().kernel();
            boolean right = kernel == TileKernel.B || kernel == TileKernel.D;
            boolean below = kernel == TileKernel.C || kernel == TileKernel.D;
            double[][] cells = arrays.get(task.cells(), task.down(), task.across());
            double[][] left = right ? arrays.get(task.columns(), task.down(), task.depth()) : cells;
            double[][] above = below ? arrays.get(task.rows(), task.depth(), task.across()) : cells;
            Tile target = task.task().target();
            int first = task.pitch()
                    * (kernel == TileKernel.D
                            ? task.task().sources().get(0).column()
                            : below ? target.column() : target.row());
            boolean answer = true;
            for (int k = 0; k < Math.min(task.depth(), n - first); k++) {
                answer &= right || Math.abs(above[k][k]) > 1e-9;
                for (int i = below ? 0 : k + 1; i < task.down(); i++) {
                    if (!right) {
                        cells[i][k] /= above[k][k];
                    }
                    for (int j = right ? 0 : k + 1; j < task.across(); j++) {
                        cells[i][j] = Math.fma(-left[i][k], above[k][j], cells[i][j]);
                    }
                }
            }
            arrays.set(task.cells(), cells);
            return answer;
        }
    }

    private final SimulatedGpu.Cells cells;

    OnSimulatedGpu(TiledProblem<T> problem, SimulatedGpu.Cells cells) {
        super(problem);
        this.cells = cells;
    }

    @Override
    public TileGpu openGpu(long bytes) {
        return new SimulatedGpu(cells, bytes);
    }

    @Override
    public void run(Task task, T target, List<T> sources) {
        throw new AssertionError("not on the CPU");
    }
}
