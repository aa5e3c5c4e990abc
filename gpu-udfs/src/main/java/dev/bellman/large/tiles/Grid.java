package dev.bellman.large.tiles;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The tiles of a table or of a large tile. Tiles at the end of the table are padded to full size with values that do
 * not affect other cells.
 *
 * @param <T> the type of a tile, for example an array of its cells row by row
 */
public final class Grid<T> {
    private final int side;
    private final List<T> tiles;

    /** @param make creates a tile; returns null for tiles that the pattern never visits */
    public Grid(int side, Function<Tile, T> make) {
        this.side = side;
        List<T> made = new ArrayList<>(side * side);
        for (int row = 0; row < side; row++) {
            for (int column = 0; column < side; column++) {
                made.add(make.apply(new Tile(row, column)));
            }
        }
        tiles = made;
    }

    /** Returns the number of tiles that the given number of cells need. */
    public static int tiles(long cells, int edge) {
        return Math.toIntExact((cells + edge - 1) / edge);
    }

    /** Returns the number of tiles per side. */
    public int side() {
        return side;
    }

    public T get(Tile tile) {
        return get(tile.row(), tile.column());
    }

    /** Returns several tiles, such as the sources of a task. */
    public List<T> get(List<Tile> tiles) {
        return tiles.stream().map(this::get).toList();
    }

    public T get(int row, int column) {
        return tiles.get(row * side + column);
    }
}
