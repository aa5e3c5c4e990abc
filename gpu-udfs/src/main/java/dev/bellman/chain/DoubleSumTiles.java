package dev.bellman.chain;

import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TileRows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;

/** {@link SumTiles} with doubles. A tile contains the rows of costs, followed by the rows of weights. */
final class DoubleSumTiles extends ParenthesizationTiles<double[][]> implements SumTiles<double[][]> {
    private static final long serialVersionUID = 1L;

    DoubleSumTiles(int leaves) {
        super(leaves);
    }

    private static double cost(double[][] tile, int i, int j) {
        return tile[i % EDGE][j % EDGE];
    }

    private static double weight(double[][] tile, int i, int j) {
        return tile[EDGE + i % EDGE][j % EDGE];
    }

    @Override
    public void set(double[][] tile, int i, int j, long bits) {
        tile[j == i + 1 ? i % EDGE : EDGE + i % EDGE][j % EDGE] = Double.longBitsToDouble(bits);
    }

    @Override
    public double[][] make(Tile tile) {
        double[][] made = new double[2 * EDGE][EDGE];
        for (int row = 0; row < EDGE; row++) {
            Arrays.fill(made[row], Double.POSITIVE_INFINITY);
        }
        return made;
    }

    @Override
    protected void relax(double[][] target, int i, double[][] left, int k, double[][] right, int from, int to) {
        int begin = from % EDGE;
        DoubleSumTable.relaxMany(target[i % EDGE], begin, begin + to - from, cost(left, i, k), right[k % EDGE]);
    }

    @Override
    protected void finish(double[][] target, int i, int j) {
        target[i % EDGE][j % EDGE] += weight(target, i, j);
    }

    @Override
    protected boolean isOptimal(double[][] whole, double[][] left, double[][] right, int i, int k, int j) {
        return cost(left, i, k) + cost(right, k, j) + weight(whole, i, j) == cost(whole, i, j);
    }

    @Override
    public Number cost(Function<Tile, double[][]> tiles) {
        return cell(whole(tiles), 0, leaves);
    }

    @Override
    public Number cell(double[][] tile, int i, int j) {
        return cost(tile, i, j);
    }

    @Override
    public int bytes() {
        return 2 * EDGE * EDGE * Double.BYTES;
    }

    /** Returns {@link TableKind#RANGES_FLOAT64}, because cells are also doubles on the GPU. */
    @Override
    protected TableKind kind() {
        return TableKind.RANGES_FLOAT64;
    }

    @Override
    public void write(double[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    public double[][] read(ByteBuffer from) {
        return TileRows.read(new double[2 * EDGE][EDGE], from);
    }

    @Override
    public void writePanel(TileKernel kernel, double[][] tile, ByteBuffer to) {
        TileRows.write(Arrays.copyOf(tile, EDGE), to);
    }

    @Override
    public double[][] readPanel(TileKernel kernel, ByteBuffer from) {
        return TileRows.read(new double[EDGE][EDGE], from);
    }
}
