package dev.bellman.function;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.PartialFunction;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;

/** Turns plain calls back into {@link Call}s if RAPIDS leaves them on the CPU, in row-based operators. */
final class CallsOnCpu extends ColumnarRule {
    private static final PartialFunction<Expression, Expression> CALL =
            PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                @Override
                public Expression apply(Expression expression) {
                    return expression instanceof ScalaUDF plain
                                    && !(plain instanceof Call)
                                    && CallFunctions.isCall(plain)
                            ? Dispatcher.call(plain)
                            : expression;
                }
            });

    private static final class AfterRapids extends Rule<SparkPlan> {
        @Override
        public SparkPlan apply(SparkPlan plan) {
            return plan.transformUp(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                @Override
                public SparkPlan apply(SparkPlan operator) {
                    return operator.supportsColumnar() ? operator : operator.transformExpressions(CALL);
                }
            }));
        }
    }

    @Override
    public Rule<SparkPlan> postColumnarTransitions() {
        return new AfterRapids();
    }
}
