package dev.bellman.large.tiles;

import java.io.Serializable;

/** A tile by its place in a grid, counted from 0. */
public record Tile(int row, int column) implements Serializable {
    /** A part of this tile, cut into {@code splits} by {@code splits}: its place in the finer grid. */
    public Tile part(int splits, int row, int column) {
        return new Tile(this.row * splits + row, this.column * splits + column);
    }
}
