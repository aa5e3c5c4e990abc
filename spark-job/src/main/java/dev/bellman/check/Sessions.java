package dev.bellman.check;

import dev.bellman.FunctionOptions;
import dev.bellman.check.Lane.Engine;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.BellmanFunctions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;

/** Provides one session per engine, in which Bellman's functions are registered. */
final class Sessions {
    /**
     * The maximum batch size. Each task assembles its own batch, and all tasks together keep a GPU busy, so larger
     * batches would not be faster. A task also stores the expected results of its batch.
     */
    private static final String BATCH = "16m";

    /** The maximum number of columns of a query that Spark prints. */
    private static final int MAX_COLUMNS = 1_000;

    private final Map<Engine, SparkSession> sessions = new EnumMap<>(Engine.class);
    private final AtomicInteger running = new AtomicInteger();

    Sessions(SparkSession parent, Set<Engine> engines, List<BellmanFunction<?>> functions) {
        for (Engine engine : Engine.values()) {
            if (engine == Engine.CPU || engines.contains(engine)) {
                SparkSession session = parent.newSession();
                session.conf().set("spark.rapids.sql.enabled", engine == Engine.GPU);
                session.conf().set("spark.rapids.sql.explain", "NONE");
                session.conf().set("spark.rapids.sql.batchSizeBytes", BATCH);
                session.conf().set("spark.sql.debug.maxToStringFields", MAX_COLUMNS);
                BellmanFunctions.register(session, functions, FunctionOptions.DEFAULT);
                sessions.put(engine, session);
            }
        }
    }

    AtomicInteger running() {
        return running;
    }

    /** Returns the number of cores that the queries share. */
    int cores() {
        return sessions.get(Engine.CPU).sparkContext().defaultParallelism();
    }

    SparkSession of(Engine engine) {
        return sessions.get(engine);
    }
}
