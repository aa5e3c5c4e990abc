package dev.bellman.large;

import dev.bellman.align.gap.GapTiles;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A pair of long sequences with gap costs; its table is computed in tiles. */
final class GapInstance implements TiledInstance<long[][]> {
    private static final long serialVersionUID = 1L;

    private static final String A_COSTS = "a_gap_costs";
    private static final DataType COSTS = DataTypes.createArrayType(DataTypes.LongType);
    private static final StructType PAIR = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("match", DataTypes.LongType)
            .add("mismatch", DataTypes.LongType);
    static final StructType SHARED_COSTS = PAIR.add("gap_costs", COSTS);
    static final StructType SEPARATE_COSTS = PAIR.add(A_COSTS, COSTS).add("b_gap_costs", COSTS);

    private static final String SCORE = "score";
    static final StructType RESULTS =
            new StructType().add(SCORE, DataTypes.LongType, false).add("cigar", DataTypes.StringType, false);

    private final GapTiles tiles;

    GapInstance(OneRow row) {
        byte[] a = row.text("a");
        byte[] b = row.text("b");
        long match = row.number("match");
        long mismatch = row.number("mismatch");
        tiles = row.has(A_COSTS)
                ? GapTiles.of(a, b, match, mismatch, row.longs(A_COSTS), row.longs("b_gap_costs"))
                : GapTiles.of(a, b, match, mismatch, row.longs("gap_costs"));
    }

    @Override
    public TiledProblem<long[][]> tiles() {
        return tiles;
    }

    @Override
    public String words() {
        return String.format(
                Locale.ROOT,
                "a pair of %,d and %,d letters with %s gap costs",
                tiles.aLength(),
                tiles.bLength(),
                tiles.shape());
    }

    @Override
    public Map<String, Object> report() {
        return Map.of("letters", List.of(tiles.aLength(), tiles.bLength()), "gapCosts", tiles.shape());
    }

    @Override
    public StructType results() {
        return RESULTS;
    }

    @Override
    public List<Object> solve(Function<Tile, long[][]> finished, List<String> results) {
        return results.stream()
                .map(result -> result.equals(SCORE)
                        ? (Object) tiles.score(finished)
                        : UTF8String.fromString(tiles.cigar(finished)))
                .toList();
    }
}
