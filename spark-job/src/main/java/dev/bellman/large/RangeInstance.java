package dev.bellman.large;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.SumTiles;
import dev.bellman.chain.tree.TreeFunctions;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * One long sequence, whose leaves and ranges have costs. Its table contains the costs of the cheapest trees.
 *
 * @param <T> a tile
 */
final class RangeInstance<T> implements TiledInstance<T> {
    private static final long serialVersionUID = 1L;

    private static final String COST = "cost";
    static final List<String> RESULTS = List.of(COST, "splits");

    private final transient RangeInput input;
    private final int leaves;
    private final boolean doubles;
    private final SumTiles<T> tiles;

    /** Returns the instance for a sequence whose costs have not been written into tiles yet. */
    static RangeInstance<?> of(RangeInput input) {
        return new RangeInstance<>(input, Long.MAX_VALUE);
    }

    /** Creates the instance. {@code T} must be the type of tile that {@link SumTiles} chooses for these costs. */
    @SuppressWarnings("unchecked")
    private RangeInstance(RangeInput input, long largest) {
        this.input = input;
        leaves = input.leaves();
        doubles = input.doubles();
        tiles = (SumTiles<T>) SumTiles.of(leaves, doubles, largest);
    }

    @Override
    public TiledProblem<T> tiles() {
        return tiles;
    }

    @Override
    public boolean isGiven() {
        return true;
    }

    @Override
    public String load(JavaSparkContext context, TileFolder<T> folder) {
        Broadcast<RangeInstance<T>> shared = context.broadcast(this);
        Broadcast<TileFolder<T>> to = context.broadcast(folder);
        int side = folder.side();
        return TilePieces.of(context, input.strips(), folder)
                .map(tile -> shared.value().write(to.value(), TilePieces.tile(tile._1, side), tile._2))
                .reduce(Math::max)
                .toString();
    }

    /** Writes a tile, and returns the largest integer in it; 0 if the costs are DOUBLE. */
    private long write(TileFolder<T> folder, Tile place, Iterable<byte[]> chunks) {
        Grid<T> made = folder.make(place);
        int edge = folder.edge();
        int top = place.row() * edge;
        int left = place.column() * edge;
        BitSet given = new BitSet(edge * edge);
        long[] largest = {0};
        TilePieces.forEach(chunks, (row, column, cell) -> {
            long bits = cell.getLong();
            if (given.get(row * edge + column)) {
                throw MatrixInput.invalid(
                        "%s occurs more than once".formatted(RangeInput.name(top + row, left + column)));
            }
            given.set(row * edge + column);
            largest[0] = doubles ? 0 : Math.max(largest[0], bits);
            tiles.set(made.get(row / tiles.edge(), column / tiles.edge()), top + row, left + column, bits);
        });
        for (int i = top; i < Math.min(leaves, top + edge); i++) {
            int first = Math.max(i + 1, left);
            int missing = left + given.nextClearBit((i - top) * edge + first - left) - (i - top) * edge;
            if (missing <= Math.min(leaves, left + edge - 1)) {
                throw MatrixInput.invalid("%s is missing".formatted(RangeInput.name(i, missing)));
            }
        }
        folder.write(place, made);
        return largest[0];
    }

    @Override
    public TiledInstance<T> with(String largest) {
        return new RangeInstance<>(input, Long.parseLong(largest));
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "a sequence of %,d leaves, %s costs", leaves, doubles ? "DOUBLE" : "BIGINT");
    }

    @Override
    public Map<String, Object> report() {
        return Map.of("leaves", leaves);
    }

    @Override
    public StructType results() {
        return new StructType()
                .add(COST, doubles ? DataTypes.DoubleType : DataTypes.LongType, false)
                .add("splits", DataTypes.createArrayType(DataTypes.IntegerType, false), false);
    }

    @Override
    public List<Object> solve(Function<Tile, T> finished, List<String> results) {
        Number cost = tiles.cost(finished);
        if (cost.equals(ChainSolver.OVERFLOW)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OVERFLOW,
                    ("%s: the cheapest tree for these %,d leaves costs more than %d, the maximum BIGINT value; use "
                                    + "smaller costs, or DOUBLE")
                            .formatted(TreeFunctions.ONE_TREE.name(), leaves, Long.MAX_VALUE));
        }
        return results.stream()
                .map(result -> result.equals(COST)
                        ? (Object) cost
                        : UnsafeArrayData.fromPrimitiveArray(tiles.splits(finished)))
                .toList();
    }
}
