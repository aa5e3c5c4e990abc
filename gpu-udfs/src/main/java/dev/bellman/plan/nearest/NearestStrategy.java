package dev.bellman.plan.nearest;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MonotonicallyIncreasingID;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.WindowGroupLimit;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.DataTypes;
import scala.PartialFunction$;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Plans filters such as {@code row_number() OVER (PARTITION BY g ORDER BY dtw(a, b)) <= k}, and the same filters with
 * {@code rank()}. Before Spark sorts the rows of a task, it may drop rows that are not among the nearest {@code k} of a
 * group ({@code WindowGroupLimit}). This strategy drops them earlier: the {@code max} of each call becomes the
 * {@code k}th smallest distance so far ({@link NearestLimit}), so that lower bounds and partial tables decide most
 * calls, and {@link MayBeNearest} drops the rows. The distances of the remaining rows are exact.
 */
public final class NearestStrategy extends SparkStrategy {
    private static final String DTW = "dtw";
    private static final int SERIES = 2;
    private static final int MAX = 3;

    private final Function<ScalaUDF, Optional<String>> names;
    private final BiFunction<String, Seq<Expression>, Optional<Expression>> builder;

    /**
     * @param names returns the name of a call's function, if it is one of Bellman's and runs on the CPU
     * @param builder creates a call of a function, if the session has it
     */
    public NearestStrategy(
            Function<ScalaUDF, Optional<String>> names,
            BiFunction<String, Seq<Expression>, Optional<Expression>> builder) {
        this.names = names;
        this.builder = builder;
    }

    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        if (plan instanceof WindowGroupLimit window
                && (window.rankLikeFunction() instanceof RowNumber || window.rankLikeFunction() instanceof Rank)) {
            SortOrder first = window.orderSpec().head();
            if (first.direction() == Ascending$.MODULE$ && first.child() instanceof Attribute distance) {
                return limited(
                                window.child(),
                                new Nearest(window.limit(), Scala.list(window.partitionSpec()), distance))
                        .map(child -> Scala.seq(planLater(window.withNewChildren(Scala.seq(child)))))
                        .orElseGet(Scala::seq);
            }
        }
        return Scala.seq();
    }

    /**
     * The nearest rows that are requested from a plan: their number, and the output columns that contain the group and
     * the distance.
     */
    private record Nearest(int count, List<Expression> group, Attribute distance) {
        /** Returns the request in terms of the rows that a projection reads. */
        Nearest below(Project project, Attribute other) {
            return new Nearest(
                    count, group.stream().map(each -> below(project, each)).toList(), other);
        }

        private static Expression below(Project project, Expression expression) {
            return expression.transformUp(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                @Override
                public Expression apply(Expression each) {
                    return each instanceof Attribute column && definition(project, column) instanceof Alias alias
                            ? alias.child()
                            : each;
                }
            }));
        }
    }

    private static NamedExpression definition(Project project, Attribute column) {
        return Scala.list(project.projectList()).stream()
                .filter(each -> each.exprId().equals(column.exprId()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns a plan that drops rows that are not among the nearest, or empty if such rows cannot be recognized while
     * the query runs.
     */
    private Optional<LogicalPlan> limited(LogicalPlan plan, Nearest wanted) {
        if (plan instanceof Filter filter && leavesNearest(filter.condition(), wanted.distance(), filter.child())) {
            return limited(filter.child(), wanted).map(child -> filter.withNewChildren(Scala.seq(child)));
        }
        if (!(plan instanceof Project project)) {
            return Optional.empty();
        }
        NamedExpression distance = definition(project, wanted.distance());
        Expression value = distance instanceof Alias alias ? alias.child() : (Expression) distance;
        if (value instanceof Attribute column) {
            return limited(project.child(), wanted.below(project, column))
                    .map(child -> project.withNewChildren(Scala.seq(child)));
        }
        return value instanceof ScalaUDF call ? limited(project, call, wanted) : Optional.empty();
    }

    /**
     * Computes the distance as a separate column, which all equal calls of the projection read, and drops rows that are
     * not among the nearest.
     */
    private Optional<LogicalPlan> limited(Project project, ScalaUDF call, Nearest wanted) {
        List<Expression> group = wanted.below(project, wanted.distance()).group();
        if (names.apply(call).filter(DTW::equals).isEmpty()
                || !call.deterministic()
                || !group.stream().allMatch(Expression::deterministic)
                || !isMade(call)) {
            return Optional.empty();
        }
        LeastDistances least = new LeastDistances(wanted.count());
        List<Expression> arguments = new ArrayList<>(Scala.list(call.children()));
        if (arguments.size() == SERIES) {
            arguments.add(Literal.create(Integer.MAX_VALUE, DataTypes.IntegerType));
        }
        List<Expression> most = arguments.size() > MAX ? List.of(arguments.remove(MAX)) : List.of();
        arguments.add(MAX, new NearestLimit(least, Scala.seq(group), Scala.seq(most)));
        Alias distance =
                Expressions.alias(builder.apply(DTW, Scala.seq(arguments)).orElseThrow(), "distance");
        List<NamedExpression> columns =
                new ArrayList<>(Scala.list(project.child().output()));
        columns.add(distance);
        LogicalPlan nearest = new Filter(
                new MayBeNearest(least, Scala.seq(group), Scala.seq(distance.toAttribute())),
                new Project(Scala.seq(columns), project.child()));
        List<NamedExpression> read = Scala.list(project.projectList()).stream()
                .map(each -> (NamedExpression) replaced((Expression) each, call, distance.toAttribute()))
                .toList();
        return Optional.of(new Project(Scala.seq(read), nearest));
    }

    private static Expression replaced(Expression expression, Expression call, Attribute by) {
        return expression.transformUp(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression each) {
                return each.semanticEquals(call) ? by : each;
            }
        }));
    }

    /** Whether the call has the session's strategy and no {@link NearestLimit} yet. */
    private boolean isMade(ScalaUDF call) {
        return builder.apply(DTW, call.children())
                        .filter(made -> made instanceof ScalaUDF same && same.function() == call.function())
                        .isPresent()
                && Scala.list(call.children()).stream().noneMatch(NearestLimit.class::isInstance);
    }

    /**
     * Whether rows that fail the condition are at least as distant as rows that pass it, so that the nearest rows do
     * not change.
     */
    private static boolean leavesNearest(Expression condition, Attribute distance, LogicalPlan rows) {
        if (condition instanceof And and) {
            return leavesNearest(and.left(), distance, rows) && leavesNearest(and.right(), distance, rows);
        } else if (condition instanceof IsNotNull known) {
            return known.child().semanticEquals(distance);
        } else if (condition instanceof LessThan below) {
            return below.left().semanticEquals(distance) && below.right() instanceof Literal;
        } else if (condition instanceof LessThanOrEqual within) {
            return within.left().semanticEquals(distance) && within.right() instanceof Literal;
        }
        // neither distances nor row numbers are negative
        return condition instanceof GreaterThanOrEqual atLeast
                && atLeast.right() instanceof Literal literal
                && literal.value() instanceof Number number
                && number.doubleValue() == 0
                && (atLeast.left().semanticEquals(distance)
                        || atLeast.left() instanceof Attribute column && isNumber(column, rows));
    }

    private static boolean isNumber(Attribute column, LogicalPlan rows) {
        return rows instanceof Project project
                && definition(project, column) instanceof Alias alias
                && alias.child() instanceof MonotonicallyIncreasingID;
    }
}
