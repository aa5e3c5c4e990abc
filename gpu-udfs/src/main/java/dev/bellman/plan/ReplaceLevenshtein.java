package dev.bellman.plan;

import dev.bellman.align.names.SplinkFunctions;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Levenshtein;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import scala.PartialFunction;
import scala.PartialFunction$;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * If {@value #KEY} is true, replaces Spark's {@code levenshtein(a, b)} and {@code levenshtein(a, b, threshold)} with
 * {@code edit_distance}, which has the same results. If this setting is absent, the setting
 * {@value SplinkFunctions#KEY} applies instead. Queries need no changes and can then run on the GPU, although RAPIDS
 * lacks {@code levenshtein}. {@code EXPLAIN} shows the optimized plan with the new function.
 *
 * <p>Strings with collations other than {@code UTF8_BINARY} are not affected.
 */
public final class ReplaceLevenshtein extends Rule<LogicalPlan> {
    public static final String KEY = "spark.bellman.levenshtein.replace";

    private final PartialFunction<Expression, Expression> replacement;

    /** @param editDistance creates the expression for a call */
    public ReplaceLevenshtein(Function<Seq<Expression>, Expression> editDistance) {
        replacement = PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression expression) {
                return expression instanceof Levenshtein levenshtein
                                && isBinary(levenshtein.left())
                                && isBinary(levenshtein.right())
                        ? editDistance.apply(levenshtein.children())
                        : expression;
            }
        });
    }

    private static boolean isBinary(Expression text) {
        return text.dataType().equals(DataTypes.StringType);
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        SQLConf conf = SQLConf.get();
        return Boolean.parseBoolean(conf.getConfString(KEY, conf.getConfString(SplinkFunctions.KEY, "false")))
                ? plan.transformAllExpressions(replacement)
                : plan;
    }
}
