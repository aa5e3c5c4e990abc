package dev.bellman.tiles;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The tiles of a table, wherever they live. Tiles at the end are padded to the size of all others, with values that change no other.
 *
 * @param <T> what a tile is, an array of its cells row by row say
 */
public final class Grid<T> {
    private final int side;
    private final List<T> tiles;

    /** @param make makes a tile; null where the pattern never goes */
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

    /** How many tiles so many cells need. */
    public static int tiles(long cells, int edge) {
        return Math.toIntExact((cells + edge - 1) / edge);
    }

    /** Tiles of a side. */
    public int side() {
        return side;
    }

    public T get(Tile tile) {
        return get(tile.row(), tile.column());
    }

    public T get(int row, int column) {
        return tiles.get(row * side + column);
    }
}
