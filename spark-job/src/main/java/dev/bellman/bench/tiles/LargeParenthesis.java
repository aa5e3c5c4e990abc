package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.SumTiles;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Parenthesizations of n leaves, computed in large tiles; the costs of leaves and ranges are below 1,000. Unlike the
 * recurrence for a matrix chain, which skips most splits, this recurrence tries every split of every range.
 */
final class LargeParenthesis<T> implements LargeTilesBenchmark.Instance<T> {
    private static final int MAX_WEIGHT = 1_000;

    /**
     * The number of rows, and also of columns, that are checked in the large tile at the top right, which is computed
     * last.
     */
    private static final int CHECKED = 8;

    private final SumTiles<T> tiles;
    private final int n;
    private final long seed;
    private final int edge;

    private LargeParenthesis(SumTiles<T> tiles, int n, long seed) {
        this.tiles = tiles;
        this.n = n;
        this.seed = seed;
        edge = tiles.edge();
    }

    static LargeTilesBenchmark.Instance<?> inLargeTiles(int n, long seed) {
        return new LargeParenthesis<>(SumTiles.of(n, false, MAX_WEIGHT), n, seed);
    }

    /** Returns the cost of the range from vertex i to vertex j. A range between adjacent vertices is a leaf. */
    private int weight(int i, int j) {
        long mixed = (seed + ((long) i << Integer.SIZE | j)) * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L;
        return (int) ((mixed >>> 40) % MAX_WEIGHT);
    }

    @Override
    public String name() {
        return "parenthesis";
    }

    @Override
    public TiledProblem<T> tiles() {
        return tiles;
    }

    @Override
    public double operations() {
        return Math.pow(n, 3) / 6;
    }

    @Override
    public T make(Tile tile) {
        T made = tiles.make(tile);
        for (int i = tile.row() * edge; i < (tile.row() + 1) * edge; i++) {
            for (int j = Math.max(i + 1, tile.column() * edge); j < (tile.column() + 1) * edge && j <= n; j++) {
                tiles.set(made, i, j, weight(i, j));
            }
        }
        return made;
    }

    /** Checks some cells of the large tile at the top right by recomputing them from their rows and columns. */
    @Override
    public void check(int parts, LevelTable<T> table) {
        int large = parts * edge;
        int last = n / large;
        int[] rows = IntStream.range(0, CHECKED)
                .map(i -> i * (Math.min(n, large) / CHECKED))
                .toArray();
        int[] columns = IntStream.range(0, CHECKED)
                .map(i -> n - i * ((n - last * large) / CHECKED))
                .toArray();
        long[][] left = new long[CHECKED][n + 1];
        long[][] below = new long[CHECKED][n + 1];
        List<Tile> needed = Stream.concat(
                        IntStream.rangeClosed(0, last).mapToObj(column -> new Tile(0, column)),
                        IntStream.rangeClosed(1, last).mapToObj(row -> new Tile(row, last)))
                .toList();
        table.get(needed, (tile, content) -> {
            for (int c = 0; c < CHECKED; c++) {
                for (int at = 0; at < large; at++) {
                    int column = tile.column() * large + at;
                    int row = tile.row() * large + at;
                    if (tile.row() == 0 && column > rows[c] && column <= n) {
                        left[c][column] = tiles.cell(content.get(rows[c] / edge, at / edge), rows[c], column)
                                .longValue();
                    }
                    if (tile.column() == last && row < columns[c]) {
                        below[c][row] = tiles.cell(content.get(at / edge, columns[c] % large / edge), row, columns[c])
                                .longValue();
                    }
                }
            }
        });
        for (int r = 0; r < CHECKED; r++) {
            for (int c = 0; c < CHECKED; c++) {
                check(rows[r], columns[c], left[r], below[c]);
            }
        }
    }

    private void check(int i, int j, long[] left, long[] below) {
        if (j < i + 2) {
            return;
        }
        long expected = weight(i, j)
                + IntStream.range(i + 1, j)
                        .mapToLong(k -> left[k] + below[k])
                        .min()
                        .orElseThrow();
        if (left[j] != expected) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("the parenthesization in large tiles costs %d for the vertices %d to %d of %d, but the recurrence "
                                    + "gives %d")
                            .formatted(left[j], i, j, n + 1, expected));
        }
    }
}
