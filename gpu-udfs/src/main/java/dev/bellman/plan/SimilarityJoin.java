package dev.bellman.plan;

import dev.bellman.plan.bound.Bounds;
import dev.bellman.plan.catalyst.Scala;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression$;
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery$;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import scala.PartialFunction;
import scala.PartialFunction$;
import scala.runtime.AbstractFunction1;

/**
 * Plans joins on close strings, such as {@code JOIN r ON edit_distance(l.s, r.s) <= 2}, which Spark alone would plan as
 * cross products.
 *
 * <p>An inner join of rows with only a few columns of fixed size besides the string becomes {@link SimilarStrings},
 * which receives these rows and returns pairs of them. Every executor holds all of the rows, so they must fit in its
 * memory.
 *
 * <pre>{@code
 * SimilarStrings edit_distance <= 2, rows, other predicates
 *   Union: l, r
 * }</pre>
 *
 * <p>Any other join becomes ordinary joins around {@link SimilarStrings}. The input of this node consists of the
 * distinct strings of both sides with their row counts, and its output of pairs of strings; one ordinary join adds the
 * rows of the right side to the pairs, another adds the rows of the left side. Thus, the rows themselves take part only
 * in equality joins, which Spark can broadcast, shuffle, split if skewed, and run on a GPU.
 *
 * <pre>{@code
 * Join type, l.s = left AND groups AND other predicates
 *   l
 *   Join inner, right = r.s
 *     SimilarStrings edit_distance <= 2: left, right
 *       Aggregate s, count(l), count(r)
 *         Union: l.s, r.s
 *     r
 * }</pre>
 *
 * <p>Equalities in the condition define groups: each string is accompanied by the hash of its group, and only strings
 * with equal hashes are compared. The equalities themselves are checked in the last join, or as predicates on the pairs
 * of rows. If both sides are the same, their strings are collected once.
 *
 * <p>With ordinary joins, each side is read twice. For a table or file, with or without filters and projections, the
 * second read costs no more than reading an additional column. Anything more complex is computed once and shuffled
 * ({@link EvaluatedOnce}).
 *
 * <p>If a join on close strings cannot be planned, {@link EveryPair} reports the reason.
 */
public final class SimilarityJoin extends Rule<LogicalPlan> {
    public static final String ENABLED = "spark.bellman.join.enabled";
    public static final String METHOD = "spark.bellman.join.method";
    public static final String GPU = "spark.bellman.join.gpu";
    public static final String MAX_PAIRS = "spark.bellman.join.maxPairs";
    public static final String MEMORY = "spark.bellman.join.memory";
    private final Bounds bounds;

    /** @param names returns the name of a call's function, if it is one of Bellman's */
    public SimilarityJoin(Function<ScalaUDF, Optional<String>> names) {
        bounds = new Bounds(names);
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        if (!Boolean.parseBoolean(SQLConf.get().getConfString(ENABLED, "true"))) {
            return plan;
        }
        return plan.transformUp(each(node -> {
            boolean reads = node instanceof Filter || node instanceof Project || node instanceof Aggregate;
            if (reads && hasMeasureInSubquery(node) && !JoinSide.isChanged(node)) {
                // turn EXISTS into a join; Spark does so only after this rule
                return RewritePredicateSubquery$.MODULE$.apply(node).transformUp(each(this::planned));
            }
            return node instanceof Project project ? JoinOfRows.narrowed(project) : planned(node);
        }));
    }

    private static PartialFunction<LogicalPlan, LogicalPlan> each(
            java.util.function.UnaryOperator<LogicalPlan> function) {
        return PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
            @Override
            public LogicalPlan apply(LogicalPlan node) {
                return function.apply(node);
            }
        });
    }

    /** Whether an expression of a node has a subquery whose condition compares strings. */
    private boolean hasMeasureInSubquery(LogicalPlan node) {
        return Scala.list(node.expressions()).stream()
                .filter(SubqueryExpression$.MODULE$::hasInOrCorrelatedExistsSubquery)
                .anyMatch(each -> EveryPair.has(each, inner -> joinConditions(inner)
                        .anyMatch(condition -> EveryPair.has(condition, bounds::isMeasure))));
    }

    private static Stream<Expression> joinConditions(Expression expression) {
        if (expression instanceof Exists exists) {
            return Scala.list(exists.joinCond()).stream();
        }
        return expression instanceof ListQuery list ? Scala.list(list.joinCond()).stream() : Stream.empty();
    }

    private LogicalPlan planned(LogicalPlan node) {
        if (!(node instanceof Join join) || join.condition().isEmpty()) {
            return node;
        }
        Optional<JoinCondition> condition = JoinCondition.of(join, bounds);
        EveryPair unplanned = new EveryPair(join, bounds);
        Optional<String> obstacle = condition.isPresent() ? obstacle(join) : unplanned.reason();
        if (obstacle.isPresent()) {
            return unplanned.noted(obstacle.get());
        }
        return condition
                .map(found -> JoinOfRows.plan(found).orElseGet(() -> JoinOfStrings.plan(found)))
                .orElse(join);
    }

    /** Returns the reason why a join with a bound on the distance cannot be planned. */
    private static Optional<String> obstacle(Join join) {
        if (!isSupported(join.joinType())) {
            return Optional.of(("%s joins are not optimized; use a LEFT join, and add the unmatched right rows (an "
                            + "ANTI join) with UNION ALL")
                    .formatted(join.joinType().sql()));
        } else if (join.isStreaming()) {
            return Optional.of("the join reads a stream; join each batch in foreachBatch");
        } else if (JoinSide.isChanged(join)) {
            return Optional.of("the statement changes a table that the join reads; first write the pairs to a table, "
                    + "and join on its keys");
        } else if (!join.condition().get().deterministic()) {
            return Optional.of("the join's condition is not deterministic; compute its random values in a column "
                    + "before the join");
        }
        return mayReadTwice(join)
                ? Optional.empty()
                : Optional.of(("both sides of the join are read twice, but shuffles are not reused; set %s to true, or "
                                + "write both sides to storage first")
                        .formatted(SQLConf.EXCHANGE_REUSE_ENABLED().key()));
    }

    /**
     * Whether both sides may be read twice. Without shuffle reuse, this requires that they are cheap to read:
     * otherwise, a side would be computed twice, and a {@code LIMIT} might return different rows.
     */
    private static boolean mayReadTwice(Join join) {
        return SQLConf.get().exchangeReuseEnabled() || JoinSide.isCheap(join.left()) && JoinSide.isCheap(join.right());
    }

    private static boolean isSupported(JoinType type) {
        return type instanceof ExistenceJoin
                || Stream.of(
                                Inner$.MODULE$,
                                Cross$.MODULE$,
                                LeftOuter$.MODULE$,
                                RightOuter$.MODULE$,
                                LeftSemi$.MODULE$,
                                LeftAnti$.MODULE$)
                        .anyMatch(type::equals);
    }
}
