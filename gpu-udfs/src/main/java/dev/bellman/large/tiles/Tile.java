package dev.bellman.large.tiles;

import java.io.Serializable;

/** The position of a tile in a grid, counted from 0. */
public record Tile(int row, int column) implements Serializable {
    /**
     * Returns the position of a part of this tile in the finer grid that results if the tile is divided into
     * {@code splits} by {@code splits} parts.
     */
    public Tile part(int splits, int row, int column) {
        return new Tile(this.row * splits + row, this.column * splits + column);
    }
}
