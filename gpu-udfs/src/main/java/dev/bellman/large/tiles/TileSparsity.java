package dev.bellman.large.tiles;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Describes the empty tiles of a sparse table with the pattern {@link Pattern#CLOSURE}, and the rounds that fill them.
 * A tile is empty if no edge leads from its rows to its columns and no path is known yet. A task with an empty source
 * has no effect and is skipped.
 *
 * <p>As in the symbolic factorization of a sparse matrix, tile (i, j) is filled in the first round k in which neither
 * (i, k) nor (k, j) is empty. If the vertices are ordered by nested dissection, this is the algorithm of Sao, Kannan,
 * Gera and Vuduc, "A supernodal all-pairs shortest path algorithm" (2020). Round k then combines only tiles in the part
 * of the graph that contains tile k, and in the separators around that part.
 */
public final class TileSparsity implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final int NEVER = Integer.MAX_VALUE;

    private final int side;
    /**
     * The first round in which each tile is not empty, row by row. The entry is {@link #side} for a tile that the last
     * round fills, and {@link #NEVER} for a tile that stays empty.
     */
    private final int[] from;

    private final long tasks;

    /**
     * Computes the fill of a table.
     *
     * @param rows for each row of tiles, the columns of the tiles that are not empty before the first round
     */
    public TileSparsity(BitSet... rows) {
        side = rows.length;
        from = new int[Math.multiplyExact(side, side)];
        Arrays.fill(from, NEVER);
        BitSet[] filled = new BitSet[side];
        for (int i = 0; i < side; i++) {
            filled[i] = (BitSet) rows[i].clone();
            // treat each pivot as nonempty, because task A runs on it in its round in any case
            filled[i].set(i);
            mark(i, filled[i], 0);
        }
        long sum = 0;
        for (int k = 0; k < side; k++) {
            int column = 0;
            for (int i = 0; i < side; i++) {
                if (filled[i].get(k)) {
                    column++;
                    BitSet added = (BitSet) filled[k].clone();
                    added.andNot(filled[i]);
                    mark(i, added, k + 1);
                    filled[i].or(added);
                }
            }
            sum += (long) column * filled[k].cardinality();
        }
        tasks = sum;
    }

    private void mark(int row, BitSet columns, int round) {
        columns.stream().forEach(column -> from[row * side + column] = round);
    }

    /** Returns the number of tiles per side. */
    public int side() {
        return side;
    }

    /** Returns the number of tasks that are not skipped. */
    public long tasks() {
        return tasks;
    }

    /** Returns the number of tasks on a table without empty tiles. */
    public long allTasks() {
        return (long) side * side * side;
    }

    /** Whether a tile stays empty. Such a tile is never the target of a task. */
    public boolean isEmpty(Tile tile) {
        return from[tile.row() * side + tile.column()] == NEVER;
    }

    private boolean isFilled(int row, int column, int round) {
        return from[row * side + column] <= round;
    }

    /** Passes on the tasks that are not skipped, wave by wave, as {@link Schedule#run} does. */
    void run(Consumer<List<Task>> waves) {
        for (int k = 0; k < side; k++) {
            int round = k;
            Tile pivot = new Tile(k, k);
            int[] rows = IntStream.range(0, side)
                    .filter(i -> i != round && isFilled(i, round, round))
                    .toArray();
            int[] columns = IntStream.range(0, side)
                    .filter(j -> j != round && isFilled(round, j, round))
                    .toArray();
            List<Task> cross = new ArrayList<>(rows.length + columns.length);
            for (int j : columns) {
                cross.add(new Task(TileKernel.B, new Tile(k, j), pivot));
            }
            for (int i : rows) {
                cross.add(new Task(TileKernel.C, new Tile(i, k), pivot));
            }
            List<Task> products = new ArrayList<>(Math.multiplyExact(rows.length, columns.length));
            for (int i : rows) {
                for (int j : columns) {
                    products.add(new Task(TileKernel.D, new Tile(i, j), new Tile(i, k), new Tile(k, j)));
                }
            }
            waves.accept(List.of(new Task(TileKernel.A, pivot)));
            if (!cross.isEmpty()) {
                waves.accept(cross);
            }
            if (!products.isEmpty()) {
                waves.accept(products);
            }
        }
    }
}
