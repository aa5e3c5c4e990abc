package example;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;

import dev.bellman.function.BellmanExtensions;
import org.apache.spark.sql.SparkSession;

/** Calls {@code edit_distance} in a Spark session. */
public final class Distances {
    private Distances() {}

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .config("spark.ui.enabled", "false")
                .config(BellmanExtensions.KEY, BellmanExtensions.class.getName())
                .getOrCreate();
        int distance = spark.sql("SELECT 'kitten' AS a, 'sitting' AS b")
                .select(call_function("edit_distance", col("a"), col("b")))
                .first()
                .getInt(0);
        spark.stop();
        System.out.println("edit_distance: " + distance);
    }
}
