package dev.bellman.function;

import dev.bellman.FunctionOptions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;

/** Registers the functions in a session that runs already: {@code BellmanFunctions.register(spark)}. */
public final class BellmanFunctions {
    private BellmanFunctions() {}

    /**
     * Registers every function of the {@link Catalogue}. From PySpark:
     * {@code spark._jvm.dev.bellman.function.BellmanFunctions.register(spark._jsparkSession)}.
     */
    public static void register(SparkSession spark) {
        register(spark, FunctionOptions.DEFAULT);
    }

    /** Registers every function with options of its caller's, for this session alone. */
    public static void register(SparkSession spark, FunctionOptions options) {
        var registry = ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry();
        for (FunctionBuilder builder : FunctionBuilder.all(options)) {
            registry.registerFunction(new FunctionIdentifier(builder.name()), builder.info(), builder);
        }
    }
}
