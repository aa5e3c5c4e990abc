package dev.bellman.plan;

import dev.bellman.plan.bound.Bounds;
import dev.bellman.plan.catalyst.Scala;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys$;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;

/**
 * A join on close strings that nevertheless compares every pair of rows. The reason is logged once, and {@code EXPLAIN}
 * shows it within calls of Bellman's functions, but not within calls of {@code levenshtein}. Only the displayed name of
 * the call changes; the plan stays the same, even on a GPU.
 *
 * <p>A join whose condition also has an equality compares only rows for which the equality holds. This may be intended,
 * so only {@code EXPLAIN} shows the reason. A join on distant strings is inherently a cross product, so nothing is
 * reported.
 */
final class EveryPair {
    private static final Logger LOG = LoggerFactory.getLogger(EveryPair.class);
    private static final String NOTE = " [compares every pair of rows";
    private static final String OR_EQUALITY = ", or an equality";

    /**
     * The maximum number of conditions to remember as reported, because a long-running server keeps encountering new
     * conditions.
     */
    private static final int MAX_REMEMBERED = 1_000;

    private static final Set<String> LOGGED = new HashSet<>();

    private final Join join;
    private final Bounds bounds;

    EveryPair(Join join, Bounds bounds) {
        this.join = join;
        this.bounds = bounds;
    }

    /** Returns the reason why the planner cannot use the condition, if the condition requires close strings. */
    Optional<String> reason() {
        return JoinCondition.conjuncts(join.condition().get())
                .map(this::reason)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> reason(Expression predicate) {
        if (predicate instanceof Or) {
            return parts(predicate)
                            .anyMatch(part -> isBound(part) || reason(part).isPresent())
                    ? Optional.of("the bound on the distance is within an OR; join once for each part of the OR, and "
                            + "combine the results with UNION")
                    : Optional.empty();
        } else if (predicate instanceof In || predicate instanceof InSet) {
            return isDistance(predicate.children().apply(0))
                    ? Optional.of("the condition compares the distance with a list; add an upper bound, such as AND "
                            + "edit_distance(l, r) <= k, where k is the largest number in the list")
                    : Optional.empty();
        } else if (predicate instanceof Not not && not.child() instanceof EqualTo equal) {
            return hasDistance(equal) ? openLimit(equal) : Optional.empty();
        }
        return predicate instanceof BinaryComparison comparison ? reason(comparison) : Optional.empty();
    }

    private static Stream<Expression> parts(Expression predicate) {
        return predicate instanceof Or || predicate instanceof And
                ? Scala.list(predicate.children()).stream().flatMap(EveryPair::parts)
                : Stream.of(predicate);
    }

    private Optional<String> reason(BinaryComparison comparison) {
        boolean equal = comparison instanceof EqualTo || comparison instanceof EqualNullSafe;
        boolean ascending = comparison instanceof LessThan || comparison instanceof LessThanOrEqual;
        Expression small = Bounds.uncast(ascending ? comparison.left() : comparison.right());
        Expression large = Bounds.uncast(ascending ? comparison.right() : comparison.left());
        if (equal ? !hasDistance(comparison) : growth(small) <= 0 && growth(large) >= 0) {
            // such a comparison holds for distant strings, unless the call has a limit: its result for distances beyond
            // the limit is -1, which fails the comparison
            return growth(large) > 0 ? openLimit(comparison) : Optional.empty();
        } else if (has(comparison, this::isOther)) {
            return Optional.of("only joins on edit_distance (or a related distance), jaro_winkler_similarity, "
                    + "jaro_similarity or ratio avoid this; add a bound on one of these functions" + OR_EQUALITY);
        }
        Expression distance = isMeasure(small) || equal && !isMeasure(large) ? small : large;
        Expression number = distance == small ? large : small;
        if (bounds.isWide(comparison)) {
            return Optional.of("the limit %s admits strings without a common character; use a factor below 1"
                    .formatted(number.sql()));
        } else if (has(comparison, this::isSimilarity) && !isSimilarity(distance)) {
            return Optional.of("the similarity is part of a larger expression; compare the function call itself with "
                    + "a number");
        } else if (!isMeasure(distance)) {
            return Optional.of("the distance is part of a larger expression; add a bound on the distance itself, such "
                    + "as AND edit_distance(l, r) <= k, where k is a number");
        } else if (!(number instanceof Literal literal)) {
            return Optional.of("the limit %s is not a constant; add a constant limit that holds for all rows"
                    .formatted(number.sql()));
        } else if (literal.value() instanceof Integer value && value < (isStrict(comparison) ? 1 : 0)) {
            // only -1 is this small; it is the result for distances beyond a limit
            return Optional.empty();
        } else if (isSimilarity(distance)) {
            return argument(distance)
                    .or(() -> distance.children().size() > 2
                            ? Optional.of("the call sets an optional argument; call the function without optional "
                                    + "arguments")
                            : Optional.empty());
        }
        return openLimit(comparison)
                .or(() -> argument(distance))
                .or(() -> distance.children().size() > 2
                        ? Optional.of("the call returns -1 if the distance exceeds its limit, and the comparison "
                                + "accepts -1; call the function without a limit")
                        : Optional.of("the condition compares the distance with %s; use an integer instead"
                                .formatted(number.sql())));
    }

    private static boolean isStrict(BinaryComparison comparison) {
        return comparison instanceof LessThan || comparison instanceof GreaterThan;
    }

    /** Returns the reason if a limit among the arguments is not constant. */
    private Optional<String> openLimit(Expression predicate) {
        return Scala.list(predicate.children()).stream()
                .filter(each -> isDistance(each)
                        && each.children().size() > 2
                        && !(each.children().apply(2) instanceof Literal))
                .map(each -> "the limit %s is not a constant; add a constant limit that holds for all rows"
                        .formatted(each.children().apply(2).sql()))
                .findFirst();
    }

    private Optional<String> argument(Expression distance) {
        for (int i = 0; i < 2; i++) {
            Expression string = distance.children().apply(i);
            if (!JoinCondition.isOf(string, join.left()) && !JoinCondition.isOf(string, join.right())) {
                return Optional.of(("%s uses columns from both sides; each of the two strings must use columns from "
                                + "only one side")
                        .formatted(string.sql()));
            } else if (!string.dataType().equals(DataTypes.StringType)) {
                return Optional.of("%s is of type %s, but only strings with the default collation are supported"
                        .formatted(string.sql(), string.dataType().sql()));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns 1 if an expression increases as the strings become less similar, -1 if it decreases, and 0 if it contains
     * no measure of the strings.
     */
    private int growth(Expression expression) {
        if (isMeasure(expression)) {
            return isDistance(expression) ? 1 : -1;
        } else if (isOther(expression)) {
            return bounds.growthOfOther(expression);
        }
        int sign = 1;
        for (Expression child : Scala.list(expression.children())) {
            int growth = growth(child);
            if (growth != 0) {
                return expression instanceof UnaryMinus ? -growth : sign * growth;
            }
            sign = expression instanceof Subtract || expression instanceof Divide ? -1 : 1;
        }
        return 0;
    }

    /** Whether an expression is a distance between the two sides. */
    private boolean isDistance(Expression expression) {
        return bounds.metric(expression).isPresent()
                && isOfBoth(
                        expression.children().apply(0), expression.children().apply(1));
    }

    /** Whether an expression is a similarity between the two sides. */
    private boolean isSimilarity(Expression expression) {
        return bounds.isSimilarity(expression)
                && isOfBoth(
                        expression.children().apply(0), expression.children().apply(1));
    }

    private boolean isMeasure(Expression expression) {
        return isDistance(expression) || isSimilarity(expression);
    }

    /** Whether an expression is a measure of the two sides for which the planner knows no bounds. */
    private boolean isOther(Expression expression) {
        return bounds.growthOfOther(expression) != 0
                && isOfBoth(
                        expression.children().apply(0), expression.children().apply(1));
    }

    private boolean isOfBoth(Expression one, Expression other) {
        return reads(join.left(), one, other) && reads(join.right(), one, other);
    }

    private static boolean reads(LogicalPlan side, Expression... expressions) {
        return Stream.of(expressions)
                .anyMatch(each -> Scala.list(each.references().toSeq()).stream()
                        .anyMatch(column -> side.outputSet().contains(column)));
    }

    private boolean hasDistance(Expression expression) {
        return has(expression, this::isDistance);
    }

    private boolean isBound(Expression predicate) {
        return bounds.of(predicate)
                .filter(bound -> isOfBoth(bound.one(), bound.other()))
                .isPresent();
    }

    static boolean has(Expression expression, Predicate<Expression> test) {
        return expression.exists(new AbstractFunction1<>() {
            @Override
            public Object apply(Expression each) {
                return test.test(each);
            }
        });
    }

    LogicalPlan noted(String reason) {
        Expression condition = join.condition().get();
        if (has(condition, EveryPair::isNoted)) {
            return join;
        }
        boolean hasKeys = ExtractEquiJoinKeys$.MODULE$.unapply(join).isDefined();
        if (!hasKeys) {
            warn("The join on %s compares every pair of rows: %s".formatted(condition.sql(), reason));
        }
        String note = hasKeys ? " with equal keys: " + reason.replace(OR_EQUALITY, "") : ": " + reason;
        Expression noted = condition.transform(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public Expression apply(Expression expression) {
                return expression instanceof ScalaUDF call && (isMeasure(call) || isOther(call))
                        ? noted(call, note)
                        : expression;
            }
        }));
        return join.copy(join.left(), join.right(), join.joinType(), Option.apply(noted), join.hint());
    }

    private static boolean isNoted(Expression expression) {
        return expression instanceof ScalaUDF call && call.name().contains(NOTE);
    }

    private static ScalaUDF noted(ScalaUDF call, String note) {
        return new ScalaUDF(
                call.function(),
                call.dataType(),
                call.children(),
                call.inputEncoders(),
                call.outputEncoder(),
                Option.apply(call.name() + NOTE + note + "]"),
                call.nullable(),
                call.udfDeterministic());
    }

    private static void warn(String text) {
        synchronized (LOGGED) {
            if (LOGGED.size() == MAX_REMEMBERED) {
                LOGGED.clear();
            }
            if (!LOGGED.add(text)) {
                return;
            }
        }
        LOG.warn(text);
    }
}
