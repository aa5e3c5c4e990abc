package dev.bellman.grid;

import dev.bellman.tiles.Pattern;
import dev.bellman.tiles.Task;
import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TileKernel;
import dev.bellman.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A problem of which something happens in each task after the first ones, in this process: by default, they fail. */
final class Breaking<T> implements TiledProblem<T> {
    private static final long serialVersionUID = 1L;

    static final String MESSAGE = "cut off";

    /** Tasks until then. */
    static final AtomicInteger left = new AtomicInteger();

    private static volatile Runnable event = Breaking::fail;

    private final TiledProblem<T> problem;

    Breaking(TiledProblem<T> problem) {
        this.problem = problem;
    }

    private static void fail() {
        throw new IllegalStateException(MESSAGE);
    }

    private static synchronized void happen() {
        event.run();
    }

    /** Runs something once, before the task after some. */
    static void after(int tasks, Runnable once) {
        event = () -> {
            left.set(Integer.MAX_VALUE);
            event = Breaking::fail;
            once.run();
        };
        left.set(tasks);
    }

    @Override
    public void run(Task task, T target, List<T> sources) {
        if (left.decrementAndGet() < 0) {
            happen();
        }
        problem.run(task, target, sources);
    }

    @Override
    public Pattern pattern() {
        return problem.pattern();
    }

    @Override
    public int edge() {
        return problem.edge();
    }

    @Override
    public int side() {
        return problem.side();
    }

    @Override
    public boolean has(Tile tile) {
        return problem.has(tile);
    }

    @Override
    public T make(Tile tile) {
        return problem.make(tile);
    }

    @Override
    public int bytes() {
        return problem.bytes();
    }

    @Override
    public void write(T tile, ByteBuffer to) {
        problem.write(tile, to);
    }

    @Override
    public T read(ByteBuffer from) {
        return problem.read(from);
    }

    @Override
    public int panelBytes(TileKernel kernel) {
        return problem.panelBytes(kernel);
    }

    @Override
    public void writePanel(TileKernel kernel, T tile, ByteBuffer to) {
        problem.writePanel(kernel, tile, to);
    }

    @Override
    public T readPanel(TileKernel kernel, ByteBuffer from) {
        return problem.readPanel(kernel, from);
    }
}
