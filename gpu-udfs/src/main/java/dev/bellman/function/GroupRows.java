package dev.bellman.function;

import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.Size;
import org.apache.spark.sql.catalyst.expressions.SortArray;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.PartialFunction$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * The argument of an aggregate: an array of the strings in the rows of a group. This rule moves DISTINCT, FILTER and
 * OVER from an aggregate's call to the expression that collects the rows, because Spark accepts them only there. It
 * runs before Spark resolves functions.
 */
final class GroupRows extends Rule<LogicalPlan> {
    private final SparkSession session;

    GroupRows(SparkSession session) {
        this.session = session;
    }

    /** Returns the array for a call without DISTINCT, FILTER and OVER. */
    static Expression of(Expression string) {
        return sorted(new CollectList(string).toAggregateExpression());
    }

    /**
     * Returns collected strings in ascending order, because Spark collects rows in any order; NULL if there are none.
     */
    private static Expression sorted(Expression collected) {
        return new If(
                new GreaterThan(new Size(collected, false), new Literal(0, DataTypes.IntegerType)),
                new SortArray(collected, Literal.TrueLiteral()),
                Literal.create(null, DataTypes.createArrayType(DataTypes.StringType, false)));
    }

    /**
     * A call's argument as it was written, and the clauses around it.
     *
     * @param clauses the text after the call
     */
    record Written(String argument, String clauses) {}

    /** Returns the written form of an argument; empty if the argument is not an array of rows. */
    static Optional<Written> written(Expression argument) {
        if (!(argument instanceof If choice && choice.trueValue() instanceof SortArray array)) {
            return Optional.empty();
        }
        String over = "";
        Expression collected = array.base();
        if (collected instanceof WindowExpression window) {
            over = " OVER " + window.windowSpec().sql();
            collected = window.windowFunction();
        }
        if (!(collected instanceof AggregateExpression aggregate
                && aggregate.aggregateFunction() instanceof CollectList list)) {
            return Optional.empty();
        }
        String filter = aggregate.filter().isEmpty()
                ? ""
                : " FILTER (WHERE %s)".formatted(aggregate.filter().get().sql());
        return Optional.of(new Written((aggregate.isDistinct() ? "DISTINCT " : "") + list.child(), filter + over));
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return plan.transformAllExpressions(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression expression) {
                if (expression instanceof WindowExpression window
                        && window.windowFunction() instanceof UnresolvedFunction call) {
                    return collecting(call, Optional.of(window)).orElse(expression);
                }
                return expression instanceof UnresolvedFunction call
                                && (call.isDistinct() || call.filter().isDefined())
                        ? collecting(call, Optional.empty()).orElse(expression)
                        : expression;
            }
        }));
    }

    /** Returns a call whose argument has the clauses; empty if the call is not an aggregate of Bellman's. */
    private Optional<Expression> collecting(UnresolvedFunction call, Optional<WindowExpression> window) {
        List<Expression> arguments = new ArrayList<>(Scala.list(call.arguments()));
        int index = call.nameParts().size() > 1
                ? -1
                : BellmanFunctions.find(session, call.nameParts().head())
                        .map(builder -> builder.rowsArgument(arguments))
                        .orElse(-1);
        if (index < 0) {
            return Optional.empty();
        }
        Expression argument = arguments.get(index);
        Expression collected = argument instanceof NamedArgumentExpression named
                ? new NamedArgumentExpression(named.key(), collected(named.value(), call, window))
                : collected(argument, call, window);
        arguments.set(index, collected);
        // a copy of the elements, because the types of some of them differ between versions of Spark
        Object[] elements =
                CollectionConverters.asJava(call.productIterator().toSeq()).toArray();
        elements[1] = Scala.seq(arguments);
        elements[2] = false;
        elements[3] = Option.empty();
        return Optional.of(call.makeCopy(elements));
    }

    private static Expression collected(Expression string, UnresolvedFunction call, Optional<WindowExpression> window) {
        Expression list = new CollectList(string).toAggregateExpression(call.isDistinct(), call.filter());
        return sorted(window.<Expression>map(each -> new WindowExpression(list, each.windowSpec()))
                .orElse(list));
    }
}
