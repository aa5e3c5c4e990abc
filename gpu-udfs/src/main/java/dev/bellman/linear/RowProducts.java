package dev.bellman.linear;

import dev.bellman.large.tiles.Grid;
import java.io.Serializable;

/**
 * Multiplies consecutive rows of a tiled matrix by a vector, to determine the accuracy of a solution. Sums have twice
 * the precision of a double, after Ogita, Rump and Oishi, "Accurate sum and dot product" (2005).
 */
public final class RowProducts implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The part of the matrix that is multiplied. */
    public enum Part {
        /** Multiplies all columns, including the right-hand side. */
        ALL,
        /** Multiplies U after the elimination. */
        UPPER,
        /** Multiplies L, with ones on its diagonal. */
        LOWER
    }

    private final Part part;
    private final int n;
    private final int first;
    private final transient double[] vector;
    private final double[] sums;
    private final double[] errors;
    private final double[] norms;
    private final double[] diagonal;
    private double largest;
    private double ofB;

    /**
     * Creates an instance whose products are 0.
     *
     * @param first the index in the matrix of the first row to multiply
     * @param count the number of rows; rows beyond the end of the matrix are ignored
     * @param vector an entry for each column that is multiplied
     */
    public RowProducts(EliminationTiles matrix, Part part, int first, int count, double... vector) {
        this.part = part;
        n = matrix.rows();
        this.first = first;
        this.vector = vector.clone();
        int rows = Math.max(0, Math.min(count, n - first));
        sums = new double[rows];
        errors = new double[rows];
        norms = new double[rows];
        diagonal = new double[rows];
    }

    /**
     * Adds the products of a large tile that contains the rows to multiply.
     *
     * @param column the index in the matrix of the tile's first column
     */
    public void add(Grid<double[][]> tiles, int column) {
        int end = Math.min(vector.length, column + tiles.side() * MatrixPart.EDGE);
        for (int i = 0; i < sums.length; i++) {
            int row = first + i;
            for (int j = column; j < end; j++) {
                double entry = EliminationTiles.cell(tiles, i, j - column);
                if (j == row) {
                    diagonal[i] = entry;
                }
                if (part == Part.UPPER && j < row) {
                    continue;
                }
                if (part == Part.LOWER && j >= row) {
                    entry = j == row ? 1 : 0;
                }
                if (j < n) {
                    norms[i] += Math.abs(entry);
                    largest = Math.max(largest, Math.abs(entry));
                } else {
                    ofB = Math.max(ofB, Math.abs(entry));
                }
                add(i, entry, vector[j]);
            }
        }
    }

    private void add(int i, double factor, double other) {
        double product = factor * other;
        double sum = sums[i] + product;
        double rounded = sum - sums[i];
        errors[i] += Math.fma(factor, other, -product) + (sums[i] - (sum - rounded)) + (product - rounded);
        sums[i] = sum;
    }

    /** Returns the index in the matrix of the first row. */
    public int first() {
        return first;
    }

    /** Returns the products. */
    public double[] products() {
        double[] products = new double[sums.length];
        for (int i = 0; i < products.length; i++) {
            products[i] = sums[i] + errors[i];
        }
        return products;
    }

    /** Returns the sum of the magnitudes of the multiplied entries in each row, without the right-hand side. */
    public double[] norms() {
        return norms.clone();
    }

    /** Returns the largest magnitude of the multiplied entries, without the right-hand side. */
    public double largest() {
        return largest;
    }

    /** Returns the largest magnitude in these rows of the right-hand side. */
    public double ofB() {
        return ofB;
    }

    /** Returns the matrix's diagonal entries in these rows. */
    public double[] diagonal() {
        return diagonal.clone();
    }
}
