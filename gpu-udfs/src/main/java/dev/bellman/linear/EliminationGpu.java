package dev.bellman.linear;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.TileGpu;

/** The GPU component that performs Gaussian elimination on one matrix. */
public interface EliminationGpu {
    /**
     * Returns the maximum size in bytes of a matrix on the task's GPU, or 0 if the GPU has too little shared memory.
     */
    long memory();

    /** Opens the task's GPU for large tiles. */
    TileGpu open(int n, int columns, double largest, long memory);

    /**
     * Creates a matrix of zeros on the task's GPU.
     *
     * @param rows the maximum number of rows of a band
     */
    Matrix matrix(EliminationPivots pivots, int n, int columns, double largest, int rows);

    /**
     * The matrix of {@link EliminationTiles} in GPU memory. All multiprocessors perform the elimination together; the
     * results are bit-for-bit the same as on the CPU. The matrix is copied between the GPU and large tiles in bands, so
     * that the host never holds the whole matrix. A band contains the matrix rows of one row of large tiles.
     */
    interface Matrix extends AutoCloseable {
        /** Puts a large tile, whose last columns may be padding, into the band of its row. */
        void put(Grid<double[][]> tiles, int row, int column);

        /**
         * Puts a single row, instead of a tile, into a band.
         *
         * @param row the row within the band
         * @param entries one entry for each column of the matrix
         */
        void putRow(int row, double... entries);

        /** Copies a band to the GPU. Must be called after all of the band's tiles or rows have been put. */
        void upload(int row, int edge);

        /**
         * Eliminates the matrix. Must be called after all bands have been copied.
         *
         * @param strategy {@link Elimination.Strategy#R_WAY} or {@link Elimination.Strategy#BLOCKED}
         * @throws dev.bellman.BellmanException as for {@link Elimination#lu}, but thrown only by {@link #download} of
         *     the band that contains the bad pivot
         */
        void eliminate(Elimination.Strategy strategy);

        /**
         * Copies a band from the GPU. Must be called for bands in ascending order, before the tiles of each band are
         * read.
         */
        void download(int row, int edge);

        /** Fills a zeroed large tile from the band of its row. */
        void get(Grid<double[][]> tiles, int row, int column);

        /**
         * Reads a row of the band.
         *
         * @param row the row within the band
         * @param entries receives one entry for each column of the matrix
         */
        void getRow(int row, double[] entries);

        @Override
        void close();
    }
}
