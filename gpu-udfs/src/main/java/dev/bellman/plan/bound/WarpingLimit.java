package dev.bellman.plan.bound;

import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import scala.PartialFunction$;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * If the result of {@code dtw} is compared with a number, passes this number as {@code max}: {@code dtw(a, b, band) <=
 * t} becomes {@code dtw(a, b, band, t) <= t}. The rule applies in joins and everywhere else, even if arguments follow
 * an unlimited {@code max}. On the CPU, lower bounds then decide most calls. The result of the comparison is the same:
 * a distance changes only if it is larger than {@code t}, and then becomes Infinity, which is also larger.
 */
public final class WarpingLimit extends Rule<LogicalPlan> {
    private static final int SERIES = 2;

    /** The index of {@code max} among the arguments. */
    private static final int MAX = 3;

    private final Function<ScalaUDF, Optional<String>> names;
    private final Map<String, Function<Seq<Expression>, Expression>> builders;

    /**
     * @param names returns the name of a call's function, if it is one of Bellman's
     * @param builders create the expressions for calls of {@code dtw} and {@code try_dtw}
     */
    public WarpingLimit(
            Function<ScalaUDF, Optional<String>> names, Map<String, Function<Seq<Expression>, Expression>> builders) {
        this.names = names;
        this.builders = builders;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return plan.transformAllExpressions(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression expression) {
                return expression instanceof LessThan
                                || expression instanceof LessThanOrEqual
                                || expression instanceof GreaterThan
                                || expression instanceof GreaterThanOrEqual
                        ? limited((BinaryComparison) expression)
                        : expression;
            }
        }));
    }

    private Expression limited(BinaryComparison comparison) {
        Expression left = comparison.left();
        Expression right = comparison.right();
        Optional<Expression> limitedLeft = limited(left, right);
        Optional<Expression> limitedRight = limited(right, left);
        return limitedLeft.isEmpty() && limitedRight.isEmpty()
                ? comparison
                : comparison.withNewChildren(Scala.seq(List.of(limitedLeft.orElse(left), limitedRight.orElse(right))));
    }

    private Optional<Expression> limited(Expression distance, Expression number) {
        return distance instanceof ScalaUDF call
                        && isUnlimited(call)
                        && number instanceof Literal literal
                        && literal.value() instanceof Double most
                        && most < Double.POSITIVE_INFINITY
                ? names.apply(call)
                        .map(builders::get)
                        .filter(builder -> isMadeBy(builder, call))
                        .map(builder -> builder.apply(limited(call, literal)))
                : Optional.empty();
    }

    /** Whether a call omits {@code max}, or passes its default because a later argument is given. */
    private static boolean isUnlimited(ScalaUDF call) {
        return call.children().size() <= MAX
                || call.children().apply(MAX) instanceof Literal literal
                        && literal.value() instanceof Double max
                        && max == Double.POSITIVE_INFINITY;
    }

    /** Whether the call has the session's options and strategy. */
    private static boolean isMadeBy(Function<Seq<Expression>, Expression> builder, ScalaUDF call) {
        return builder.apply(call.children()) instanceof ScalaUDF made && made.function() == call.function();
    }

    private static Seq<Expression> limited(ScalaUDF call, Literal most) {
        List<Expression> arguments = new ArrayList<>(Scala.list(call.children()));
        if (arguments.size() == SERIES) {
            arguments.add(Literal.create(Integer.MAX_VALUE, DataTypes.IntegerType));
        }
        if (arguments.size() == MAX) {
            arguments.add(most);
        } else {
            arguments.set(MAX, most);
        }
        return Scala.seq(arguments);
    }
}
