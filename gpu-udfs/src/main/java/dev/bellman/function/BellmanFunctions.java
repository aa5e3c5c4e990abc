package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.plan.FoldCalls;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.jdk.javaapi.CollectionConverters;

/** Registers the functions in a running session: {@code BellmanFunctions.register(spark)}. */
public final class BellmanFunctions {
    private BellmanFunctions() {}

    /** Registers every function of the {@link Catalogue}. */
    public static void register(SparkSession spark) {
        register(spark, FunctionOptions.DEFAULT);
    }

    /** Registers every function with the caller's options, only for this session. */
    public static void register(SparkSession spark, FunctionOptions options) {
        register(spark, Catalogue.functions(), options);
    }

    /** Registers functions that need not be in the catalogue. */
    public static void register(SparkSession spark, List<BellmanFunction<?>> functions, FunctionOptions options) {
        FunctionBuilder.all(functions, options).forEach(builder -> register(spark, builder));
        foldCalls(spark);
    }

    /** Adds the rule to a session that may lack {@link BellmanExtensions}. */
    private static void foldCalls(SparkSession spark) {
        ExperimentalMethods added = ((org.apache.spark.sql.classic.SparkSession) spark).experimental();
        List<Rule<LogicalPlan>> rules = new ArrayList<>(CollectionConverters.asJava(added.extraOptimizations()));
        if (rules.stream().noneMatch(FoldCalls.class::isInstance)) {
            rules.add(new FoldCalls(CallFunctions::isCall));
            added.extraOptimizations_$eq(CollectionConverters.asScala(rules).toSeq());
        }
    }

    /**
     * Registers, only for this session, a function of the same arguments that returns why {@code function} rejects them: the message of
     * its {@link dev.bellman.BellmanException}, or NULL if it does not fail. It runs on the CPU.
     *
     * @return its name in SQL
     */
    public static String registerRejection(SparkSession spark, BellmanFunction<?> function) {
        String name = "bellman_rejection_" + function.name();
        register(spark, FunctionBuilder.rejection(name, function));
        return name;
    }

    private static void register(SparkSession spark, FunctionBuilder builder) {
        ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry()
                .registerFunction(new FunctionIdentifier(builder.name()), builder.info(), builder);
    }
}
