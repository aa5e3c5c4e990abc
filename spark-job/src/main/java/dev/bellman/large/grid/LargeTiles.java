package dev.bellman.large.grid;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TileSparsity;
import dev.bellman.large.tiles.TiledProblem;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A problem that is divided into large tiles, each of which has {@code parts} by {@code parts} tiles. The large tiles
 * at the end of the table may have fewer tiles.
 *
 * @param <T> a tile of the problem
 */
final class LargeTiles<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final TiledProblem<T> problem;
    private final int parts;
    /** Null if tasks on empty large tiles are not skipped. */
    private final TileSparsity fill;

    LargeTiles(TiledProblem<T> problem, int parts) {
        this(problem, parts, null);
    }

    private LargeTiles(TiledProblem<T> problem, int parts, TileSparsity fill) {
        this.problem = problem;
        this.parts = parts;
        this.fill = fill;
    }

    /** Returns the problem in a form in which tasks on empty large tiles are skipped. */
    static <T> LargeTiles<T> withoutEmpty(TiledProblem<T> problem, int parts) {
        return new LargeTiles<>(problem, parts, problem.fill(parts).orElse(null));
    }

    TiledProblem<T> problem() {
        return problem;
    }

    int parts() {
        return parts;
    }

    /** Returns the rounds in which the table is computed. */
    Schedule schedule() {
        return fill == null ? Schedule.blocked(side()) : Schedule.blocked(fill);
    }

    /** Returns which large tiles are empty; the result is empty if tasks on such tiles are not skipped. */
    Optional<TileSparsity> fill() {
        return Optional.ofNullable(fill);
    }

    /** Whether a large tile never changes its initial content, so that it is not stored in a file. */
    boolean isEmpty(Tile tile) {
        return fill != null && fill.isEmpty(tile);
    }

    /** Returns the number of large tiles on each side of the table. */
    int side() {
        return Grid.tiles(problem.side(), parts);
    }

    /** Returns the number of cells on each side of a large tile. */
    int edge() {
        return parts * problem.edge();
    }

    /** Whether at least one tile of a large tile is in the table. */
    boolean has(Tile tile) {
        for (int part = 0; part < parts * parts; part++) {
            if (problem.has(tile.part(parts, part / parts, part % parts))) {
                return true;
            }
        }
        return false;
    }

    /** Calls an action for those tiles of a large tile that are in the table, row by row. */
    private void forEach(Tile tile, BiConsumer<Integer, Integer> action) {
        for (int row = 0; row < parts; row++) {
            for (int column = 0; column < parts; column++) {
                if (problem.has(tile.part(parts, row, column))) {
                    action.accept(row, column);
                }
            }
        }
    }

    private int count(Tile tile) {
        int[] count = {0};
        forEach(tile, (row, column) -> count[0]++);
        return count[0];
    }

    /** Returns the number of tiles on a side of the large tiles in this row or column. */
    private int count(int index) {
        return Math.min(parts, problem.side() - index * parts);
    }

    /** Returns the number of operations, such as relaxations, of a task. */
    double operations(Task task) {
        int[] ends = {0, 0};
        forEach(task.target(), (row, column) -> {
            ends[0] = Math.max(ends[0], row + 1);
            ends[1] = Math.max(ends[1], column + 1);
        });
        Tile before = task.sources().isEmpty() ? task.target() : task.sources().get(0);
        return problem.pattern().work(task.kernel())
                * ends[0]
                * ends[1]
                * count(task.kernel() == TileKernel.C ? before.row() : before.column())
                * Math.pow(problem.edge(), 3);
    }

    @FunctionalInterface
    private interface Make<T> {
        T of(Tile part);
    }

    private Grid<T> grid(Tile tile, Make<T> make) {
        return new Grid<>(parts, part -> {
            Tile place = tile.part(parts, part.row(), part.column());
            return problem.has(place) ? make.of(place) : null;
        });
    }

    Grid<T> make(Tile tile) {
        return grid(tile, problem::make);
    }

    void run(Task task, Grid<T> target, List<Grid<T>> sources) {
        Map<Tile, Grid<T>> large = new HashMap<>();
        for (int i = 0; i < sources.size(); i++) {
            large.put(task.sources().get(i), sources.get(i));
        }
        large.put(task.target(), target);
        Schedule.blocked(parts).run(problem.pattern(), task, problem.side(), wave -> wave.stream()
                .filter(part -> problem.has(part.target()))
                .forEach(part -> problem.run(
                        part,
                        part(large, part.target()),
                        part.sources().stream()
                                .map(source -> part(large, source))
                                .toList())));
    }

    private T part(Map<Tile, Grid<T>> large, Tile part) {
        return large.get(new Tile(part.row() / parts, part.column() / parts))
                .get(part.row() % parts, part.column() % parts);
    }

    long bytes(Tile tile) {
        return (long) count(tile) * problem.bytes();
    }

    long panelBytes(TileKernel kernel, Tile tile) {
        return (long) count(tile) * problem.panelBytes(kernel);
    }

    ByteBuffer write(Tile tile, Grid<T> tiles) {
        ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(bytes(tile)));
        forEach(tile, (row, column) -> problem.write(tiles.get(row, column), to));
        return to.flip();
    }

    Grid<T> read(Tile tile, ByteBuffer from) {
        return grid(tile, part -> problem.read(from));
    }

    ByteBuffer writePanel(TileKernel kernel, Tile tile, Grid<T> tiles) {
        ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(panelBytes(kernel, tile)));
        forEach(tile, (row, column) -> problem.writePanel(kernel, tiles.get(row, column), to));
        return to.flip();
    }

    Grid<T> readPanel(TileKernel kernel, Tile tile, ByteBuffer from) {
        return grid(tile, part -> problem.readPanel(kernel, from));
    }
}
