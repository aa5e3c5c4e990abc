package dev.bellman.linear;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskGpu;
import dev.bellman.cuda.CudaModule;
import dev.bellman.large.tiles.Grid;
import dev.bellman.linear.EliminationKernel.Large;
import java.nio.ByteOrder;

/** A matrix in GPU memory. */
final class EliminationOnGpu implements EliminationGpu.Matrix {
    private final EliminationPivots pivots;
    private final int n;
    private final int columns;
    private final int height;
    private final int width;
    private final CudaModule module;
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer matrix;
    private final Large large;
    private final HostMemoryBuffer band;
    private final long rowBytes;

    /**
     * Creates a matrix that is filled with zeros.
     *
     * @param rows the maximum number of rows in a band
     */
    EliminationOnGpu(EliminationPivots pivots, int n, int columns, double largest, int rows) {
        TaskGpu.use();
        this.pivots = pivots;
        this.n = n;
        this.columns = columns;
        module = CudaModule.load("linear/elimination");
        height = EliminationTiles.padded(n);
        width = EliminationTiles.padded(columns);
        rowBytes = (long) Double.BYTES * width;
        HostMemoryBuffer allocated = null;
        try {
            matrix = scratch.filled(height * rowBytes, (byte) 0);
            DeviceMemoryBuffer found = scratch.filled(2L * Long.BYTES, (byte) 0);
            allocated = HostMemoryBuffer.allocate(Math.max(2L * Long.BYTES, rows * rowBytes));
            allocated.setDouble(0, largest);
            found.copyFromHostBuffer(0, allocated, 0, Double.BYTES);
            large = new Large(
                    matrix.getAddress(),
                    width,
                    n,
                    columns > n ? 1 : 0,
                    found.getAddress(),
                    found.getAddress() + Long.BYTES);
        } catch (Throwable e) {
            if (allocated != null) {
                allocated.close();
            }
            scratch.close();
            throw e;
        }
        band = allocated;
    }

    /** Returns the number of rows in the band that starts with the given row, given the number of rows per tile. */
    private int count(int first, int edge) {
        return Math.max(0, Math.min(edge, n - first));
    }

    @Override
    public void put(Grid<double[][]> tiles, int row, int column) {
        int edge = tiles.side() * MatrixPart.EDGE;
        for (int i = 0; i < count(row, edge); i++) {
            for (int j = 0; j < edge && column + j < columns; j++) {
                band.setDouble(i * rowBytes + (column + j) * (long) Double.BYTES, EliminationTiles.cell(tiles, i, j));
            }
            if (column + edge >= columns) {
                band.setMemory(
                        i * rowBytes + columns * (long) Double.BYTES, (width - columns) * (long) Double.BYTES, (byte)
                                0);
            }
        }
    }

    @Override
    public void putRow(int row, double... entries) {
        band.setDoubles(row * rowBytes, entries, 0, columns);
        band.setMemory(
                row * rowBytes + columns * (long) Double.BYTES, (width - columns) * (long) Double.BYTES, (byte) 0);
    }

    @Override
    public void upload(int row, int edge) {
        long bytes = count(row, edge) * rowBytes;
        if (bytes > 0) {
            matrix.copyFromHostBuffer(row * rowBytes, band, 0, bytes);
        }
    }

    @Override
    public void eliminate(Elimination.Strategy strategy) {
        EliminationKernel.factor(module, scratch, large, height, width, strategy);
    }

    @Override
    public void download(int row, int edge) {
        int count = count(row, edge);
        if (count > 0) {
            try (DeviceMemoryBuffer rows = matrix.slice(row * rowBytes, count * rowBytes)) {
                band.copyFromDeviceBuffer(rows);
            }
        }
        // a pivot depends only on earlier pivots, so the first bad pivot has exactly the value that the definition
        // specifies
        for (int i = 0; i < count; i++) {
            pivots.check(row + i, band.getDouble(i * rowBytes + (row + i) * (long) Double.BYTES));
        }
    }

    @Override
    public void get(Grid<double[][]> tiles, int row, int column) {
        int edge = tiles.side() * MatrixPart.EDGE;
        for (int i = 0; i < count(row, edge); i++) {
            for (int j = 0; j < edge && column + j < columns; j++) {
                EliminationTiles.setCell(
                        tiles, i, j, band.getDouble(i * rowBytes + (column + j) * (long) Double.BYTES));
            }
        }
    }

    @Override
    public void getRow(int row, double[] entries) {
        band.asByteBuffer(row * rowBytes, columns * Double.BYTES)
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer()
                .get(entries, 0, columns);
    }

    @Override
    public void close() {
        band.close();
        scratch.close();
    }
}
