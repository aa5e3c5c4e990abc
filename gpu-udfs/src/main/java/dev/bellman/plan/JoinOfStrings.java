package dev.bellman.plan;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count$;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.JoinHint;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;

/** Plans a join as ordinary joins with the pairs of distinct strings. */
final class JoinOfStrings {
    /** A constant for counting rows. */
    private static final Expression ONE = Literal.create(1, DataTypes.IntegerType);

    private static final Expression NONE = Literal.create(null, DataTypes.IntegerType);

    private JoinOfStrings() {}

    static LogicalPlan plan(JoinCondition condition) {
        Join join = condition.join();
        JoinSide left = JoinSide.of(join.left());
        JoinSide right = JoinSide.of(join.right());
        List<Attribute> strings = condition.strings();
        SimilarStrings pairs =
                condition.pairs(distinct(left, right, condition), strings, Option.empty(), named(strings));
        Expression leftString = (Expression) pairs.output().apply(0);
        Expression rightString = (Expression) pairs.output().apply(1);
        Optional<Expression> group =
                condition.isGrouped() ? Optional.of((Expression) pairs.output().apply(2)) : Optional.empty();
        boolean toRight = join.joinType().equals(RightOuter$.MODULE$);
        JoinSide nearer = toRight ? left : right;
        Expression nearerString = toRight ? leftString : rightString;
        List<Expression> toNearer = new ArrayList<>();
        toNearer.add(new EqualTo(nearerString, toRight ? condition.left() : condition.right()));
        group.ifPresent(hash -> toNearer.add(
                new EqualTo(hash, Expressions.hash(toRight ? condition.leftGroup() : condition.rightGroup()))));
        List<Expression> last = new ArrayList<>();
        last.add(toRight ? new EqualTo(rightString, condition.right()) : new EqualTo(leftString, condition.left()));
        last.addAll(condition.rest());
        boolean rowsOfRight = !condition.rest().isEmpty()
                || !(join.joinType().equals(LeftSemi$.MODULE$)
                        || join.joinType().equals(LeftAnti$.MODULE$)
                        || join.joinType() instanceof ExistenceJoin);
        LogicalPlan matches =
                rowsOfRight ? JoinSide.inner(pairs, nearer.rows(), Option.apply(Expressions.and(toNearer))) : pairs;
        JoinType type = join.joinType().equals(Cross$.MODULE$) ? Inner$.MODULE$ : join.joinType();
        LogicalPlan joined = toRight
                ? new Join(matches, right.rows(), type, Option.apply(Expressions.and(last)), JoinHint.NONE())
                : new Join(left.rows(), matches, type, Option.apply(Expressions.and(last)), JoinHint.NONE());
        return joined.output().equals(join.output())
                ? joined
                : new Project(Scala.seq(named(Scala.list(join.output()))), joined);
    }

    private static List<NamedExpression> named(List<Attribute> attributes) {
        return attributes.stream().map(NamedExpression.class::cast).toList();
    }

    /** Returns each distinct string with its group and its row counts on the left and right sides. */
    private static LogicalPlan distinct(JoinSide left, JoinSide right, JoinCondition condition) {
        LogicalPlan all = condition.isSame()
                ? left.occurrences(condition.left(), condition.leftGroup(), condition, List.of(ONE, ONE))
                : new Union(
                        Scala.seq(
                                left.occurrences(
                                        condition.left(), condition.leftGroup(), condition, List.of(ONE, NONE)),
                                right.occurrences(
                                        condition.right(), condition.rightGroup(), condition, List.of(NONE, ONE))),
                        false,
                        false);
        List<Attribute> columns = Scala.list(all.output());
        int keys = condition.isGrouped() ? 2 : 1;
        List<NamedExpression> outputs = new ArrayList<>();
        columns.subList(0, keys).forEach(key -> outputs.add((NamedExpression) key));
        outputs.add(Expressions.alias(
                Count$.MODULE$.apply((Expression) columns.get(keys)).toAggregateExpression(), "left_rows"));
        outputs.add(Expressions.alias(
                Count$.MODULE$.apply((Expression) columns.get(keys + 1)).toAggregateExpression(), "right_rows"));
        LogicalPlan distinct = new Aggregate(
                Scala.seq(columns.subList(0, keys).stream()
                        .map(Expression.class::cast)
                        .toList()),
                Scala.seq(outputs),
                all,
                Option.empty());
        return ColumnPruning$.MODULE$.apply(distinct);
    }
}
