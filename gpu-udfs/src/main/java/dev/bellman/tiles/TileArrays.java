package dev.bellman.tiles;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The large tiles of a {@link TiledProblem} as arrays of equal size for a {@link TileGpu}: a tile's cells row by row, and zeros beyond the end of the table.
 *
 * @param <T> a tile of the problem
 */
final class TileArrays<T> {
    private final TiledProblem<T> problem;
    private final int parts;

    /** @param parts tiles per side of a large tile */
    TileArrays(TiledProblem<T> problem, int parts) {
        this.problem = problem;
        this.parts = parts;
    }

    /** Bytes of an array. */
    int bytes() {
        return Math.toIntExact((long) parts * parts * problem.bytes());
    }

    /** Large tiles per side. */
    int side() {
        return Grid.tiles(problem.side(), parts);
    }

    /** Tiles of the problem in a row or column of large tiles. */
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
        return problem.bytes() / (problem.edge() * problem.edge());
    }

    /** Where row {@code row} of a part begins in an array. */
    private int at(int partRow, int partColumn, int row) {
        int edge = problem.edge();
        return ((partRow * edge + row) * pitch() + partColumn * edge) * cellBytes();
    }

    void write(Grid<T> from, ByteBuffer to) {
        int line = problem.edge() * cellBytes();
        ByteBuffer part = ByteBuffer.allocate(problem.bytes()).order(ByteOrder.nativeOrder());
        for (int row = 0; row < parts; row++) {
            for (int column = 0; column < parts; column++) {
                T tile = from.get(row, column);
                if (tile == null) {
                    Arrays.fill(part.array(), (byte) 0);
                } else {
                    problem.write(tile, part.clear());
                }
                for (int i = 0; i < problem.edge(); i++) {
                    to.put(at(row, column, i), part.array(), i * line, line);
                }
            }
        }
    }

    Grid<T> read(Tile place, ByteBuffer from) {
        int line = problem.edge() * cellBytes();
        return new Grid<>(parts, part -> {
            if (part.row() >= parts(place.row()) || part.column() >= parts(place.column())) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.allocate(problem.bytes()).order(ByteOrder.nativeOrder());
            for (int i = 0; i < problem.edge(); i++) {
                from.get(at(part.row(), part.column(), i), bytes.array(), i * line, line);
            }
            return problem.read(bytes);
        });
    }

    /**
     * A task of {@link Pattern#CLOSURE} or {@link Pattern#ELIMINATION}.
     *
     * @param cells address of the target
     * @param rows address; 0 if there are none
     * @param columns address; 0 if there are none
     */
    LargeTask task(Task task, long cells, long rows, long columns) {
        Tile place = task.target();
        int depth =
                switch (task.kernel()) {
                    case A, B -> place.row();
                    case C -> place.column();
                    case D -> task.sources().get(0).column();
                };
        return new LargeTask(
                task, pitch(), cells(place.row()), cells(place.column()), cells(depth), cells, rows, columns);
    }

    /**
     * Calls {@link TiledProblem#check}.
     *
     * @param diagonal a large tile
     */
    void check(Tile diagonal, Grid<T> content) {
        for (int part = 0; part < parts(diagonal.row()); part++) {
            problem.check(diagonal.part(parts, part, part), content.get(part, part));
        }
    }
}
