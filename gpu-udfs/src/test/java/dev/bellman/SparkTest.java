package dev.bellman;

import dev.bellman.function.BellmanExtensions;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A test of functions in SQL, in a local session that has them. */
public abstract class SparkTest {
    protected static SparkSession spark;

    @BeforeAll
    static void startSession() {
        spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.sql.extensions", BellmanExtensions.class.getName())
                .getOrCreate();
    }

    @AfterAll
    static void stopSession() {
        spark.stop();
    }

    /** The one row of a query without a table. */
    protected static Row row(String expressions) {
        return spark.sql("SELECT " + expressions).first();
    }

    protected static Object value(String expression) {
        return row(expression).get(0);
    }

    /** Runs something with a strategy of a problem. */
    protected static void withStrategy(String problem, String strategy, Runnable test) {
        String key = "spark.bellman." + problem + ".strategy";
        spark.conf().set(key, strategy);
        try {
            test.run();
        } finally {
            spark.conf().unset(key);
        }
    }
}
