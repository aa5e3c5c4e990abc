package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.entry.BellmanFunction;
import java.util.List;
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
        register(spark, Catalogue.functions(), options);
    }

    /** Registers functions that need not be of the catalogue. */
    public static void register(SparkSession spark, List<BellmanFunction<?>> functions, FunctionOptions options) {
        var registry = ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry();
        for (FunctionBuilder builder : FunctionBuilder.all(functions, options)) {
            registry.registerFunction(new FunctionIdentifier(builder.name()), builder.info(), builder);
        }
    }
}
