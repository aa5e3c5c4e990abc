package dev.bellman.align.gap;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.align.Text;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileRows;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The {@link GapTable} of one pair of long sequences, divided into tiles that may be in memory, in files or on other
 * machines. The score and the alignment are the same as for the table in memory, for costs of any shape. Row 0 and
 * column 0, which come before the first letters, are part of the table. The table need not be square.
 *
 * <p>A tile consists of the rows of {@code beforeA}, then the rows of {@code beforeB}. Until the tile is finished,
 * these rows contain the contributions of finished tiles to the left and above.
 */
public final class GapTiles implements TiledProblem<long[][]> {
    private static final long serialVersionUID = 1L;

    /**
     * The number of rows and columns of a tile. A tile fits in a second-level cache together with the finished tile
     * that it reads.
     */
    static final int EDGE = 96;

    /** The value that marks a missing alignment in 32-bit tables. */
    private static final int NO_INT = -1 << 30;

    private final int[] a;
    private final int[] b;
    private final long match;
    private final long mismatch;
    private final long[] aCosts;
    private final long[] bCosts;
    private final int edge;
    /** Whether cells have 64 bits on a GPU. */
    private final boolean wide;

    private GapTiles(Text a, Text b, GapScores scores, int edge) {
        scores.check(GapErrorContext.JOB, a.length(), b.length());
        this.a = a.characters();
        this.b = b.characters();
        match = scores.match();
        mismatch = scores.mismatch();
        aCosts = Arrays.copyOf(scores.aCosts(), a.length());
        bCosts = Arrays.copyOf(scores.bCosts(), b.length());
        this.edge = edge;
        wide = !scores.fitsInts(a.length(), b.length());
    }

    /**
     * Creates the tiles of a pair.
     *
     * @param a the first sequence; both sequences are in UTF-8
     * @param costs the costs of gaps with 1, 2, ... letters in both sequences
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there are too few costs or a cost is negative;
     *     {@link ErrorCode#BELLMAN_OVERFLOW} if a sum might exceed 64 bits
     */
    public static GapTiles of(byte[] a, byte[] b, long match, long mismatch, long... costs) {
        return of(Text.of(a), Text.of(b), GapScores.shared(match, mismatch, costs), EDGE);
    }

    /** Like {@link #of(byte[], byte[], long, long, long...)}, with separate costs for each sequence. */
    public static GapTiles of(byte[] a, byte[] b, long match, long mismatch, long[] aCosts, long[] bCosts) {
        return of(Text.of(a), Text.of(b), new GapScores(match, mismatch, aCosts, bCosts), EDGE);
    }

    /** @param edge the number of rows and columns of a tile */
    static GapTiles of(Text a, Text b, GapScores scores, int edge) {
        return new GapTiles(a, b, scores, edge);
    }

    private GapScores scores() {
        return new GapScores(match, mismatch, aCosts, bCosts);
    }

    /** Returns the number of letters in the first sequence. */
    public int aLength() {
        return a.length;
    }

    /** Returns the number of letters in the second sequence. */
    public int bLength() {
        return b.length;
    }

    /** Returns the shape of the costs: {@code affine}, {@code concave} or {@code general}. */
    public String shape() {
        return Strategies.name(scores().shape(a.length, b.length));
    }

    @Override
    public Pattern pattern() {
        return Pattern.PREFIXES;
    }

    @Override
    public int edge() {
        return edge;
    }

    @Override
    public int side() {
        return Grid.tiles(Math.max(a.length, b.length) + 1L, edge);
    }

    @Override
    public boolean has(Tile tile) {
        return tile.row() * edge <= a.length && tile.column() * edge <= b.length;
    }

    @Override
    public long[][] make(Tile tile) {
        long[][] made = new long[2 * edge][edge];
        for (long[] row : made) {
            Arrays.fill(row, GapCells.NONE);
        }
        return made;
    }

    private int rows(Tile tile) {
        return Math.min(edge, a.length + 1 - tile.row() * edge);
    }

    private int columns(Tile tile) {
        return Math.min(edge, b.length + 1 - tile.column() * edge);
    }

    @Override
    public void run(Task task, long[][] target, List<long[][]> sources) {
        Tile to = task.target();
        switch (task.kernel()) {
            case A -> finish(task, target, sources);
            case B -> {
                int shift = (to.column() - task.sources().get(0).column()) * edge - 1;
                for (int row = 0; row < rows(to); row++) {
                    for (int q = 0; q < edge; q++) {
                        GapTable.relaxByCosts(
                                target[row], sources.get(0)[edge + row][q], bCosts, shift - q, 0, columns(to));
                    }
                }
            }
            default -> {
                int shift = (to.row() - task.sources().get(0).row()) * edge - 1;
                for (int row = 0; row < rows(to); row++) {
                    for (int p = 0; p < edge; p++) {
                        GapTable.relaxRow(
                                target[edge + row], sources.get(0)[p], aCosts[row + shift - p], 0, columns(to));
                    }
                }
            }
        }
    }

    /**
     * Finishes a tile row by row: the {@code beforeB} of a row depends only on the rows above, and determines the row's
     * {@code beforeA}.
     */
    private void finish(Task task, long[][] tile, List<long[][]> neighbours) {
        Tile place = task.target();
        int columns = columns(place);
        long[] pairs = new long[columns];
        for (int row = 0; row < rows(place); row++) {
            pairs(pairs, task, tile, neighbours, row);
            long[] beforeA = tile[row];
            long[] beforeB = tile[edge + row];
            for (int p = 0; p < row; p++) {
                GapTable.relaxRow(beforeB, tile[p], aCosts[row - p - 1], 0, columns);
            }
            for (int column = 0; column < columns; column++) {
                beforeB[column] = Math.max(pairs[column], beforeB[column]);
            }
            for (int q = 0; q < columns; q++) {
                GapTable.relaxByCosts(beforeA, beforeB[q], bCosts, -q - 1, q + 1, columns);
            }
            for (int column = 0; column < columns; column++) {
                beforeA[column] = Math.max(pairs[column], beforeA[column]);
            }
        }
    }

    /** Computes a row's best scores, from the row above, for alignments that end with a match or mismatch. */
    private void pairs(long[] pairs, Task task, long[][] tile, List<long[][]> neighbours, int row) {
        int top = task.target().row() * edge;
        int left = task.target().column() * edge;
        int i = top + row;
        for (int column = 0; column < pairs.length; column++) {
            int j = left + column;
            if (i == 0 || j == 0) {
                pairs[column] = i == 0 && j == 0 ? 0 : GapCells.NONE;
                continue;
            }
            // the order of the existing neighbours is: above, left, above left
            long[][] before = tile;
            if (row == 0 && column == 0) {
                before = neighbours.get(2);
            } else if (row == 0) {
                before = neighbours.get(0);
            } else if (column == 0) {
                before = neighbours.get(top == 0 ? 0 : 1);
            }
            int above = row == 0 ? edge - 1 : row - 1;
            int beside = column == 0 ? edge - 1 : column - 1;
            long best = Math.max(before[above][beside], before[edge + above][beside]);
            pairs[column] = best + (a[i - 1] == b[j - 1] ? match : mismatch);
        }
    }

    @Override
    public int bytes() {
        return 2 * edge * edge * Long.BYTES;
    }

    @Override
    public void write(long[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    public long[][] read(ByteBuffer from) {
        return TileRows.read(new long[2 * edge][edge], from);
    }

    /**
     * Returns the number of bytes available to a table on a task's GPU, or 0 if the GPU has too little shared memory.
     */
    public static long gpuMemory() {
        return GpuSide.get(GapGpu.class).memory();
    }

    @Override
    public TileGpu openGpu(long memory) {
        return GpuSide.get(GapGpu.class).open(a, b, scores(), wide, memory);
    }

    @Override
    public int valuesOnGpu() {
        return 2;
    }

    @Override
    public int bytesOnGpu() {
        return 2 * edge * edge * (wide ? Long.BYTES : Integer.BYTES);
    }

    /** Returns the minimum number of parts of a large tile; a part has 96 rows on the CPU and 128 rows on a GPU. */
    @Override
    public int fewestParts() {
        return 4;
    }

    @Override
    public void writeForGpu(long[][] tile, ByteBuffer to) {
        for (long[] row : tile) {
            for (long score : row) {
                if (wide) {
                    to.putLong(score);
                } else {
                    to.putInt(score == GapCells.NONE ? NO_INT : (int) score);
                }
            }
        }
    }

    /**
     * Reads a tile that a GPU has written. Padding may contain any number; cells without an alignment contain any
     * number below all scores.
     */
    @Override
    public long[][] readFromGpu(ByteBuffer from) {
        long[][] tile = new long[2 * edge][edge];
        long bound = wide ? GapScores.BOUND : GapScores.BOUND_OF_INTS;
        for (long[] row : tile) {
            for (int column = 0; column < edge; column++) {
                long score = wide ? from.getLong() : from.getInt();
                row[column] = score <= -bound ? GapCells.NONE : score;
            }
        }
        return tile;
    }

    /** Returns the best score, which is in the last tile. */
    public long score(Function<Tile, long[][]> tiles) {
        return new Finished(tiles).score();
    }

    /**
     * Returns the alignment as a CIGAR. Reads the tiles along the path, and the tiles in the rows and columns where the
     * path's gaps may begin.
     */
    public String cigar(Function<Tile, long[][]> tiles) {
        return new Finished(tiles).cigar();
    }

    private final class Finished extends GapCells {
        private final Function<Tile, long[][]> tiles;
        private Tile place;
        /** The tile at {@link #place}, which most likely also contains the next cell. */
        private long[][] tile;

        Finished(Function<Tile, long[][]> tiles) {
            super(GapTiles.this.a, GapTiles.this.b, scores());
            this.tiles = tiles;
        }

        private long cell(int half, int i, int j) {
            int row = i / edge;
            int column = j / edge;
            if (place == null || place.row() != row || place.column() != column) {
                place = new Tile(row, column);
                tile = tiles.apply(place);
            }
            return tile[half * edge + i % edge][j % edge];
        }

        @Override
        long beforeA(int i, int j) {
            return cell(0, i, j);
        }

        @Override
        long beforeB(int i, int j) {
            return cell(1, i, j);
        }
    }
}
