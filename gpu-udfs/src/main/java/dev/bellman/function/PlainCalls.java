package dev.bellman.function;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;

/**
 * In sessions in which RAPIDS plans queries, replaces each {@link Call} with Spark's {@code ScalaUDF}, the only
 * expression in which RAPIDS looks for kernels. If the kernel takes constants, they become part of the call as soon
 * as other rules have turned these arguments into literals. {@link CallsOnCpu} reverts both for calls that remain on
 * the CPU.
 */
final class PlainCalls extends Rule<LogicalPlan> {
    private static final String RAPIDS = "com.nvidia.spark.";

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return hasRapids(SQLConf.get())
                ? plan.transformAllExpressions(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                    @Override
                    public Expression apply(Expression expression) {
                        return expression instanceof ScalaUDF call
                                        && (call instanceof Call || CallFunctions.isCall(call))
                                ? Dispatcher.plain(call)
                                : expression;
                    }
                }))
                : plan;
    }

    private static boolean hasRapids(SQLConf session) {
        return session.getConfString("spark.plugins", "").contains(RAPIDS)
                || session.getConfString(BellmanExtensions.KEY, "").contains(RAPIDS);
    }
}
