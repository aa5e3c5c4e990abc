package dev.bellman.large;

import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.types.StructType;

/**
 * An instance whose table is computed in tiles, and whose results form a single row.
 *
 * @param <T> a tile
 */
interface TiledInstance<T> extends Serializable {
    TiledProblem<T> tiles();

    /**
     * Whether {@link #load} writes the table before the first task that computes it. Otherwise, the tasks generate the
     * tiles themselves.
     */
    default boolean isGiven() {
        return false;
    }

    /** Writes all tiles of the input to a folder. Returns a string that must be passed to {@link #with}. */
    default String load(JavaSparkContext context, TileFolder<T> folder) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the instance to use after its table has been written into tiles.
     *
     * @param learned the string that {@link #load} returned
     */
    default TiledInstance<T> with(String learned) {
        return this;
    }

    /** Describes the instance, for messages. */
    String words();

    /** Describes the instance, for a report. */
    Map<String, Object> report();

    /** Returns the columns for all results that a job can request. */
    StructType results();

    /**
     * Within a task, computes the values of results in Spark's internal types.
     *
     * @param tiles returns a tile of the finished table
     */
    List<Object> solve(Function<Tile, T> tiles, List<String> results);
}
