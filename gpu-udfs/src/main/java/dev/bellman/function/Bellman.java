package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import org.apache.spark.sql.SparkSession;

/** Adds Bellman to an existing session: {@code Bellman.register(spark)}. */
public final class Bellman {
    private Bellman() {}

    /**
     * Adds the functions and the planner rules, as {@link BellmanExtensions} does for a configured session. Sessions
     * that are created from this session also have them. Another call adds only what is missing.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the session is a Spark Connect client
     */
    public static void register(SparkSession spark) {
        if (!(spark instanceof org.apache.spark.sql.classic.SparkSession session)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    ("a Spark Connect client cannot add functions to its server. Start the server with Bellman's jar "
                                    + "in --jars and --conf %s=%s")
                            .formatted(BellmanExtensions.KEY, BellmanExtensions.class.getName()));
        }
        // Spark reads an extension's rules whenever it plans a query, but its functions only when it creates a session
        BellmanExtensions.addTo(session);
        BellmanFunctions.registerMissing(session, FunctionOptions.DEFAULT);
    }
}
