package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.gap.GapTiles;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Alignments with general gap costs, computed in large tiles. Their tables have n rows and n columns. */
final class LargeAlignment implements LargeTilesBenchmark.Instance<long[][]> {
    private static final long MATCH = 2;
    private static final long MISMATCH = -3;

    /**
     * The maximum number of rows, and also of columns, that are checked in the last large tile. The check covers the
     * cells at their intersections.
     */
    private static final int CHECKED = 8;

    private final int n;
    private final byte[] a;
    private final byte[] b;
    private final long[] costs;
    private final GapTiles tiles;
    private final int edge;

    private LargeAlignment(int n, byte[] a, byte[] b, long[] costs) {
        this.n = n;
        this.a = a;
        this.b = b;
        this.costs = costs;
        tiles = GapTiles.of(a, b, MATCH, MISMATCH, costs);
        edge = tiles.edge();
    }

    static LargeTilesBenchmark.Instance<long[][]> inLargeTiles(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] a = nucleotides(n - 1, random);
        byte[] b = nucleotides(n - 1, random);
        long[] costs = random.longs(n - 1L, 5, 100).toArray();
        return new LargeAlignment(n, a, b, costs);
    }

    @Override
    public String name() {
        return "gap";
    }

    @Override
    public TiledProblem<long[][]> tiles() {
        return tiles;
    }

    @Override
    public double operations() {
        return Math.pow(n, 3);
    }

    @Override
    public long[][] make(Tile tile) {
        return tiles.make(tile);
    }

    /** Checks some cells of the last large tile by recomputing them from their rows and columns. */
    @Override
    public void check(int parts, LevelTable<long[][]> table) {
        int large = parts * edge;
        int last = (n - 1) / large;
        int first = last * large;
        int[] checked = IntStream.range(0, CHECKED)
                .map(i -> n - 1 - i * ((n - first) / CHECKED))
                .filter(i -> i > first)
                .distinct()
                .toArray();
        // left contains beforeB in the checked rows, above contains beforeA in the checked columns, and before contains
        // the best scores before the matches or mismatches at the intersections
        long[][] left = new long[checked.length][n];
        long[][] above = new long[checked.length][n];
        long[][] before = new long[checked.length][checked.length];
        List<Tile> needed = Stream.concat(
                        IntStream.rangeClosed(0, last).mapToObj(column -> new Tile(last, column)),
                        IntStream.range(0, last).mapToObj(row -> new Tile(row, last)))
                .toList();
        table.get(needed, (tile, content) -> {
            for (int c = 0; c < checked.length; c++) {
                int place = checked[c] - first;
                for (int at = 0; at < large; at++) {
                    if (tile.row() == last && tile.column() * large + at < n) {
                        left[c][tile.column() * large + at] = beforeB(content, place, at);
                    }
                    if (tile.column() == last && tile.row() * large + at < n) {
                        above[c][tile.row() * large + at] = beforeA(content, at, place);
                    }
                }
                for (int d = 0; tile.row() == tile.column() && d < checked.length; d++) {
                    int other = checked[d] - first;
                    before[c][d] =
                            Math.max(beforeA(content, place - 1, other - 1), beforeB(content, place - 1, other - 1));
                }
            }
        });
        for (int r = 0; r < checked.length; r++) {
            for (int c = 0; c < checked.length; c++) {
                int i = checked[r];
                int j = checked[c];
                long pair = before[r][c] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
                check(i, j, left[r][j], pair, above[c], i);
                check(i, j, above[c][i], pair, left[r], j);
            }
        }
    }

    private long beforeA(Grid<long[][]> large, int i, int j) {
        return large.get(i / edge, j / edge)[i % edge][j % edge];
    }

    private long beforeB(Grid<long[][]> large, int i, int j) {
        return large.get(i / edge, j / edge)[edge + i % edge][j % edge];
    }

    /** @param before for each start of a gap that ends at position {@code end}, the score before the gap */
    private void check(int i, int j, long found, long pair, long[] before, int end) {
        long gap = IntStream.range(0, end)
                .mapToLong(k -> before[k] - costs[end - k - 1])
                .max()
                .orElseThrow();
        if (found != Math.max(pair, gap)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("the gap alignment in large tiles has the score %d for the first %d and %d of %d letters, but the "
                                    + "recurrence gives %d")
                            .formatted(found, i, j, n - 1, Math.max(pair, gap)));
        }
    }

    private static byte[] nucleotides(int letters, SplittableRandom random) {
        byte[] text = new byte[letters];
        for (int i = 0; i < letters; i++) {
            text[i] = (byte) "ACGT".charAt(random.nextInt(4));
        }
        return text;
    }
}
