package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.align.names.SplinkFunctions;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.plan.FoldCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Registers functions with the caller's options in a running session. Users should call {@link Bellman#register}. */
public final class BellmanFunctions {
    private BellmanFunctions() {}

    /** Returns the functions of a session: those of the catalogue and, if {@code splink} is true, Splink's. */
    static List<BellmanFunction<?>> of(String splink) {
        List<BellmanFunction<?>> functions = new ArrayList<>(Catalogue.functions());
        if (Boolean.parseBoolean(splink)) {
            functions.addAll(SplinkFunctions.list());
        }
        return functions;
    }

    /** Registers every function of the catalogue with the caller's options, but only for this session. */
    public static void register(SparkSession spark, FunctionOptions options) {
        register(spark, Catalogue.functions(), options);
    }

    /** Registers functions, which need not be in the catalogue. */
    public static void register(SparkSession spark, List<BellmanFunction<?>> functions, FunctionOptions options) {
        FunctionBuilder.all(functions, options).forEach(builder -> register(spark, builder));
        addRules(spark);
    }

    /** Adds the planner rules for calls to a session, because the session may lack {@link BellmanExtensions}. */
    private static void addRules(SparkSession spark) {
        ExperimentalMethods added = ((org.apache.spark.sql.classic.SparkSession) spark).experimental();
        List<Rule<LogicalPlan>> rules = new ArrayList<>(CollectionConverters.asJava(added.extraOptimizations()));
        if (rules.stream().noneMatch(FoldCalls.class::isInstance)) {
            rules.add(new FoldCalls(CallFunctions::isCall));
            rules.add(new PlainCalls());
            added.extraOptimizations_$eq(CollectionConverters.asScala(rules).toSeq());
        }
    }

    /**
     * Registers, for this session only, a function that takes the same arguments as {@code function} and returns the
     * reason why {@code function} rejects them: the message of the {@link dev.bellman.BellmanException}, or NULL if the
     * call does not fail. The new function runs on the CPU.
     *
     * @return the new function's name in SQL
     */
    public static String registerRejection(SparkSession spark, BellmanFunction<?> function) {
        String name = "bellman_rejection_" + function.name();
        register(spark, FunctionBuilder.rejection(name, function));
        return name;
    }

    /** Registers those functions that a session does not have yet. */
    static void registerMissing(SparkSession spark, FunctionOptions options) {
        List<BellmanFunction<?>> functions = of(spark.conf().get(SplinkFunctions.KEY, "false"));
        for (FunctionBuilder builder : FunctionBuilder.all(functions, options)) {
            if (find(spark, builder.name()).isEmpty()) {
                register(spark, builder);
            }
        }
        TableFunctionRegistry tables = ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .tableFunctionRegistry();
        for (TableFunction function : TableFunctions.all()) {
            Option<Function1<Seq<Expression>, LogicalPlan>> found =
                    tables.lookupFunctionBuilder(FunctionNames.of(function.name()));
            if (found.isEmpty() || !(found.get() instanceof TableFunction)) {
                tables.registerFunction(FunctionNames.of(function.name()), function.info(), function);
            }
        }
    }

    /** Returns the builder of a session's function; empty if the function is unknown or not one of Bellman's. */
    static Optional<FunctionBuilder> find(SparkSession spark, String name) {
        Option<Function1<Seq<Expression>, Expression>> found =
                registry(spark).lookupFunctionBuilder(FunctionNames.of(name));
        return found.isDefined() && found.get() instanceof FunctionBuilder builder
                ? Optional.of(builder)
                : Optional.empty();
    }

    private static void register(SparkSession spark, FunctionBuilder builder) {
        registry(spark).registerFunction(FunctionNames.of(builder.name()), builder.info(), builder);
    }

    private static FunctionRegistry registry(SparkSession spark) {
        return ((org.apache.spark.sql.classic.SparkSession) spark)
                .sessionState()
                .functionRegistry();
    }
}
