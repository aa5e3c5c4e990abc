package dev.bellman.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.measure.Measure;
import dev.bellman.plan.bound.Bound;
import dev.bellman.plan.bound.Bounds;
import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.RowError;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.BinaryType$;
import org.apache.spark.sql.types.BooleanType$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DatetimeType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import scala.Option;

/**
 * A join on close strings, with its condition split into parts.
 *
 * @param measure defines when two strings are a pair
 * @param left the string expression of the left side
 * @param leftGroup the expressions of the left side that must equal those in {@code rightGroup}
 * @param groupKeys the expressions of both sides that must not be NULL for rows to be in the same group
 * @param rest the predicates that remain to be checked: all predicates, including the equalities, except a predicate
 *     that {@code measure} represents exactly
 */
record JoinCondition(
        Join join,
        Measure measure,
        Expression left,
        Expression right,
        List<Expression> leftGroup,
        List<Expression> rightGroup,
        List<Expression> groupKeys,
        List<Expression> rest) {
    /** The assumed length of strings, about the length of a name. */
    private static final int USUAL_LENGTH = 16;

    private static final String DEFAULT_MAX_PAIRS = "2000000000";

    static Optional<JoinCondition> of(Join join, Bounds bounds) {
        List<Expression> conjuncts = conjuncts(join.condition().get()).toList();
        Bound best = null;
        int place = -1;
        for (int i = 0; i < conjuncts.size(); i++) {
            Optional<Bound> bound = bounds.of(conjuncts.get(i))
                    .filter(found -> isOf(found.one(), join.left()) && isOf(found.other(), join.right())
                            || isOf(found.other(), join.left()) && isOf(found.one(), join.right()));
            if (bound.isPresent() && (best == null || most(bound.get()) < most(best))) {
                best = bound.get();
                place = i;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        boolean inOrder = isOf(best.one(), join.left());
        List<Expression> leftGroup = new ArrayList<>();
        List<Expression> rightGroup = new ArrayList<>();
        List<Expression> groupKeys = new ArrayList<>();
        List<Expression> rest = new ArrayList<>();
        for (int i = 0; i < conjuncts.size(); i++) {
            Expression conjunct = conjuncts.get(i);
            boolean equal = conjunct instanceof EqualTo;
            if (equal || conjunct instanceof EqualNullSafe) {
                Expression one = conjunct.children().apply(0);
                Expression other = conjunct.children().apply(1);
                boolean straight = isOf(one, join.left()) && isOf(other, join.right());
                boolean crossed = isOf(other, join.left()) && isOf(one, join.right());
                if ((straight || crossed) && one.dataType().equals(other.dataType()) && isPlain(one.dataType())) {
                    leftGroup.add(straight ? one : other);
                    rightGroup.add(straight ? other : one);
                    if (equal) {
                        groupKeys.add(one);
                        groupKeys.add(other);
                    }
                }
            }
            if (i != place || !best.exact()) {
                rest.add(conjunct);
            }
        }
        return Optional.of(new JoinCondition(
                join,
                best.measure(),
                inOrder ? best.one() : best.other(),
                inOrder ? best.other() : best.one(),
                leftGroup,
                rightGroup,
                groupKeys,
                rest));
    }

    /**
     * Returns the number of edits that a bound allows for strings of the usual length; the search uses the bound that
     * allows the fewest edits.
     */
    private static int most(Bound bound) {
        return bound.measure().edits(USUAL_LENGTH);
    }

    static Stream<Expression> conjuncts(Expression condition) {
        return condition instanceof And and
                ? Stream.concat(conjuncts(and.left()), conjuncts(and.right()))
                : Stream.of(condition);
    }

    static boolean isOf(Expression expression, LogicalPlan side) {
        return expression.references().nonEmpty() && expression.references().subsetOf(side.outputSet());
    }

    /** Whether equal values of a type have equal bytes, and hence equal hashes. */
    private static boolean isPlain(DataType type) {
        return type.equals(DataTypes.StringType)
                || type instanceof IntegralType
                || type instanceof DecimalType
                || type instanceof DatetimeType
                || type.equals(BooleanType$.MODULE$)
                || type.equals(BinaryType$.MODULE$);
    }

    boolean isGrouped() {
        return !leftGroup.isEmpty();
    }

    /** Whether both sides have the same rows, strings and groups. */
    boolean isSame() {
        return JoinSide.aliased(join.left()).sameResult(JoinSide.aliased(join.right()))
                && isSame(left, right)
                && Stream.iterate(0, i -> i < leftGroup.size(), i -> i + 1)
                        .allMatch(i -> isSame(leftGroup.get(i), rightGroup.get(i)));
    }

    /** Whether the condition contains {@code l.x < r.x} or {@code l.x > r.x}, given that both sides are the same. */
    private boolean hasOneOrder() {
        return rest.stream()
                .filter(each -> each instanceof LessThan || each instanceof GreaterThan)
                .map(each -> Scala.list(each.children()))
                .anyMatch(each -> isOf(each.get(0), join.left())
                        ? isOf(each.get(1), join.right()) && isSame(each.get(0), each.get(1))
                        : isOf(each.get(0), join.right())
                                && isOf(each.get(1), join.left())
                                && isSame(each.get(1), each.get(0)));
    }

    /**
     * Whether an expression of the right side equals an expression of the left side, given that both sides are the
     * same.
     */
    private boolean isSame(Expression left, Expression right) {
        Expression moved = new JoinSide(join.right(), join.left()).again(right);
        return moved.canonicalized().equals(left.canonicalized());
    }

    /** Returns the left string, the right string, and the group if there are groups. */
    List<Attribute> strings() {
        List<Attribute> output = new ArrayList<>();
        output.add(Expressions.attribute("left_string", DataTypes.StringType));
        output.add(Expressions.attribute("right_string", DataTypes.StringType));
        if (isGrouped()) {
            output.add(Expressions.attribute("group", DataTypes.LongType));
        }
        return output;
    }

    /**
     * Returns the node that finds the pairs.
     *
     * @param strings the strings, as returned by {@link #strings}
     * @param rows the columns of the rows if the node joins rows
     */
    SimilarStrings pairs(
            LogicalPlan input,
            List<Attribute> strings,
            Option<SimilarStrings.Rows> rows,
            List<? extends NamedExpression> results) {
        return new SimilarStrings(
                measure,
                isSame() && hasOneOrder(),
                method(),
                maxPairs(),
                input.output(),
                Scala.seq(strings),
                rows,
                Scala.seq(results),
                input);
    }

    private static JoinMethod method() {
        String method = SQLConf.get().getConfString(SimilarityJoin.METHOD, "auto");
        try {
            return Strategies.parse(SimilarityJoin.METHOD, JoinMethod.class, method);
        } catch (BellmanException e) {
            throw new RowError(e);
        }
    }

    private static long maxPairs() {
        String value = SQLConf.get().getConfString(SimilarityJoin.MAX_PAIRS, DEFAULT_MAX_PAIRS);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new RowError(new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "%s is '%s'; it must be an integer".formatted(SimilarityJoin.MAX_PAIRS, value),
                    e));
        }
    }
}
