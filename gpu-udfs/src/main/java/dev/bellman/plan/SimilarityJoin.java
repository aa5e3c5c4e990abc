package dev.bellman.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.join.JoinMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.DeduplicateRelations$;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Alias$;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression$;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.XxHash64;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count$;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
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
import org.apache.spark.sql.catalyst.plans.logical.JoinHint;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.BinaryType$;
import org.apache.spark.sql.types.BooleanType$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DatetimeType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import scala.Enumeration;
import scala.Option;
import scala.PartialFunction;
import scala.PartialFunction$;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Plans joins on edit distance: {@code JOIN r ON edit_distance(l.s, r.s) <= 2}, which Spark plans as a cross product.
 *
 * <p>An inner join of rows with a few columns of fixed size beside the string becomes {@link SimilarStrings}, which gets these rows and returns pairs of
 * them. The rows are in the memory of every executor, so they must fit.
 *
 * <pre>
 * SimilarStrings k=2, rows, other predicates
 *   Union: l, r
 * </pre>
 *
 * <p>Any other join becomes ordinary joins around {@link SimilarStrings}. Its input is the distinct strings of both sides with their row counts; its
 * output, pairs of strings, is joined to the rows of the right side that have one string, and the result to the rows of the left side that have the other.
 * So the rows themselves take part only in equality joins, which Spark broadcasts, shuffles, splits if skewed, and runs on a GPU like any others.
 *
 * <pre>
 * Join type, l.s = left AND groups AND other predicates
 *   l
 *   Join inner, right = r.s
 *     SimilarStrings k=2: left, right
 *       Aggregate s, count(l), count(r)
 *         Union: l.s, r.s
 *     r
 * </pre>
 *
 * <p>Equalities of the condition are groups: their hash travels with the string, and only strings with equal hashes are compared; the equalities
 * themselves are in the last join, or among the predicates of the pairs of rows. If both sides are the same, their strings are collected once.
 *
 * <p>With ordinary joins, each side is read twice. For a table or file, with or without filters and projections, that costs no more than reading
 * another column. Anything more complex is computed once and shuffled ({@link EvaluatedOnce}).
 */
public final class SimilarityJoin extends Rule<LogicalPlan> {
    public static final String ENABLED = "spark.bellman.join.enabled";
    public static final String METHOD = "spark.bellman.join.method";
    public static final String GPU = "spark.bellman.join.gpu";
    public static final String MAX_PAIRS = "spark.bellman.join.maxPairs";
    public static final String MEMORY = "spark.bellman.join.memory";
    private static final String DEFAULT_MAX_PAIRS = "2000000000";
    /** What counts as a row. */
    private static final Expression ONE = Literal.create(1, DataTypes.IntegerType);

    private static final Expression NONE = Literal.create(null, DataTypes.IntegerType);

    /** More columns of a row go through ordinary joins. */
    private static final int MOST_COLUMNS = 4;
    /** The share of the memory for strings that the rows may take, as Spark estimates them: in files they take less than in memory. */
    private static final double ROWS_SHARE = 0.25;
    /** What is left to a node of its own, which may be on a GPU. */
    private static final Seq<Enumeration.Value> FUNCTIONS_OF_USERS =
            Scala.seq(TreePattern.SCALA_UDF(), TreePattern.PYTHON_UDF(), TreePattern.PLAN_EXPRESSION());

    private final Predicate<ScalaUDF> isEditDistance;

    /** @param isEditDistance whether a function is {@code edit_distance} */
    public SimilarityJoin(Predicate<ScalaUDF> isEditDistance) {
        this.isEditDistance = isEditDistance;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        if (!Boolean.parseBoolean(SQLConf.get().getConfString(ENABLED, "true"))) {
            return plan;
        }
        return plan.transformUp(each(node -> {
            if (node instanceof Project project) {
                return narrowed(project);
            }
            if (node instanceof Filter filter && hasBoundInSubquery(filter)) {
                // EXISTS becomes a join here; otherwise that would happen after this rule
                return RewritePredicateSubquery$.MODULE$.apply(filter).transformUp(each(this::planned));
            }
            return planned(node);
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

    private boolean hasBoundInSubquery(Filter filter) {
        return SubqueryExpression$.MODULE$.hasInOrCorrelatedExistsSubquery(filter.condition())
                && filter.condition().exists(new AbstractFunction1<Expression, Object>() {
                    @Override
                    public Object apply(Expression expression) {
                        return joinConditions(expression)
                                .flatMap(SimilarityJoin::conjuncts)
                                .anyMatch(each -> EditDistanceBound.of(each, isEditDistance)
                                        .isPresent());
                    }
                });
    }

    private static Stream<Expression> joinConditions(Expression expression) {
        if (expression instanceof Exists exists) {
            return Scala.list(exists.joinCond()).stream();
        }
        return expression instanceof ListQuery list ? Scala.list(list.joinCond()).stream() : Stream.empty();
    }

    private LogicalPlan planned(LogicalPlan node) {
        return node instanceof Join join
                        && join.condition().isDefined()
                        && isSupported(join.joinType())
                        && !join.isStreaming()
                        && join.condition().get().deterministic()
                        && mayReadTwice(join)
                ? Condition.of(join, isEditDistance)
                        .map(condition -> rows(join, condition).orElseGet(() -> plan(join, condition)))
                        .orElse(join)
                : node;
    }

    /** Without reuse of shuffles, a side would be computed twice, and a {@code LIMIT} may take other rows then. */
    private static boolean mayReadTwice(Join join) {
        return SQLConf.get().exchangeReuseEnabled() || Side.isCheap(join.left()) && Side.isCheap(join.right());
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

    private static Stream<Expression> conjuncts(Expression condition) {
        return condition instanceof And and
                ? Stream.concat(conjuncts(and.left()), conjuncts(and.right()))
                : Stream.of(condition);
    }

    /**
     * The condition of a join, in its parts.
     *
     * @param left the string of the left side
     * @param leftGroup the expressions of the left side that equal {@code rightGroup}
     * @param groupKeys the columns of the groups that cannot be NULL, of both sides
     * @param rest everything but the bound on the distance, including the equalities
     */
    private record Condition(
            int k,
            Expression left,
            Expression right,
            List<Expression> leftGroup,
            List<Expression> rightGroup,
            List<Expression> groupKeys,
            List<Expression> rest) {
        static Optional<Condition> of(Join join, Predicate<ScalaUDF> isEditDistance) {
            List<Expression> conjuncts = conjuncts(join.condition().get()).toList();
            EditDistanceBound best = null;
            int place = -1;
            for (int i = 0; i < conjuncts.size(); i++) {
                Optional<EditDistanceBound> bound = EditDistanceBound.of(conjuncts.get(i), isEditDistance)
                        .filter(found -> isOf(found.one(), join.left()) && isOf(found.other(), join.right())
                                || isOf(found.other(), join.left()) && isOf(found.one(), join.right()));
                if (bound.isPresent() && (best == null || bound.get().k() < best.k())) {
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
            return Optional.of(new Condition(
                    best.k(),
                    inOrder ? best.one() : best.other(),
                    inOrder ? best.other() : best.one(),
                    leftGroup,
                    rightGroup,
                    groupKeys,
                    rest));
        }

        private static boolean isOf(Expression expression, LogicalPlan side) {
            return expression.references().nonEmpty() && expression.references().subsetOf(side.outputSet());
        }

        /** Whether equal values have equal bytes, and so equal hashes. */
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
    }

    /** A side: its rows, and a copy with fresh attributes. */
    private record Side(LogicalPlan rows, LogicalPlan again) {
        static Side of(LogicalPlan rows) {
            LogicalPlan once = isCheap(rows)
                    ? rows
                    : new EvaluatedOnce(new RepartitionByExpression(Scala.seq(), rows, Option.empty(), Option.empty()));
            LogicalPlan pair = DeduplicateRelations$.MODULE$.apply(inner(once, once, Option.empty()));
            return new Side(once, pair.children().apply(1));
        }

        /** Whether reading the rows twice is cheap and deterministic. */
        private static boolean isCheap(LogicalPlan plan) {
            return plan.deterministic()
                            && (plan instanceof Project || plan instanceof Filter)
                            && !plan.containsAnyPattern(
                                    Scala.seq(TreePattern.PYTHON_UDF(), TreePattern.PLAN_EXPRESSION()))
                    ? isCheap(plan.children().head())
                    : plan instanceof LocalRelation
                            || plan instanceof LogicalRelation
                            || plan instanceof DataSourceV2Relation
                            || plan instanceof InMemoryRelation
                            || plan instanceof Range;
        }

        /** Rewrites an expression over the rows for the copy. */
        Expression again(Expression expression) {
            return expression.transform(PartialFunction$.MODULE$.fromFunction(new AbstractFunction1<>() {
                @Override
                public Expression apply(Expression node) {
                    if (node instanceof Attribute attribute) {
                        for (int i = 0; i < rows.output().size(); i++) {
                            if (rows.output().apply(i).exprId().equals(attribute.exprId())) {
                                return (Expression) again.output().apply(i);
                            }
                        }
                    }
                    return node;
                }
            }));
        }
    }

    /**
     * A join whose node returns pairs of rows, if that is possible: an inner one of rows with a few columns of fixed size beside the strings. The node has
     * them at hand in every process, so they must fit.
     */
    private static Optional<LogicalPlan> rows(Join join, Condition condition) {
        boolean inner =
                join.joinType().equals(Inner$.MODULE$) || join.joinType().equals(Cross$.MODULE$);
        boolean same = isSame(join, condition);
        double bytes = join.left().stats().sizeInBytes().toDouble()
                + (same ? 0 : join.right().stats().sizeInBytes().toDouble());
        if (!inner
                || !isSmall(beside(join.left(), condition.left()))
                || !isSmall(beside(join.right(), condition.right()))
                || bytes > ROWS_SHARE * SimilarStringsExec.memoryOfExecutor()) {
            return Optional.empty();
        }
        List<Attribute> leftColumns = beside(join.left(), condition.left());
        List<Attribute> rightColumns = beside(join.right(), condition.right());
        Side left = new Side(join.left(), join.left());
        Side right = new Side(join.right(), join.right());
        LogicalPlan input = same
                ? occurrences(left, condition.left(), condition.leftGroup(), condition, leftColumns)
                : new Union(
                        Scala.seq(
                                occurrences(
                                        left,
                                        condition.left(),
                                        condition.leftGroup(),
                                        condition,
                                        ofSide(true, leftColumns, nulls(rightColumns))),
                                occurrences(
                                        right,
                                        condition.right(),
                                        condition.rightGroup(),
                                        condition,
                                        ofSide(false, nulls(leftColumns), rightColumns))),
                        false,
                        false);
        List<Attribute> columns =
                Stream.concat(leftColumns.stream(), rightColumns.stream()).toList();
        AttributeSet ofColumns = AttributeSet.fromAttributeSets(
                Scala.seq(columns.stream().map(Expression::references).toList()));
        Map<Boolean, List<Expression>> rest = condition.rest().stream()
                .collect(Collectors.partitioningBy(
                        each -> each.references().subsetOf(ofColumns) && !each.containsAnyPattern(FUNCTIONS_OF_USERS)));
        List<Attribute> strings = strings(condition);
        List<NamedExpression> results = Scala.list(join.output()).stream()
                .map(attribute -> attribute.semanticEquals(condition.left())
                        ? renamed(strings.get(0), attribute)
                        : attribute.semanticEquals(condition.right()) ? renamed(strings.get(1), attribute) : attribute)
                .map(NamedExpression.class::cast)
                .toList();
        LogicalPlan pairs = new SimilarStrings(
                condition.k(),
                same && hasOneOrder(join, condition),
                method(),
                maxPairs(),
                input.output(),
                Scala.seq(strings),
                Option.apply(new SimilarStrings.Rows(
                        same,
                        Scala.seq(leftColumns),
                        Scala.seq(rightColumns),
                        rest.get(true).isEmpty() ? Option.empty() : Option.apply(and(rest.get(true))))),
                Scala.seq(results),
                input);
        return Optional.of(rest.get(false).isEmpty() ? pairs : new Filter(and(rest.get(false)), pairs));
    }

    /** The columns of a side without its string. If both sides are the same, theirs correspond. */
    private static List<Attribute> beside(LogicalPlan side, Expression string) {
        return Scala.list(side.output()).stream()
                .filter(column -> !column.semanticEquals(string))
                .toList();
    }

    private static boolean isSmall(List<Attribute> columns) {
        return columns.size() <= MOST_COLUMNS
                && columns.stream().allMatch(column -> UnsafeRow.isFixedLength(column.dataType()));
    }

    private static List<Expression> ofSide(
            boolean left, List<? extends Expression> leftColumns, List<? extends Expression> rightColumns) {
        return Stream.of(
                        Stream.of(Literal.create(left, DataTypes.BooleanType)),
                        leftColumns.stream(),
                        rightColumns.stream())
                .flatMap(each -> each)
                .map(Expression.class::cast)
                .toList();
    }

    private static List<Expression> nulls(List<Attribute> columns) {
        return columns.stream()
                .<Expression>map(column -> Literal.create(null, column.dataType()))
                .toList();
    }

    /** Pairs of rows with the results that the project needs, and at least one, for RAPIDS makes small batches of rows without columns. */
    private static Project narrowed(Project project) {
        Expression condition = null;
        LogicalPlan below = project.child();
        if (below instanceof Filter filter) {
            condition = filter.condition();
            below = filter.child();
        }
        if (!(below instanceof SimilarStrings pairs) || pairs.rows().isEmpty()) {
            return project;
        }
        AttributeSet needed =
                condition == null ? project.references() : project.references().$plus$plus(condition.references());
        List<NamedExpression> all = Scala.list(pairs.results());
        List<NamedExpression> results =
                all.stream().filter(each -> needed.contains(each)).toList();
        if (results.isEmpty()) {
            results = all.stream()
                    .sorted(Comparator.comparing(each -> each instanceof Alias))
                    .limit(1)
                    .toList();
        }
        SimilarStrings fewer = pairs.withResults(Scala.seq(results));
        return new Project(project.projectList(), condition == null ? fewer : new Filter(condition, fewer));
    }

    private static LogicalPlan plan(Join join, Condition condition) {
        Side left = Side.of(join.left());
        Side right = Side.of(join.right());
        LogicalPlan strings = strings(left, right, condition, join);
        SimilarStrings pairs = pairs(strings, condition, isSame(join, condition) && hasOneOrder(join, condition));
        Expression leftString = (Expression) pairs.output().apply(0);
        Expression rightString = (Expression) pairs.output().apply(1);
        Optional<Expression> group =
                condition.isGrouped() ? Optional.of((Expression) pairs.output().apply(2)) : Optional.empty();
        boolean toRight = join.joinType().equals(RightOuter$.MODULE$);
        Side nearer = toRight ? left : right;
        Expression nearerString = toRight ? leftString : rightString;
        List<Expression> toNearer = new ArrayList<>();
        toNearer.add(new EqualTo(nearerString, toRight ? condition.left() : condition.right()));
        group.ifPresent(hash ->
                toNearer.add(new EqualTo(hash, hash(toRight ? condition.leftGroup() : condition.rightGroup()))));
        List<Expression> last = new ArrayList<>();
        last.add(toRight ? new EqualTo(rightString, condition.right()) : new EqualTo(leftString, condition.left()));
        last.addAll(condition.rest());
        boolean rowsOfRight = !condition.rest().isEmpty()
                || !(join.joinType().equals(LeftSemi$.MODULE$)
                        || join.joinType().equals(LeftAnti$.MODULE$)
                        || join.joinType() instanceof ExistenceJoin);
        LogicalPlan matches = rowsOfRight ? inner(pairs, nearer.rows(), Option.apply(and(toNearer))) : pairs;
        JoinType type = join.joinType().equals(Cross$.MODULE$) ? Inner$.MODULE$ : join.joinType();
        LogicalPlan joined = toRight
                ? new Join(matches, right.rows(), type, Option.apply(and(last)), JoinHint.NONE())
                : new Join(left.rows(), matches, type, Option.apply(and(last)), JoinHint.NONE());
        return joined.output().equals(join.output())
                ? joined
                : new Project(
                        Scala.seq(Scala.list(join.output()).stream()
                                .map(NamedExpression.class::cast)
                                .toList()),
                        joined);
    }

    private static LogicalPlan inner(LogicalPlan left, LogicalPlan right, Option<Expression> condition) {
        return new Join(left, right, Inner$.MODULE$, condition, JoinHint.NONE());
    }

    private static Expression and(List<Expression> conjuncts) {
        return conjuncts.stream().reduce(And::new).orElseThrow();
    }

    private static Expression hash(List<Expression> group) {
        return new XxHash64(Scala.seq(group));
    }

    /** Each distinct string, its group, and its row counts on the left and right side. */
    private static LogicalPlan strings(Side left, Side right, Condition condition, Join join) {
        LogicalPlan all = isSame(join, condition)
                ? occurrences(left, condition.left(), condition.leftGroup(), condition, List.of(ONE, ONE))
                : new Union(
                        Scala.seq(
                                occurrences(
                                        left, condition.left(), condition.leftGroup(), condition, List.of(ONE, NONE)),
                                occurrences(
                                        right,
                                        condition.right(),
                                        condition.rightGroup(),
                                        condition,
                                        List.of(NONE, ONE))),
                        false,
                        false);
        List<Attribute> columns = Scala.list(all.output());
        int keys = condition.isGrouped() ? 2 : 1;
        List<NamedExpression> outputs = new ArrayList<>();
        columns.subList(0, keys).forEach(key -> outputs.add((NamedExpression) key));
        outputs.add(alias(Count$.MODULE$.apply((Expression) columns.get(keys)).toAggregateExpression(), "left_rows"));
        outputs.add(
                alias(Count$.MODULE$.apply((Expression) columns.get(keys + 1)).toAggregateExpression(), "right_rows"));
        LogicalPlan distinct = new Aggregate(
                Scala.seq(columns.subList(0, keys).stream()
                        .map(Expression.class::cast)
                        .toList()),
                Scala.seq(outputs),
                all,
                Option.empty());
        return ColumnPruning$.MODULE$.apply(distinct);
    }

    /** Whether both sides have the same rows, strings and groups. */
    private static boolean isSame(Join join, Condition condition) {
        return join.left().sameResult(join.right())
                && isSame(join, condition.left(), condition.right())
                && Stream.iterate(0, i -> i < condition.leftGroup().size(), i -> i + 1)
                        .allMatch(i -> isSame(
                                join,
                                condition.leftGroup().get(i),
                                condition.rightGroup().get(i)));
    }

    /** Whether the condition has {@code l.x < r.x} or {@code l.x > r.x}, if both sides are the same. */
    private static boolean hasOneOrder(Join join, Condition condition) {
        return condition.rest().stream()
                .filter(each -> each instanceof LessThan || each instanceof GreaterThan)
                .map(each -> Scala.list(each.children()))
                .anyMatch(each -> Condition.isOf(each.get(0), join.left())
                        ? Condition.isOf(each.get(1), join.right()) && isSame(join, each.get(0), each.get(1))
                        : Condition.isOf(each.get(0), join.right())
                                && Condition.isOf(each.get(1), join.left())
                                && isSame(join, each.get(1), each.get(0)));
    }

    /** Whether an expression of the right side is the same as one of the left, if both sides are the same. */
    private static boolean isSame(Join join, Expression left, Expression right) {
        Expression moved = new Side(join.right(), join.left()).again(right);
        return moved.canonicalized().equals(left.canonicalized());
    }

    /** The rows of a side that may be in a pair: their string, their group, and {@code beside}. */
    private static LogicalPlan occurrences(
            Side side,
            Expression string,
            List<Expression> group,
            Condition condition,
            List<? extends Expression> beside) {
        List<Expression> present = new ArrayList<>();
        present.add(new IsNotNull(side.again(string)));
        condition.groupKeys().stream()
                .filter(key -> key.references().subsetOf(side.rows().outputSet()))
                .forEach(key -> present.add(new IsNotNull(side.again(key))));
        List<NamedExpression> columns = new ArrayList<>();
        columns.add(alias(side.again(string), "string"));
        if (condition.isGrouped()) {
            columns.add(alias(hash(group.stream().map(side::again).toList()), "group"));
        }
        beside.forEach(each -> columns.add(alias(side.again(each), "beside")));
        return new Project(Scala.seq(columns), new Filter(and(present), side.again()));
    }

    private static Alias renamed(Attribute string, Attribute name) {
        return alias(string, name.name(), name.exprId());
    }

    private static Alias alias(Expression expression, String name) {
        return alias(expression, name, NamedExpression$.MODULE$.newExprId());
    }

    private static Alias alias(Expression expression, String name, ExprId id) {
        return new Alias(
                expression,
                name,
                id,
                Alias$.MODULE$.$lessinit$greater$default$4(expression, name),
                Option.empty(),
                Alias$.MODULE$.$lessinit$greater$default$6(expression, name));
    }

    private static SimilarStrings pairs(LogicalPlan distinct, Condition condition, boolean oneOrder) {
        Seq<Attribute> strings = Scala.seq(strings(condition));
        return new SimilarStrings(
                condition.k(),
                oneOrder,
                method(),
                maxPairs(),
                distinct.output(),
                strings,
                Option.empty(),
                Scala.seq(Scala.list(strings)),
                distinct);
    }

    /** The left string, the right string, and the group if there are groups. */
    private static List<Attribute> strings(Condition condition) {
        List<Attribute> output = new ArrayList<>();
        output.add(attribute("left_string", DataTypes.StringType));
        output.add(attribute("right_string", DataTypes.StringType));
        if (condition.isGrouped()) {
            output.add(attribute("group", DataTypes.LongType));
        }
        return output;
    }

    private static Attribute attribute(String name, DataType type) {
        return new AttributeReference(
                name,
                type,
                false,
                org.apache.spark.sql.types.Metadata.empty(),
                NamedExpression$.MODULE$.newExprId(),
                Scala.<String>seq());
    }

    private static JoinMethod method() {
        return Strategies.parse(
                "spark.bellman.join.method", JoinMethod.class, SQLConf.get().getConfString(METHOD, "auto"));
    }

    private static long maxPairs() {
        String value = SQLConf.get().getConfString(MAX_PAIRS, DEFAULT_MAX_PAIRS);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION, "%s is '%s'; it must be a number".formatted(MAX_PAIRS, value), e);
        }
    }
}
