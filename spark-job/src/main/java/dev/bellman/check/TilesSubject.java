package dev.bellman.check;

import dev.bellman.check.Lane.Engine;
import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileRun;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import dev.bellman.linear.EliminationErrorContext;
import dev.bellman.linear.EliminationTiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Compares tables that are computed in large tiles with the same tables computed as a whole. On the CPU, the memory
 * limit is so small that some tiles are stored in files. On a GPU, GPU memory holds a few tiles, and the others are in
 * host memory or in files. A table may also be spread over several GPUs, or over several slots of one GPU.
 */
abstract class TilesSubject extends Subject.Numbered {
    static final String LARGE_TILES = "large-tiles";
    static final String SEVERAL_GPUS = "several-gpus";

    /** The name of the folder that contains a table's initial content. */
    static final String GIVEN = "given";

    private static final long ALL = 1L << 40;

    /**
     * The maximum number of vertices in a graph, or of rows in a matrix. A table of this size has several tiles per
     * side.
     */
    static final int MAX_SIDE = 700;

    private final boolean several;
    private final JavaSparkContext spark;

    /** @param several whether several GPUs share one table */
    TilesSubject(String function, Engine engine, boolean several, JavaSparkContext spark, long seed) {
        super("table", function, several ? SEVERAL_GPUS : LARGE_TILES, engine, seed);
        this.several = several;
        this.spark = spark;
    }

    @Override
    boolean isByTextbook() {
        return false;
    }

    /** Generates a table at random, and computes it in a separate folder. */
    @Override
    final Compared compared(long number) {
        SplittableRandom random = Lane.Stream.random(seed + function().hashCode(), number);
        try {
            Path folder = Files.createTempDirectory("bellman-check");
            try {
                Files.createDirectory(levels(folder));
                return compared(random, 1 + random.nextInt(2), folder);
            } finally {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param parts the number of tiles on each side of a large tile */
    abstract Compared compared(SplittableRandom random, int parts, Path folder);

    private static String run(Path folder) {
        return folder.resolve("run").toUri().toString();
    }

    /** Returns the folder for tiles that do not fit in host memory. */
    private static Path levels(Path folder) {
        return folder.resolve("levels");
    }

    interface Cell {
        void visit(int row, int column, int inTileRow, int inTileColumn);
    }

    /** Visits the cells of one large tile; the table has this many rows and columns. */
    static void forCells(TileFolder<?> folder, Tile tile, int rows, int columns, Cell cell) {
        int row = tile.row() * folder.edge();
        int column = tile.column() * folder.edge();
        for (int i = row; i < Math.min(rows, row + folder.edge()); i++) {
            for (int j = column; j < Math.min(columns, column + folder.edge()); j++) {
                cell.visit(i, j, i - row, j - column);
            }
        }
    }

    /** Sets a cell of a table in the tile that contains it. */
    interface Content<T> {
        void set(T tile, int row, int column);
    }

    /** Writes the initial content of a table that has this many rows and columns. */
    static <T> void given(TiledProblem<T> problem, int parts, Path folder, int rows, int columns, Content<T> content) {
        TileFolder<T> given = new TileFolder<>(problem, parts, run(folder), GIVEN, new Configuration());
        for (int row = 0; row < given.side(); row++) {
            for (int column = 0; column < given.side(); column++) {
                Tile tile = new Tile(row, column);
                if (given.has(tile)) {
                    Grid<T> cells = given.make(tile);
                    forCells(
                            given,
                            tile,
                            rows,
                            columns,
                            (i, j, inRow, inColumn) ->
                                    content.set(cells.get(inRow / problem.edge(), inColumn / problem.edge()), i, j));
                    given.write(tile, cells);
                }
            }
        }
    }

    /** @param given the name of the folder that contains the table's initial content; null if the problem creates it */
    final <T> TileFolder<T> solved(
            TiledProblem<T> problem, SplittableRandom random, int parts, Path folder, String given) {
        long tile = (long) parts * parts * problem.bytesOnGpu();
        long least = LevelSizes.minMemory(problem, parts);
        TileSettings.Gpu gpu = null;
        if (engine() == Engine.GPU) {
            gpu = several
                    ? new TileSettings.Gpu(
                            ALL,
                            null,
                            2 + random.nextInt(2),
                            folder.resolve("panels").toString())
                    : new TileSettings.Gpu(
                            least + random.nextInt(6) * tile, levels(folder).toString());
        }
        long memory = (several ? 2 : 0) * tile + random.nextInt(4) * tile;
        TileSettings settings = new TileSettings(run(folder), "check", parts, memory, Duration.ofDays(1), gpu);
        return new TileRun<>(spark, problem, settings, given, note -> {}).run();
    }

    /** Compares the path lengths and next vertices of shortest paths, in graphs without negative cycles. */
    static final class OfPaths extends TilesSubject {
        OfPaths(Engine engine, boolean several, JavaSparkContext spark, long seed) {
            super("shortest_paths", engine, several, spark, seed);
        }

        @Override
        Compared compared(SplittableRandom random, int parts, Path folder) {
            int nodes = 1 + random.nextInt(MAX_SIDE);
            boolean doubles = random.nextInt(3) == 0;
            Graph graph = graph(random, nodes, doubles);
            boolean next = random.nextBoolean() && PathTiles.fits(graph, true);
            String table = "%d vertices, %s, %s next vertices, %d tiles per side"
                    .formatted(nodes, doubles ? "DOUBLE" : "BIGINT", next ? "with" : "without", parts);
            return new Compared(table, difference(graph, next, PathTiles.of(graph, next), random, parts, folder));
        }

        /**
         * Draws a graph. A BIGINT weight is the difference between the numbers of its edge's vertices, plus a
         * non-negative number, so weights may be negative, but no cycle is. DOUBLE weights are not negative.
         */
        private static Graph graph(SplittableRandom random, int nodes, boolean doubles) {
            int edges = random.nextInt(1, 6) * nodes;
            long most = new long[] {1, 4, 100, 1_000_000_000_000L}[random.nextInt(4)];
            int[] sources = new int[edges];
            int[] targets = new int[edges];
            long[] weights = new long[edges];
            for (int e = 0; e < edges; e++) {
                // edges of a path through most vertices, then random edges
                sources[e] = e < nodes - 5 ? e : random.nextInt(nodes);
                targets[e] = e < nodes - 5 ? e + 1 : random.nextInt(nodes);
                weights[e] = random.nextLong(most) + (doubles ? 0 : targets[e] - sources[e]);
            }
            ErrorContext context = ErrorContext.ofFunction("shortest_paths");
            return doubles
                    ? Graph.ofDoubles(
                            context,
                            nodes,
                            sources,
                            targets,
                            Arrays.stream(weights).mapToDouble(w -> w / 10.0).toArray())
                    : Graph.ofLongs(context, nodes, sources, targets, weights);
        }

        private <T> Optional<String> difference(
                Graph graph, boolean next, PathTiles<T> tiles, SplittableRandom random, int parts, Path folder) {
            TileFolder<T> table = solved(tiles, random, parts, folder, null);
            try (PathTable expected = ShortestPaths.solve(graph, ShortestPaths.Strategy.FLOYD_WARSHALL, next)) {
                for (int row = 0; row < table.side(); row++) {
                    PathTable paths = tiles.paths(table.tiles(row, 0, table.side()));
                    int end = Math.min(graph.nodes(), (row + 1) * table.edge());
                    for (int from = row * table.edge(); from < end; from++) {
                        for (int to = 0; to < graph.nodes(); to++) {
                            if (!isSame(paths, expected, from, to, next)) {
                                return Optional.of("the path from %d to %d".formatted(from, to));
                            }
                        }
                    }
                }
            }
            return Optional.empty();
        }

        private static boolean isSame(PathTable paths, PathTable expected, int from, int to, boolean next) {
            if (paths.reaches(from, to) != expected.reaches(from, to)) {
                return false;
            }
            return !expected.reaches(from, to)
                    || paths.length(from, to) == expected.length(from, to)
                            && (!next
                                    || paths.next(from, to) == expected.next(from, to)
                                            && paths.edges(from, to) == expected.edges(from, to));
        }
    }

    /**
     * Eliminates diagonally dominant matrices that have a right-hand side. Compares U and the multipliers below the
     * diagonal.
     */
    static final class OfEliminations extends TilesSubject {
        OfEliminations(Engine engine, boolean several, JavaSparkContext spark, long seed) {
            super("linear_solve", engine, several, spark, seed);
        }

        @Override
        boolean isByTextbook() {
            return true;
        }

        @Override
        Compared compared(SplittableRandom random, int parts, Path folder) {
            int n = 1 + random.nextInt(MAX_SIDE / 2);
            double[][] matrix = new double[n][n + 1];
            for (int i = 0; i < n; i++) {
                Arrays.setAll(matrix[i], j -> random.nextDouble() - 0.5);
                matrix[i][i] += n;
            }
            EliminationTiles tiles =
                    new EliminationTiles(EliminationErrorContext.ofInput("linear_solve"), n, true, n + 1);
            int size = Math.max(parts, tiles.fewestParts());
            given(
                    tiles,
                    size,
                    folder,
                    n,
                    n + 1,
                    (tile, i, j) -> tile[i % tiles.edge()][j % tiles.edge()] = matrix[i][j]);
            TileFolder<double[][]> found = solved(tiles, random, size, folder, GIVEN);
            eliminate(matrix);
            return new Compared("%d rows, %d tiles per side".formatted(n, size), difference(found, matrix));
        }

        /** Eliminates with the textbook's nested loops. */
        private static void eliminate(double[]... a) {
            for (int k = 0; k < a.length; k++) {
                for (int i = k + 1; i < a.length; i++) {
                    a[i][k] /= a[k][k];
                    for (int j = k + 1; j < a[i].length; j++) {
                        a[i][j] = Math.fma(-a[i][k], a[k][j], a[i][j]);
                    }
                }
            }
        }

        private static Optional<String> difference(TileFolder<double[][]> found, double[]... expected) {
            String[] difference = new String[1];
            for (int row = 0; row < found.side(); row++) {
                for (int column = 0; column < found.side(); column++) {
                    Tile tile = new Tile(row, column);
                    Grid<double[][]> cells = found.read(tile);
                    forCells(found, tile, expected.length, expected.length + 1, (i, j, inRow, inColumn) -> {
                        double answer = EliminationTiles.cell(cells, inRow, inColumn);
                        if (Double.compare(answer, expected[i][j]) != 0) {
                            difference[0] =
                                    "row %d, column %d: result %s, expected %s".formatted(i, j, answer, expected[i][j]);
                        }
                    });
                }
            }
            return Optional.ofNullable(difference[0]);
        }
    }
}
