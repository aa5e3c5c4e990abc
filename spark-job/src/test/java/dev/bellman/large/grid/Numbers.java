package dev.bellman.large.grid;

import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Computes shortest paths or an elimination on a {@link SimulatedGpu}, with many tiles that have few cells. */
final class Numbers implements TiledProblem<double[]> {
    private static final long serialVersionUID = 1L;

    static final int EDGE = 4;
    static final int SIDE = 16;
    static final int N = SIDE * EDGE;
    static final int CELLS = EDGE * EDGE;

    /** The number of tasks that run before {@link #event}. */
    static final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    static volatile Runnable event;

    private final Pattern pattern;
    private final double[][] cells = new double[N][N];

    Numbers(Pattern pattern) {
        this.pattern = pattern;
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                cells[i][j] = i != j ? random.nextInt(1, 10_000) : pattern == Pattern.CLOSURE ? 0 : 1e6;
            }
        }
    }

    /** Runs the textbook's loops. */
    void solve() {
        for (int k = 0; k < N; k++) {
            for (int i = pattern == Pattern.CLOSURE ? 0 : k + 1; i < N; i++) {
                if (pattern == Pattern.CLOSURE) {
                    for (int j = 0; j < N; j++) {
                        cells[i][j] = Math.min(cells[i][j], cells[i][k] + cells[k][j]);
                    }
                } else {
                    cells[i][k] /= cells[k][k];
                    for (int j = k + 1; j < N; j++) {
                        cells[i][j] = Math.fma(-cells[i][k], cells[k][j], cells[i][j]);
                    }
                }
            }
        }
    }

    double[][] cells() {
        return cells;
    }

    @Override
    public Pattern pattern() {
        return pattern;
    }

    @Override
    public int edge() {
        return EDGE;
    }

    @Override
    public int side() {
        return SIDE;
    }

    @Override
    public double[] make(Tile tile) {
        return IntStream.range(0, CELLS)
                .mapToDouble(i -> cells[tile.row() * EDGE + i / EDGE][tile.column() * EDGE + i % EDGE])
                .toArray();
    }

    @Override
    public void run(Task task, double[] target, List<double[]> sources) {
        throw new AssertionError("not on the CPU");
    }

    @Override
    public int bytes() {
        return CELLS * Double.BYTES;
    }

    @Override
    public void write(double[] tile, ByteBuffer to) {
        for (double cell : tile) {
            to.putDouble(cell);
        }
    }

    @Override
    public double[] read(ByteBuffer from) {
        return IntStream.range(0, CELLS).mapToDouble(i -> from.getDouble()).toArray();
    }

    @Override
    public int panelBytes(TileKernel kernel) {
        throw new AssertionError("without panels");
    }

    @Override
    public void writePanel(TileKernel kernel, double[] tile, ByteBuffer to) {
        throw new AssertionError("without panels");
    }

    @Override
    public double[] readPanel(TileKernel kernel, ByteBuffer from) {
        throw new AssertionError("without panels");
    }

    @Override
    public TileGpu openGpu(long bytes) {
        SimulatedGpu.Cells cells = pattern == Pattern.CLOSURE
                ? new OnSimulatedGpu.Paths(Double.BYTES, 0)
                : new OnSimulatedGpu.Elimination(N);
        return new SimulatedGpu(
                new SimulatedGpu.Cells() {
                    @Override
                    public int bytes() {
                        return cells.bytes();
                    }

                    @Override
                    public boolean keepsLines() {
                        return cells.keepsLines();
                    }

                    @Override
                    public boolean run(SimulatedGpu.Arrays arrays, LargeTask task) {
                        if (left.decrementAndGet() == 0) {
                            event.run();
                        }
                        return cells.run(arrays, task);
                    }
                },
                bytes);
    }
}
