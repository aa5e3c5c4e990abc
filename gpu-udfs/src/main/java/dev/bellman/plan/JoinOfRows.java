package dev.bellman.plan;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.Scala;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.DataTypes;
import scala.Enumeration;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Plans a join whose node returns pairs of rows: this must be an inner join of rows with only a few columns of fixed
 * size besides the strings. Every process holds all of these rows, so they must fit in its memory.
 */
final class JoinOfRows {
    /** The maximum number of columns of a side besides the string; ordinary joins handle rows with more columns. */
    private static final int MAX_COLUMNS = 4;

    /**
     * The fraction of the string memory that the rows may take, as estimated by Spark. Spark underestimates their size,
     * because rows take less space in files than in memory.
     */
    private static final double ROWS_SHARE = 0.25;

    /** Expressions that a separate node evaluates, possibly on a GPU. */
    private static final Seq<Enumeration.Value> FUNCTIONS_OF_USERS =
            Scala.seq(TreePattern.SCALA_UDF(), TreePattern.PYTHON_UDF(), TreePattern.PLAN_EXPRESSION());

    private JoinOfRows() {}

    /** Returns the plan, or empty if the join does not have this form or its rows may need too much memory. */
    static Optional<LogicalPlan> plan(JoinCondition condition) {
        Join join = condition.join();
        boolean inner =
                join.joinType().equals(Inner$.MODULE$) || join.joinType().equals(Cross$.MODULE$);
        boolean same = condition.isSame();
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
        JoinSide left = new JoinSide(join.left(), join.left());
        JoinSide right = new JoinSide(join.right(), join.right());
        LogicalPlan input = same
                ? left.occurrences(condition.left(), condition.leftGroup(), condition, leftColumns)
                : new Union(
                        Scala.seq(
                                left.occurrences(
                                        condition.left(),
                                        condition.leftGroup(),
                                        condition,
                                        ofSide(true, leftColumns, nulls(rightColumns))),
                                right.occurrences(
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
        List<Attribute> strings = condition.strings();
        List<NamedExpression> results = Scala.list(join.output()).stream()
                .map(attribute -> attribute.semanticEquals(condition.left())
                        ? Expressions.renamed(strings.get(0), attribute)
                        : attribute.semanticEquals(condition.right())
                                ? Expressions.renamed(strings.get(1), attribute)
                                : attribute)
                .map(NamedExpression.class::cast)
                .toList();
        SimilarStrings.Rows ofPairs = new SimilarStrings.Rows(
                same,
                Scala.seq(leftColumns),
                Scala.seq(rightColumns),
                rest.get(true).isEmpty() ? Option.empty() : Option.apply(Expressions.and(rest.get(true))));
        LogicalPlan pairs = condition.pairs(input, strings, Option.apply(ofPairs), results);
        return Optional.of(rest.get(false).isEmpty() ? pairs : new Filter(Expressions.and(rest.get(false)), pairs));
    }

    /** Returns the columns of a side without its string. If both sides are the same, their columns correspond. */
    private static List<Attribute> beside(LogicalPlan side, Expression string) {
        return Scala.list(side.output()).stream()
                .filter(column -> !column.semanticEquals(string))
                .toList();
    }

    private static boolean isSmall(List<Attribute> columns) {
        return columns.size() <= MAX_COLUMNS
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

    /**
     * Restricts pairs of rows to the results that the project needs, but keeps at least one result, because RAPIDS
     * creates small batches for rows without columns.
     */
    static Project narrowed(Project project) {
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
}
