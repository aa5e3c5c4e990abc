package dev.bellman.large.tiles;

import java.io.Serializable;
import java.util.List;

/**
 * One run of a kernel.
 *
 * @param target the tile that the kernel reads and writes
 * @param sources the other tiles that the kernel reads, in the order that the {@link Pattern} defines
 */
public record Task(TileKernel kernel, Tile target, List<Tile> sources) implements Serializable {
    public Task(TileKernel kernel, Tile target, Tile... sources) {
        this(kernel, target, List.of(sources));
    }
}
