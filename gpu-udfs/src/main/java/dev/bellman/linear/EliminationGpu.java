package dev.bellman.linear;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.TileGpu;

/** The part of the GPU side that eliminates one matrix. */
public interface EliminationGpu {
    /** The maximum bytes of a matrix on the GPU of a task; 0 if the GPU has too little shared memory. */
    long memory();

    /** Opens the GPU of a task for large tiles. */
    TileGpu open(int n, int columns, double largest, long memory);

    /**
     * Creates a matrix of zeros on the GPU of a task.
     *
     * @param rows the maximum number of rows of a band
     */
    Matrix matrix(EliminationPivots pivots, int n, int columns, double largest, int rows);

    /**
     * The matrix of {@link EliminationTiles} in GPU memory, where all multiprocessors eliminate it, with the same
     * results bit for bit. It is copied between GPU and large tiles by bands, the matrix rows of a row of large tiles,
     * so that the host never holds the whole matrix.
     */
    interface Matrix extends AutoCloseable {
        /** Puts a large tile into the band of its row; its last columns may be padding. */
        void put(Grid<double[][]> tiles, int row, int column);

        /**
         * Puts a row into a band, instead of tiles.
         *
         * @param row the row within the band
         * @param entries as many entries as the matrix has columns
         */
        void putRow(int row, double... entries);

        /** Copies the band to the GPU, after all its tiles. */
        void upload(int row, int edge);

        /**
         * Eliminates, after all bands.
         *
         * @param strategy {@link Elimination.Strategy#R_WAY} or {@link Elimination.Strategy#BLOCKED}
         * @throws dev.bellman.BellmanException like {@link Elimination#lu}, in {@link #download} of the band with the
         * bad pivot
         */
        void eliminate(Elimination.Strategy strategy);

        /** Copies a band from the GPU, before its tiles; bands in ascending order. */
        void download(int row, int edge);

        /** Fills a zeroed large tile from the band of its row. */
        void get(Grid<double[][]> tiles, int row, int column);

        /**
         * Reads a row of the band.
         *
         * @param row the row within the band
         * @param entries room for as many entries as the matrix has columns
         */
        void getRow(int row, double[] entries);

        @Override
        void close();
    }
}
