package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.align.names.SplinkFunctions;
import dev.bellman.plan.FoldCalls;
import dev.bellman.plan.ReplaceLevenshtein;
import dev.bellman.plan.SimilarityJoin;
import dev.bellman.plan.SimilarityStrategy;
import dev.bellman.plan.bound.WarpingLimit;
import dev.bellman.plan.nearest.NearestStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds the functions and the planner rules to every session: {@code
 * spark.sql.extensions=dev.bellman.function.BellmanExtensions}.
 */
public final class BellmanExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    /** The Spark setting for extensions. */
    public static final String KEY = "spark.sql.extensions";

    /** Adds the name of this class to the value of {@link #KEY}, unless the value already contains the name. */
    public static String among(String extensions) {
        String name = BellmanExtensions.class.getName();
        return extensions.contains(name) ? extensions : extensions.isEmpty() ? name : extensions + "," + name;
    }

    /** Adds these extensions to a running session that was started without them. */
    static void addTo(org.apache.spark.sql.classic.SparkSession session) {
        SparkSessionExtensions extensions = session.extensions();
        synchronized (extensions) {
            boolean isThere = extensions
                    .buildPreCBORules(session)
                    .exists(new AbstractFunction1<Rule<LogicalPlan>, Object>() {
                        @Override
                        public Object apply(Rule<LogicalPlan> rule) {
                            return rule instanceof SimilarityJoin;
                        }
                    });
            if (!isThere) {
                new BellmanExtensions().apply(extensions);
            }
        }
    }

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        List<FunctionBuilder> builders = builders();
        ReplacedFunctions.expect(builders.stream().map(FunctionBuilder::name).toList());
        BuiltInFunctions.add();
        for (FunctionBuilder builder : builders) {
            extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(builder.name()), builder.info(), builder));
        }
        for (TableFunction function : BuiltInFunctions.TABLES) {
            extensions.injectTableFunction(
                    new Tuple3<>(new FunctionIdentifier(function.name()), function.info(), function));
        }
        Map<String, Function<Seq<Expression>, Expression>> byName =
                builders.stream().collect(Collectors.toMap(FunctionBuilder::name, builder -> builder::apply));
        // the only rules of extensions that run before Spark resolves functions
        extensions.injectHintResolutionRule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new GroupRows(session);
            }
        });
        extensions.injectOptimizerRule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new ReplaceLevenshtein(byName.get("edit_distance"));
            }
        });
        extensions.injectOptimizerRule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new WarpingLimit(
                        CallFunctions::name, Map.of("dtw", byName.get("dtw"), "try_dtw", byName.get("try_dtw")));
            }
        });
        extensions.injectOptimizerRule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new FoldCalls(CallFunctions::isCall);
            }
        });
        extensions.injectOptimizerRule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new PlainCalls();
            }
        });
        extensions.injectColumnar(new AbstractFunction1<SparkSession, ColumnarRule>() {
            @Override
            public ColumnarRule apply(SparkSession session) {
                return new CallsOnCpu();
            }
        });
        addPlans(extensions);
        return BoxedUnit.UNIT;
    }

    /** Adds the planner rule and strategy for joins, and the planner strategy for windows of nearest rows. */
    private static void addPlans(SparkSessionExtensions extensions) {
        extensions.injectPreCBORule(new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
                return new SimilarityJoin(CallFunctions::name);
            }
        });
        extensions.injectPlannerStrategy(new AbstractFunction1<SparkSession, SparkStrategy>() {
            @Override
            public SparkStrategy apply(SparkSession session) {
                return new SimilarityStrategy();
            }
        });
        extensions.injectPlannerStrategy(new AbstractFunction1<SparkSession, SparkStrategy>() {
            @Override
            public SparkStrategy apply(SparkSession session) {
                // with RAPIDS, the expression for a call is not a Call
                return new NearestStrategy(
                        call -> call instanceof Call ? CallFunctions.name(call) : Optional.empty(),
                        (name, arguments) ->
                                call((org.apache.spark.sql.classic.SparkSession) session, name, arguments));
            }
        });
    }

    /** Creates a call of the session's function, which a job may have registered with its options; empty on failure. */
    private static Optional<Expression> call(
            org.apache.spark.sql.classic.SparkSession session, String name, Seq<Expression> arguments) {
        try {
            return Optional.of(
                    session.sessionState().functionRegistry().lookupFunction(FunctionNames.of(name), arguments));
        } catch (AnalysisException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the function builders. Spark creates extensions before it creates sessions, so these builders can read
     * only the settings of the context.
     */
    private static List<FunctionBuilder> builders() {
        SparkEnv environment = SparkEnv.get();
        String splink = environment == null ? "false" : environment.conf().get(SplinkFunctions.KEY, "false");
        List<FunctionBuilder> builders = new ArrayList<>(BuiltInFunctions.CATALOGUE);
        if (Boolean.parseBoolean(splink)) {
            builders.addAll(FunctionBuilder.all(SplinkFunctions.list(), FunctionOptions.DEFAULT));
        }
        return builders;
    }
}
