package dev.bellman.large.grid;

import dev.bellman.large.tiles.Tile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides a table into slots; each slot stays on one executor. Large tiles are assigned to slots block-cyclically, in
 * both directions.
 */
final class Slots implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int count;
    private final int columns;

    Slots(int count) {
        this.count = count;
        columns = count
                / IntStream.rangeClosed(1, (int) Math.sqrt(count))
                        .filter(rows -> count % rows == 0)
                        .max()
                        .orElse(1);
    }

    int count() {
        return count;
    }

    int of(Tile tile) {
        int rows = count / columns;
        // if there is only one row of slots, it is shifted by one slot in each row of the table; otherwise, one slot
        // would have all tiles of kernel C in a round
        int column = rows == 1 ? tile.row() + tile.column() : tile.column();
        return tile.row() % rows * columns + column % columns;
    }

    /**
     * Returns the tiles that belong to a slot.
     *
     * @param side the number of large tiles on each side of the table
     */
    List<Tile> tiles(int slot, int side) {
        List<Tile> tiles = new ArrayList<>();
        for (int row = 0; row < side; row++) {
            for (int column = 0; column < side; column++) {
                Tile tile = new Tile(row, column);
                if (of(tile) == slot) {
                    tiles.add(tile);
                }
            }
        }
        return tiles;
    }

    /** Returns the maximum number of tiles that a slot has. */
    int most(int side) {
        return IntStream.range(0, count)
                .map(slot -> tiles(slot, side).size())
                .max()
                .orElse(0);
    }
}
