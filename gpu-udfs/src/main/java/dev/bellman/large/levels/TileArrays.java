package dev.bellman.large.levels;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Converts the large tiles of a {@link TiledProblem} to arrays of equal size for a {@link TileGpu}. For each value that
 * a cell has on the GPU, an array contains this value of all cells of a large tile, row by row, with zeros beyond the
 * end of the table.
 *
 * @param <T> a tile of the problem
 */
final class TileArrays<T> {
    private final TiledProblem<T> problem;
    private final int parts;

    /** @param parts the number of tiles per side of a large tile */
    TileArrays(TiledProblem<T> problem, int parts) {
        this.problem = problem;
        this.parts = parts;
    }

    int bytes() {
        return Math.toIntExact((long) parts * parts * problem.bytesOnGpu());
    }

    long bytesInHeap() {
        return (long) parts * parts * problem.bytes();
    }

    int side() {
        return Grid.tiles(problem.side(), parts);
    }

    /** Returns the number of large tiles in the table. */
    int count() {
        return (int) IntStream.range(0, side() * side())
                .filter(i -> has(new Tile(i / side(), i % side())))
                .count();
    }

    private boolean has(Tile large) {
        return IntStream.range(0, parts * parts)
                .anyMatch(part -> problem.has(large.part(parts, part / parts, part % parts)));
    }

    /** Returns the number of the problem's tiles per side of a large tile, given the large tile's row or column. */
    private int parts(int place) {
        return Math.min(parts, problem.side() - place * parts);
    }

    private int cells(int place) {
        return parts(place) * problem.edge();
    }

    private int pitch() {
        return parts * problem.edge();
    }

    private int cellBytes() {
        return problem.bytesOnGpu() / (problem.valuesOnGpu() * problem.edge() * problem.edge());
    }

    /** Returns the byte index in an array at which row {@code row} of a part begins. */
    private int at(int partRow, int partColumn, int row) {
        int edge = problem.edge();
        return ((partRow * edge + row) * pitch() + partColumn * edge) * cellBytes();
    }

    @FunctionalInterface
    private interface Lines {
        void move(ByteBuffer array, int at, byte[] part, int from, int line);
    }

    /** Copies all rows of a part. */
    private void move(ByteBuffer array, int partRow, int partColumn, ByteBuffer part, Lines lines) {
        int edge = problem.edge();
        int line = edge * cellBytes();
        for (int value = 0; value < problem.valuesOnGpu(); value++) {
            int first = value * pitch() * pitch() * cellBytes();
            for (int i = 0; i < edge; i++) {
                lines.move(array, first + at(partRow, partColumn, i), part.array(), (value * edge + i) * line, line);
            }
        }
    }

    void write(Grid<T> from, ByteBuffer to) {
        ByteBuffer part = ByteBuffer.allocate(problem.bytesOnGpu()).order(ByteOrder.nativeOrder());
        for (int row = 0; row < parts; row++) {
            for (int column = 0; column < parts; column++) {
                T tile = from.get(row, column);
                if (tile == null) {
                    Arrays.fill(part.array(), (byte) 0);
                } else {
                    problem.writeForGpu(tile, part.clear());
                }
                move(to, row, column, part, ByteBuffer::put);
            }
        }
    }

    Grid<T> read(Tile place, ByteBuffer from) {
        return new Grid<>(parts, part -> {
            if (!problem.has(place.part(parts, part.row(), part.column()))) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.allocate(problem.bytesOnGpu()).order(ByteOrder.nativeOrder());
            move(from, part.row(), part.column(), bytes, ByteBuffer::get);
            return problem.readFromGpu(bytes);
        });
    }

    /**
     * Returns a task on arrays.
     *
     * @param cells the address of the target
     * @param rows the address of the rows; 0 if there are none
     * @param columns the address of the columns; 0 if there are none
     * @param corner the address of the corner; 0 if there is none
     */
    LargeTask task(Task task, long cells, long rows, long columns, long corner) {
        Tile place = task.target();
        int depth =
                switch (task.kernel()) {
                    case A, B -> place.row();
                    case C -> place.column();
                    case D -> task.sources().get(0).column();
                };
        return new LargeTask(
                task,
                pitch(),
                cells(place.row()),
                cells(place.column()),
                // sources come before the target, so they are not truncated at the end of the table
                problem.pattern() == Pattern.PREFIXES ? pitch() : cells(depth),
                cells,
                rows,
                columns,
                corner);
    }

    /**
     * Calls {@link TiledProblem#check} for each tile on the diagonal of a large tile, in ascending order.
     *
     * @param diagonal a large tile
     */
    void check(Tile diagonal, Grid<T> content) {
        for (int part = 0; part < parts(diagonal.row()); part++) {
            problem.check(diagonal.part(parts, part, part), content.get(part, part));
        }
    }
}
