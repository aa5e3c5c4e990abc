package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.Strategies;
import dev.bellman.bench.measure.GpuBench;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import dev.bellman.linear.Elimination.Strategy;
import dev.bellman.linear.EliminationErrorContext;
import dev.bellman.linear.EliminationGpu;
import dev.bellman.linear.EliminationTiles;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Computes the LU factors of a matrix of doubles. The matrix has random entries from -1/2 to 1/2, which repeat every
 * {@value #ROWS} rows, and the number of rows, n, is added to each diagonal entry. The time does not depend on the
 * entries. Because they repeat, the bands of a matrix of 32,768 rows (8 GiB) can be generated quickly while the matrix
 * is copied to the GPU. To check the factors, the benchmark multiplies them by a vector, and compares the result with
 * the product of the matrix and that vector.
 */
final class EliminationProblem implements TableProblem {
    /** The number of rows after which the entries repeat. */
    private static final int ROWS = 256;

    /**
     * The maximum relative error of the factors' product with a vector, divided by the square root of n. Rounding
     * errors in a sum of n products exceed 10 sqrt(n) units in the last place of its terms only with a probability of
     * exp(-50) (Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019). The check involves
     * three such sums: one in the elimination, one for U and one for L. The terms of L |U| exceed the diagonal by at
     * most one third. An incorrect cell changes the product unless the random vector element for its column is close to
     * 0.
     */
    private static final double MAX_ERROR = 40 * 0x1p-53;

    /** Generates the matrix, which has n rows. */
    static final class Matrix {
        final int n;
        final double[][] repeated;
        final double[] vector;

        Matrix(int n, long seed) {
            this.n = n;
            Random random = new Random(seed * 31 + n);
            repeated = new double[Math.min(n, ROWS)][];
            Arrays.setAll(repeated, i -> random.doubles(n, -0.5, 0.5).toArray());
            vector = random.doubles(n, -1, 1).toArray();
        }

        /** Writes a row to {@code room}, and returns {@code room}. */
        double[] row(int i, double[] room) {
            System.arraycopy(repeated[i % ROWS], 0, room, 0, n);
            room[i] += n;
            return room;
        }

        EliminationTiles tiles() {
            return new EliminationTiles(EliminationErrorContext.ofInput("lu"), n, false, n + 0.5);
        }
    }

    /** Multiplies the factors by the vector: first U, then L; a row of L needs only the earlier rows of U's product. */
    static final class Check {
        private final Matrix matrix;
        private final double[] upper;
        private final double[] products;

        Check(Matrix matrix) {
            this.matrix = matrix;
            upper = new double[matrix.n];
            products = new double[matrix.n];
        }

        void add(int row, double... factors) {
            add(row, 0, factors);
        }

        /**
         * Adds consecutive cells of a row, beginning at column {@code first}. Cells of L may be added only after all
         * cells of U in the rows that correspond to their columns. Thread-safe.
         */
        private void add(int row, int first, double[]... cells) {
            double left = 0;
            double right = 0;
            int column = first;
            for (double[] part : cells) {
                int end = Math.min(part.length, matrix.n - column);
                int middle = Math.max(0, Math.min(end, row - column));
                for (int j = 0; j < middle; j++) {
                    left += part[j] * upper[column + j];
                }
                for (int j = middle; j < end; j++) {
                    right += part[j] * matrix.vector[column + j];
                }
                column += part.length;
            }
            synchronized (this) {
                upper[row] += right;
                products[row] += left;
            }
        }

        /** Adds a large tile. A tile on the diagonal may be added only after all other tiles of its rows. */
        void add(Tile tile, Grid<double[][]> cells, int edge) {
            int large = cells.side() * edge;
            for (int i = 0; i < large && tile.row() * large + i < matrix.n; i++) {
                int row = i;
                double[][] parts = IntStream.range(0, cells.side())
                        .filter(part -> tile.column() * large + part * edge < matrix.n)
                        .mapToObj(part -> cells.get(row / edge, part)[row % edge])
                        .toArray(double[][]::new);
                add(tile.row() * large + i, tile.column() * large, parts);
            }
        }

        void end(String strategy) {
            double largest = 0;
            double error = 0;
            double[] given = Arrays.stream(matrix.repeated)
                    .mapToDouble(row -> IntStream.range(0, matrix.n)
                            .mapToDouble(j -> row[j] * matrix.vector[j])
                            .sum())
                    .toArray();
            for (int i = 0; i < matrix.n; i++) {
                double expected = given[i % ROWS] + matrix.n * matrix.vector[i];
                largest = Math.max(largest, Math.abs(expected));
                error = Math.max(error, Math.abs(expected - products[i] - upper[i]));
            }
            if (!(error <= MAX_ERROR * Math.sqrt(matrix.n) * largest)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        String.format(
                                Locale.ROOT,
                                "elimination of %2$,d rows by %1$s: the product of the factors and a test vector "
                                        + "differs from the product of the matrix and that vector by up to %3$.3g; "
                                        + "the largest value is %4$.3g",
                                strategy,
                                matrix.n,
                                error,
                                largest));
            }
        }
    }

    static LargeTilesBenchmark.Instance<double[][]> inLargeTiles(int n, long seed) {
        Matrix matrix = new Matrix(n, seed);
        EliminationTiles tiles = matrix.tiles();
        int edge = tiles.edge();
        return new LargeTilesBenchmark.Instance<>() {
            @Override
            public String name() {
                return "elimination";
            }

            @Override
            public TiledProblem<double[][]> tiles() {
                return tiles;
            }

            @Override
            public double operations() {
                return Math.pow(n, 3) / 3;
            }

            @Override
            public double[][] make(Tile tile) {
                double[][] made = tiles.make(tile);
                int column = tile.column() * edge;
                int count = Math.max(0, Math.min(edge, n - column));
                for (int i = 0; i < Math.min(edge, n - tile.row() * edge); i++) {
                    int row = tile.row() * edge + i;
                    System.arraycopy(matrix.repeated[row % ROWS], column, made[i], 0, count);
                    if (row >= column && row < column + count) {
                        made[i][row - column] += n;
                    }
                }
                return made;
            }

            @Override
            public void check(int parts, LevelTable<double[][]> table) {
                Check check = new Check(matrix);
                int side = Grid.tiles(n, parts * edge);
                for (int row = 0; row < side; row++) {
                    Tile diagonal = new Tile(row, row);
                    table.get(
                            IntStream.range(0, side)
                                    .mapToObj(column -> new Tile(diagonal.row(), column))
                                    .filter(tile -> !tile.equals(diagonal))
                                    .toList(),
                            (tile, content) -> check.add(tile, content, edge));
                    table.get(List.of(diagonal), (tile, content) -> check.add(tile, content, edge));
                }
                check.end("large tiles");
            }
        };
    }

    @Override
    public String name() {
        return "elimination";
    }

    @Override
    public double operations(int n) {
        return Math.pow(n, 3) / 3;
    }

    @Override
    public List<String> gpuStrategies() {
        return List.of("blocked", "r-way");
    }

    @Override
    public List<String> cpuStrategies() {
        return List.of("blocked", "r-way");
    }

    @Override
    public String recursion() {
        return "r-way";
    }

    @Override
    public int cpuThreads() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static Strategy strategy(String name) {
        return Strategies.parse("elimination", Strategy.class, name);
    }

    @Override
    public boolean fitsGpu(int n) {
        return new EliminationTiles(EliminationErrorContext.ofInput("lu"), n, false, n).gpuBytes()
                <= EliminationTiles.gpuMemory();
    }

    @Override
    public double gpuSeconds(int n, String strategy, long seed) {
        return gpuSeconds(new Matrix(n, seed), strategy);
    }

    private static double gpuSeconds(Matrix matrix, String strategy) {
        double[] row = new double[matrix.n];
        try (EliminationGpu.Matrix gpu = matrix.tiles().onGpu(ROWS)) {
            for (int first = 0; first < matrix.n; first += ROWS) {
                for (int i = first; i < Math.min(matrix.n, first + ROWS); i++) {
                    gpu.putRow(i - first, matrix.row(i, row));
                }
                gpu.upload(first, ROWS);
            }
            double seconds = GpuSide.get(GpuBench.class).kernelSeconds(() -> gpu.eliminate(strategy(strategy)));
            Check check = new Check(matrix);
            for (int first = 0; first < matrix.n; first += ROWS) {
                gpu.download(first, ROWS);
                for (int i = first; i < Math.min(matrix.n, first + ROWS); i++) {
                    gpu.getRow(i - first, row);
                    check.add(i, row);
                }
            }
            check.end(strategy);
            return seconds;
        }
    }

    @Override
    public double cpuSeconds(int n, String strategy, int threads, long seed) {
        Matrix matrix = new Matrix(n, seed);
        double[][] rows = new double[n][];
        Arrays.setAll(rows, i -> matrix.row(i, new double[n]));
        double seconds = Stopwatch.seconds(() -> matrix.tiles().eliminate(rows, strategy(strategy), threads));
        Check check = new Check(matrix);
        for (int i = 0; i < n; i++) {
            check.add(i, rows[i]);
        }
        check.end(strategy);
        return seconds;
    }
}
