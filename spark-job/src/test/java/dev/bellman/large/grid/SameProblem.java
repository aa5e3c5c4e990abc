package dev.bellman.large.grid;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TileSparsity;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Delegates to a different problem. Subclasses change parts of it. */
abstract class SameProblem<T> implements TiledProblem<T> {
    private static final long serialVersionUID = 1L;

    private final TiledProblem<T> problem;

    SameProblem(TiledProblem<T> problem) {
        this.problem = problem;
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
    public Optional<TileSparsity> fill(int parts) {
        return problem.fill(parts);
    }

    @Override
    public T make(Tile tile) {
        return problem.make(tile);
    }

    @Override
    public void run(Task task, T target, List<T> sources) {
        problem.run(task, target, sources);
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

    @Override
    public int valuesOnGpu() {
        return problem.valuesOnGpu();
    }

    @Override
    public int bytesOnGpu() {
        return problem.bytesOnGpu();
    }

    @Override
    public void writeForGpu(T tile, ByteBuffer to) {
        problem.writeForGpu(tile, to);
    }

    @Override
    public T readFromGpu(ByteBuffer from) {
        return problem.readFromGpu(from);
    }

    @Override
    public int fewestParts() {
        return problem.fewestParts();
    }

    @Override
    public void check(Tile tile, T content) {
        problem.check(tile, content);
    }

    @Override
    public TileGpu openGpu(long bytes) {
        return problem.openGpu(bytes);
    }
}
