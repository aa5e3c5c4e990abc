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
 * An instance whose table is computed in tiles and whose results form one row.
 *
 * @param <T> a tile
 */
interface TiledInstance<T> extends Serializable {
    TiledProblem<T> tiles();

    /** Whether {@link #load} writes the table before its first task. Otherwise, tasks generate the tiles. */
    default boolean isGiven() {
        return false;
    }

    /** Writes all tiles of the input to a folder. Returns a word to pass to {@link #with}. */
    default String load(JavaSparkContext context, TileFolder<T> folder) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the instance after its table has been written into tiles.
     *
     * @param learned the word that {@link #load} returned
     */
    default TiledInstance<T> with(String learned) {
        return this;
    }

    /** Describes the instance for messages. */
    String words();

    /** Describes the instance for a report. */
    Map<String, Object> report();

    /** Returns all results as columns. */
    StructType results();

    /**
     * Computes the values of results in Spark's internal types, within a task.
     *
     * @param tiles returns a finished tile
     */
    List<Object> solve(Function<Tile, T> tiles, List<String> results);
}
