package dev.bellman.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.plan.catalyst.Scala;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.optimizer.ConstantFolding$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import scala.util.control.NonFatal;

/**
 * Replaces a call whose arguments are all constant with its result, and a call that has an argument that is always NULL
 * with NULL. Spark's own {@code ConstantFolding} does so only for built-in functions.
 *
 * <p>A call that fails makes the query fail, as with {@code ConstantFolding}, unless the call is in a branch of a
 * conditional expression, which may never run. A call that would take a long time, or more memory than the driver has,
 * is not folded. Instead, a task computes the call once, because a task can be cancelled.
 *
 * <p>Calls over {@code VALUES} are an exception: Spark's {@code ConvertToLocalRelation} evaluates them on the driver
 * before the first optimizer rule of an extension, and has no setting that leaves an expression to a task. To run all
 * of these calls in tasks, add that rule to {@code spark.sql.optimizer.excludedRules}.
 */
public final class FoldCalls extends Rule<LogicalPlan> {
    /** The maximum time, in milliseconds, for folding a call; planning itself takes a few hundred milliseconds. */
    private static final int MAX_MILLIS = 200;

    private final Predicate<ScalaUDF> isCall;

    /** @param isCall whether an expression calls a function of the catalogue */
    public FoldCalls(Predicate<ScalaUDF> isCall) {
        this.isCall = isCall;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return plan.transform(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public LogicalPlan apply(LogicalPlan node) {
                return node.mapExpressions(folding(false));
            }
        }));
    }

    private AbstractFunction1<Expression, Expression> folding(boolean inBranch) {
        return new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression expression) {
                boolean branches = inBranch || expression instanceof ConditionalExpression;
                Expression inner = expression.mapChildren(folding(branches));
                return inner instanceof ScalaUDF call && isCall.test(call) ? folded(call, inBranch) : inner;
            }
        };
    }

    private static Expression folded(ScalaUDF call, boolean inBranch) {
        List<Expression> arguments = Scala.list(call.children());
        if (arguments.stream().anyMatch(each -> each instanceof Literal literal && literal.value() == null)) {
            return Literal.create(null, call.dataType());
        }
        if (!arguments.stream().allMatch(Expression::foldable)
                || call.getTagValue(ConstantFolding$.MODULE$.FAILED_TO_EVALUATE())
                        .isDefined()) {
            return call;
        }
        Optional<Expression> result = Optional.empty();
        try {
            result = Cancellation.within(MAX_MILLIS, () -> Literal.create(call.eval(null), call.dataType()));
        } catch (Exception e) {
            // Scala throws Spark's checked exceptions without declaring them
            if (!NonFatal.apply(e) || !inBranch && !isTooLarge(e)) {
                throw e;
            }
        }
        if (result.isEmpty()) {
            call.setTagValue(ConstantFolding$.MODULE$.FAILED_TO_EVALUATE(), BoxedUnit.UNIT);
        }
        return result.orElse(call);
    }

    /** Whether a call exceeded a limit, such as the driver's memory; a task may have more memory. */
    private static boolean isTooLarge(Exception failure) {
        return BellmanException.in(failure)
                .filter(found -> found.code() == ErrorCode.BELLMAN_LIMIT)
                .isPresent();
    }
}
