package dev.bellman.large;

import dev.bellman.columns.TaskCores;
import dev.bellman.columns.TaskMemory;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.linear.Elimination;
import dev.bellman.linear.EliminationGpu;
import dev.bellman.linear.EliminationTiles;
import dev.bellman.linear.RowProducts;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;

/**
 * Runs tasks on a matrix in a folder of tiles, either before or after its elimination. This class is not a record,
 * because Kryo cannot serialize records.
 */
final class MatrixTable implements Serializable {
    private static final long serialVersionUID = 1L;

    private final TileFolder<double[][]> folder;
    private final EliminationTiles matrix;

    MatrixTable(TileFolder<double[][]> folder, EliminationTiles matrix) {
        this.folder = folder;
        this.matrix = matrix;
    }

    /**
     * Eliminates the matrix in a single task, and writes the result to a different folder. The matrix must fit in the
     * memory of the task.
     */
    void eliminate(JavaSparkContext spark, Elimination.Strategy strategy, TileFolder<double[][]> to) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        Broadcast<TileFolder<double[][]>> target = spark.broadcast(to);
        spark.parallelize(List.of(strategy), 1).foreach(how -> {
            double[][] rows = shared.value().rows();
            shared.value().matrix.eliminate(rows, how, TaskCores.count());
            shared.value().write(rows, target.value());
        });
    }

    /**
     * Eliminates the matrix with partial pivoting, as {@link #eliminate} does without.
     *
     * @return for each row of the result, the index of the matrix row from which it was computed
     */
    int[] eliminatePivoting(JavaSparkContext spark, Elimination.Strategy strategy, TileFolder<double[][]> to) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        Broadcast<TileFolder<double[][]>> target = spark.broadcast(to);
        return spark.parallelize(List.of(strategy), 1)
                .map(how -> {
                    double[][] rows = shared.value().rows();
                    int[] permutation = shared.value().matrix.eliminatePivoting(rows, how);
                    shared.value().write(rows, target.value());
                    return permutation;
                })
                .first();
    }

    /** Eliminates the matrix in GPU memory in a single task, and writes the result to a different folder. */
    void eliminateOnGpu(JavaSparkContext spark, Elimination.Strategy strategy, TileFolder<double[][]> to) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        Broadcast<TileFolder<double[][]>> target = spark.broadcast(to);
        spark.parallelize(List.of(strategy), 1).foreach(how -> shared.value().onGpu(how, target.value()));
    }

    private void onGpu(Elimination.Strategy strategy, TileFolder<double[][]> to) {
        int edge = folder.edge();
        try (EliminationGpu.Matrix gpu = matrix.onGpu(edge)) {
            for (int row = 0; row < folder.side(); row++) {
                for (int column = 0; column < folder.side(); column++) {
                    gpu.put(read(row, column), row * edge, column * edge);
                }
                gpu.upload(row * edge, edge);
            }
            gpu.eliminate(strategy);
            for (int row = 0; row < folder.side(); row++) {
                gpu.download(row * edge, edge);
                for (int column = 0; column < folder.side(); column++) {
                    Tile tile = new Tile(row, column);
                    Grid<double[][]> tiles = to.make(tile);
                    gpu.get(tiles, row * edge, column * edge);
                    to.write(tile, tiles);
                }
            }
        }
    }

    private Grid<double[][]> read(int row, int column) {
        return folder.read(new Tile(row, column));
    }

    private double[][] rows() {
        double[][] rows = new double[matrix.rows()][matrix.columns()];
        forEachTile((tile, top, left) -> {
            Grid<double[][]> tiles = folder.read(tile);
            for (int i = top; i < Math.min(rows.length, top + folder.edge()); i++) {
                for (int j = left; j < Math.min(matrix.columns(), left + folder.edge()); j++) {
                    rows[i][j] = EliminationTiles.cell(tiles, i - top, j - left);
                }
            }
        });
        return rows;
    }

    private void write(double[][] rows, TileFolder<double[][]> to) {
        forEachTile((tile, top, left) -> {
            Grid<double[][]> tiles = to.make(tile);
            for (int i = top; i < Math.min(rows.length, top + folder.edge()); i++) {
                for (int j = left; j < Math.min(matrix.columns(), left + folder.edge()); j++) {
                    EliminationTiles.setCell(tiles, i - top, j - left, rows[i][j]);
                }
            }
            to.write(tile, tiles);
        });
    }

    @FunctionalInterface
    private interface Each {
        void tile(Tile tile, int top, int left);
    }

    private void forEachTile(Each each) {
        for (int row = 0; row < folder.side(); row++) {
            for (int column = 0; column < folder.side(); column++) {
                each.tile(new Tile(row, column), row * folder.edge(), column * folder.edge());
            }
        }
    }

    /**
     * Returns the solution if a matrix with a right-hand side has been eliminated. A single task computes it by back
     * substitution, and keeps only one large tile in memory at a time.
     */
    double[] solution(JavaSparkContext spark) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        return spark.parallelize(List.of(0), 1)
                .map(task -> shared.value().solution())
                .first();
    }

    private double[] solution() {
        int n = matrix.rows();
        int edge = folder.edge();
        double[] y = new double[n];
        for (int row = 0; row * edge < n; row++) {
            Grid<double[][]> tiles = read(row, n / edge);
            for (int i = row * edge; i < Math.min(n, (row + 1) * edge); i++) {
                y[i] = EliminationTiles.cell(tiles, i - row * edge, n % edge);
            }
        }
        for (int column = (n - 1) / edge; column >= 0; column--) {
            for (int row = column; row >= 0; row--) {
                matrix.substitute(read(row, column), row * edge, column * edge, y);
            }
        }
        return y;
    }

    /** The products of all rows with a vector (see {@link RowProducts}). */
    static final class Products {
        final double[] products;
        final double[] diagonal;
        private double norm;
        private double largest;
        private double ofB;

        private Products(int n) {
            products = new double[n];
            diagonal = new double[n];
        }

        /** Returns the largest sum of magnitudes in any row. */
        double norm() {
            return norm;
        }

        double largest() {
            return largest;
        }

        double ofB() {
            return ofB;
        }

        private void add(RowProducts rows) {
            System.arraycopy(rows.products(), 0, products, rows.first(), rows.products().length);
            System.arraycopy(rows.diagonal(), 0, diagonal, rows.first(), rows.diagonal().length);
            for (double sum : rows.norms()) {
                norm = Math.max(norm, sum);
            }
            largest = Math.max(largest, rows.largest());
            ofB = Math.max(ofB, rows.ofB());
        }
    }

    /** Multiplies a part of the matrix by a vector, in a separate task for each row of large tiles. */
    Products times(JavaSparkContext spark, RowProducts.Part part, double... vector) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        Broadcast<double[]> factor = spark.broadcast(vector);
        List<Integer> bands = bands();
        Products all = new Products(matrix.rows());
        spark.parallelize(bands, bands.size())
                .map(band -> shared.value().times(band, part, factor.value()))
                .collect()
                .forEach(all::add);
        return all;
    }

    /** Returns those rows of large tiles that contain rows of the matrix. */
    private List<Integer> bands() {
        return IntStream.range(0, (matrix.rows() + folder.edge() - 1) / folder.edge())
                .boxed()
                .toList();
    }

    private RowProducts times(int band, RowProducts.Part part, double... vector) {
        RowProducts rows = new RowProducts(matrix, part, band * folder.edge(), folder.edge(), vector);
        int from = part == RowProducts.Part.UPPER ? band : 0;
        int to = part == RowProducts.Part.LOWER ? band + 1 : folder.side();
        for (int column = from; column < to; column++) {
            rows.add(read(band, column), column * folder.edge());
        }
        return rows;
    }

    /**
     * Returns the factors as rows. Each contains the row number, counted from 1, the entries of L left of the diagonal,
     * and the entries of U from the diagonal on.
     *
     * @param permutation if present, each row also contains the number of the matrix row from which it was computed
     */
    JavaRDD<InternalRow> factors(JavaSparkContext spark, Optional<int[]> permutation) {
        Broadcast<MatrixTable> shared = spark.broadcast(this);
        Broadcast<int[]> indices = spark.broadcast(permutation.orElse(null));
        // a task holds as many complete rows as fit in its memory
        long rowBytes = 2L * Double.BYTES * matrix.rows();
        int height = (int) Math.max(1, Math.min(folder.edge(), TaskMemory.bytes() / 2 / rowBytes));
        List<int[]> shares = new ArrayList<>();
        for (int band : bands()) {
            int end = Math.min(matrix.rows(), (band + 1) * folder.edge());
            for (int first = band * folder.edge(); first < end; first += height) {
                shares.add(new int[] {band, first, Math.min(end, first + height)});
            }
        }
        return spark.parallelize(shares, shares.size())
                .flatMap(share -> shared.value().factors(share[0], share[1], share[2], indices.value()));
    }

    private Iterator<InternalRow> factors(int band, int first, int end, int... permutation) {
        int n = matrix.rows();
        double[][] rows = new double[end - first][n];
        for (int column = 0; column * folder.edge() < n; column++) {
            Grid<double[][]> tiles = read(band, column);
            int left = column * folder.edge();
            for (int i = first; i < end; i++) {
                for (int j = left; j < Math.min(n, left + folder.edge()); j++) {
                    rows[i - first][j] = EliminationTiles.cell(tiles, i - band * folder.edge(), j - left);
                }
            }
        }
        return IntStream.range(first, end)
                .mapToObj(i -> {
                    double[] row = rows[i - first];
                    Object l = UnsafeArrayData.fromPrimitiveArray(Arrays.copyOfRange(row, 0, i));
                    Object u = UnsafeArrayData.fromPrimitiveArray(Arrays.copyOfRange(row, i, n));
                    return (InternalRow) new GenericInternalRow(
                            permutation == null
                                    ? new Object[] {i + 1, l, u}
                                    : new Object[] {i + 1, l, u, permutation[i] + 1});
                })
                .iterator();
    }
}
