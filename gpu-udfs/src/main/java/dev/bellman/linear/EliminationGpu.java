package dev.bellman.linear;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.TileGpu;

/** The part of the GPU side that eliminates in one matrix. */
public interface EliminationGpu {
    /** The bytes that a matrix may take on the GPU of a task; 0 if the GPU has too little shared memory. */
    long memory();

    /** Opens the GPU of a task for large tiles. */
    TileGpu open(int n, int columns, double largest, long memory);

    /**
     * A matrix of zeros on the GPU of a task.
     *
     * @param rows the most rows of a band
     */
    Matrix matrix(EliminationPivots pivots, int n, int columns, double largest, int rows);

    /**
     * The matrix of {@link EliminationTiles} in the memory of the GPU of a task, where all multiprocessors eliminate in
     * it, with the same bits. It moves between there and large tiles by bands, which are the rows of a row of large
     * tiles: the host never holds the whole matrix.
     */
    interface Matrix extends AutoCloseable {
        /** Puts a large tile into the band of its row; its last columns may be padding. */
        void put(Grid<double[][]> tiles, int row, int column);

        /**
         * Puts a row into a band, in place of tiles.
         *
         * @param row within the band
         * @param entries as many as the matrix has columns
         */
        void putRow(int row, double... entries);

        /** Copies the band to the GPU, after all its tiles. */
        void upload(int row, int edge);

        /**
         * Eliminates, after all bands.
         *
         * @param strategy {@link Elimination.Strategy#R_WAY} or {@link Elimination.Strategy#BLOCKED}
         * @throws dev.bellman.BellmanException as {@link Elimination#lu}, in {@link #download} of the band with the bad
         *     pivot
         */
        void eliminate(Elimination.Strategy strategy);

        /** Copies a band from the GPU, before its tiles; bands in ascending order. */
        void download(int row, int edge);

        /** Fills a large tile of zeros from the band of its row. */
        void get(Grid<double[][]> tiles, int row, int column);

        /**
         * Reads a row of the band.
         *
         * @param row within the band
         * @param entries room for as many as the matrix has columns
         */
        void getRow(int row, double[] entries);

        @Override
        void close();
    }
}
