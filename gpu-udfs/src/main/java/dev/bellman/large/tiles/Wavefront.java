package dev.bellman.large.tiles;

import java.util.concurrent.CancellationException;

/**
 * Computes a table in which each tile depends on the tile above and the tile on the left. A team processes the tiles by
 * antidiagonals; a member waits only for these two tiles, not for the whole previous antidiagonal.
 */
public final class Wavefront {
    /** Computes a tile. */
    @FunctionalInterface
    public interface Tiles {
        void solve(int row, int column);
    }

    /** The interval at which a waiting member checks whether another member has failed. */
    private static final int LOOK_MILLIS = 50;

    private final int rows;
    /** The number of finished tiles of each column. */
    private final int[] done;
    /** The position of the next tile. */
    private int row;

    private int column;

    private Wavefront(int rows, int columns) {
        this.rows = rows;
        done = new int[columns];
    }

    /**
     * Solves all tiles.
     *
     * @param threads the number of threads that solve tiles, including the caller
     * @throws CancellationException as for {@link ThreadTeam#run}, unless {@code threads} is 1
     */
    public static void run(int rows, int columns, int threads, Tiles tiles) {
        if (threads == 1) {
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    tiles.solve(row, column);
                }
            }
            return;
        }
        Wavefront front = new Wavefront(rows, columns);
        ThreadTeam.run(threads, (team, member) -> {
            for (Tile tile = front.take(team); tile != null; tile = front.take(team)) {
                tiles.solve(tile.row(), tile.column());
                front.done(tile);
            }
        });
    }

    /** Waits for the predecessors of the next tile and returns this tile, or null at the end. */
    private synchronized Tile take(ThreadTeam team) {
        if (row == rows) {
            return null;
        }
        Tile tile = new Tile(row, column);
        advance();
        team.check();
        while (done[tile.column()] < tile.row() || tile.column() > 0 && done[tile.column() - 1] <= tile.row()) {
            try {
                wait(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            team.check();
        }
        return tile;
    }

    /** Moves to the next tile of the antidiagonal, which is one row down, or to the top of the next antidiagonal. */
    private void advance() {
        if (column > 0 && row + 1 < rows) {
            row++;
            column--;
            return;
        }
        int diagonal = row + column + 1;
        column = Math.min(diagonal, done.length - 1);
        row = diagonal - column;
    }

    private synchronized void done(Tile tile) {
        done[tile.column()]++;
        notifyAll();
    }
}
