package dev.bellman.large;

import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** One long matrix chain; its table is computed in tiles. */
final class ChainInstance implements TiledInstance<long[][]> {
    private static final long serialVersionUID = 1L;

    static final StructType ARGUMENTS = new StructType().add("dims", DataTypes.createArrayType(DataTypes.LongType));

    private static final String COST = "cost";
    private static final String ORDER = "order";
    static final StructType RESULTS = new StructType()
            .add(COST, DataTypes.LongType, false)
            .add(ORDER, DataTypes.StringType, false)
            .add("splits", DataTypes.createArrayType(DataTypes.IntegerType, false), false);

    private final MatrixChainTiles tiles;

    ChainInstance(OneRow row) {
        tiles = MatrixChainTiles.of(row.longs("dims"));
    }

    @Override
    public TiledProblem<long[][]> tiles() {
        return tiles;
    }

    @Override
    public String words() {
        return String.format(Locale.ROOT, "a chain of %,d matrices", tiles.matrices());
    }

    @Override
    public Map<String, Object> report() {
        return Map.of("matrices", tiles.matrices());
    }

    @Override
    public StructType results() {
        return RESULTS;
    }

    @Override
    public List<Object> solve(Function<Tile, long[][]> finished, List<String> results) {
        if (results.equals(List.of(COST))) {
            return List.of(tiles.cost(finished));
        }
        MatrixChain.Solution solution = tiles.solution(finished);
        return results.stream()
                .map(result -> switch (result) {
                    case COST -> (Object) solution.cost();
                    case ORDER -> UTF8String.fromString(solution.order());
                    default -> UnsafeArrayData.fromPrimitiveArray(solution.splits());
                })
                .toList();
    }
}
