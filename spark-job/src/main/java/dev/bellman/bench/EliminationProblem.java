package dev.bellman.bench;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.cuda.KernelTimer;
import dev.bellman.linear.Elimination.Strategy;
import dev.bellman.linear.EliminationOnGpu;
import dev.bellman.linear.EliminationTiles;
import dev.bellman.linear.EliminationWording;
import dev.bellman.tiles.Grid;
import dev.bellman.tiles.LevelTable;
import dev.bellman.tiles.Pattern;
import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TiledProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The factors of a matrix of DOUBLE. It is n on the diagonal, plus random entries from -1/2 to 1/2 that repeat every {@value #ROWS} rows: the time depends on
 * no entry, and a matrix of 32,768 rows, 8 GiB, goes to the GPU in bands that are quickly made. The factors are multiplied with a vector and compared
 * with the matrix times the vector.
 */
final class EliminationProblem implements TableProblem {
    /** Rows of a band. */
    private static final int ROWS = 256;

    /** Of a product with the factors, against the largest in the matrix's; about 1e-14 on an H200. */
    private static final double MOST_ERROR = 1e-11;

    /** The matrix of n rows. */
    private static final class Matrix {
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

        /** A row, in an array that the next call may overwrite. */
        double[] row(int i, double[] room) {
            System.arraycopy(repeated[i % ROWS], 0, room, 0, n);
            room[i] += n;
            return room;
        }

        EliminationTiles tiles() {
            return new EliminationTiles(EliminationWording.ofInput("lu"), n, false, n + 0.5);
        }
    }

    /** Multiplies the factors with the vector, row after row: U first, then L, which needs of that product only the rows before. */
    private static final class Check {
        private final Matrix matrix;
        private final double[] upper;
        private int rows;
        private double largest;
        private double error;

        Check(Matrix matrix) {
            this.matrix = matrix;
            upper = new double[matrix.n];
        }

        void add(double... factors) {
            int i = rows++;
            double expected = 0;
            double product = 0;
            double[] given = matrix.repeated[i % ROWS];
            for (int j = 0; j < matrix.n; j++) {
                expected += given[j] * matrix.vector[j];
                product += j < i ? factors[j] * upper[j] : 0;
                upper[i] += j < i ? 0 : factors[j] * matrix.vector[j];
            }
            expected += matrix.n * matrix.vector[i];
            largest = Math.max(largest, Math.abs(expected));
            error = Math.max(error, Math.abs(expected - product - upper[i]));
        }

        void end(String strategy) {
            if (!(error <= MOST_ERROR * largest)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        String.format(
                                Locale.ROOT,
                                "elimination by %s of %,d rows: the product of the factors is %.3g from the matrix, of %.3g",
                                strategy,
                                matrix.n,
                                error,
                                largest));
            }
        }
    }

    /** The matrix in large tiles. */
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
                int large = parts * edge;
                double[] row = new double[n];
                for (int first = 0; first < n; first += large) {
                    int place = first / large;
                    Map<Tile, Grid<double[][]>> found = new ConcurrentHashMap<>();
                    table.get(
                            IntStream.range(0, Grid.tiles(n, large))
                                    .mapToObj(column -> new Tile(place, column))
                                    .toList(),
                            found::put);
                    for (int i = first; i < Math.min(n, first + large); i++) {
                        for (int j = 0; j < n; j++) {
                            row[j] = EliminationTiles.cell(found.get(new Tile(place, j / large)), i - first, j % large);
                        }
                        check.add(row);
                    }
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
    public Pattern pattern() {
        return Pattern.ELIMINATION;
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
        return new EliminationTiles(EliminationWording.ofInput("lu"), n, false, n).gpuBytes()
                <= EliminationTiles.gpuMemory();
    }

    @Override
    public double gpuSeconds(int n, String strategy, long seed) {
        return OnGpu.seconds(new Matrix(n, seed), strategy);
    }

    /** A separate class: without RAPIDS there is no cudf, which this code makes the JVM load. */
    private static final class OnGpu {
        static double seconds(Matrix matrix, String strategy) {
            double[] row = new double[matrix.n];
            try (EliminationOnGpu gpu = matrix.tiles().onGpu(ROWS)) {
                for (int first = 0; first < matrix.n; first += ROWS) {
                    for (int i = first; i < Math.min(matrix.n, first + ROWS); i++) {
                        gpu.putRow(i - first, matrix.row(i, row));
                    }
                    gpu.upload(first, ROWS);
                }
                double seconds;
                try (KernelTimer timer = KernelTimer.open()) {
                    gpu.eliminate(strategy(strategy));
                    seconds = timer.milliseconds() / 1e3;
                }
                Check check = new Check(matrix);
                for (int first = 0; first < matrix.n; first += ROWS) {
                    gpu.download(first, ROWS);
                    for (int i = first; i < Math.min(matrix.n, first + ROWS); i++) {
                        gpu.getRow(i - first, row);
                        check.add(row);
                    }
                }
                check.end(strategy);
                return seconds;
            }
        }
    }

    @Override
    public double cpuSeconds(int n, String strategy, int threads, long seed) {
        Matrix matrix = new Matrix(n, seed);
        double[][] rows = new double[n][];
        Arrays.setAll(rows, i -> matrix.row(i, new double[n]));
        double seconds = Stopwatch.seconds(() -> matrix.tiles().eliminate(rows, strategy(strategy), threads));
        Check check = new Check(matrix);
        for (double[] row : rows) {
            check.add(row);
        }
        check.end(strategy);
        return seconds;
    }
}
