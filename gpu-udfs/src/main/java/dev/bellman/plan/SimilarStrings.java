package dev.bellman.plan;

import dev.bellman.join.JoinMethod;
import dev.bellman.join.measure.Measure;
import dev.bellman.plan.catalyst.LogicalNode;
import dev.bellman.plan.catalyst.Scala;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Finds the pairs of close strings from both sides of a join, or the pairs of rows with such strings.
 *
 * <p>For pairs of strings, the child returns each distinct string once or, if there are groups, each distinct string of
 * each group once, with its row counts on the left and right sides. The output consists of the left string, the right
 * string, and the group if there are groups. Groups are represented by hashes, which different groups may share, so
 * code that joins rows to the strings must compare the groups themselves.
 *
 * <p>For pairs of rows (if {@link Rows} is present), the child returns each row of both sides with its string, its
 * group if there are groups, its side unless both sides are the same, and its columns. The output consists of the pairs
 * of rows for which the condition holds.
 */
public final class SimilarStrings extends LogicalNode {
    private static final long serialVersionUID = 1L;

    private final Measure measure;
    private final boolean oneOrder;
    private final JoinMethod method;
    private final long maxPairs;
    private final Seq<Attribute> input;
    private final Seq<Attribute> strings;
    private final Option<Rows> rows;
    private final Seq<NamedExpression> results;

    /**
     * Describes the columns of the pairs of rows. If both sides are the same, their rows have the same columns under
     * different names.
     *
     * @param same whether both sides are the same
     * @param condition the condition on the columns; none if every pair of rows counts
     */
    record Rows(boolean same, Seq<Attribute> left, Seq<Attribute> right, Option<Expression> condition)
            implements Serializable {}

    /**
     * @param measure the condition under which two strings are a pair
     * @param oneOrder whether both sides are the same rows and each pair of different rows counts in only one order
     * @param maxPairs the maximum expected number of row pairs; if more are expected, the join fails
     * @param input the columns of the child
     * @param strings the left string, the right string, and the group if there are groups
     * @param rows the columns of pairs of rows; none for pairs of strings
     * @param results the expressions over the strings and the columns of the rows
     */
    public SimilarStrings(
            Measure measure,
            boolean oneOrder,
            JoinMethod method,
            long maxPairs,
            Seq<Attribute> input,
            Seq<Attribute> strings,
            Option<Rows> rows,
            Seq<NamedExpression> results,
            LogicalPlan child) {
        super(child);
        this.measure = measure;
        this.oneOrder = oneOrder;
        this.method = method;
        this.maxPairs = maxPairs;
        this.input = input;
        this.strings = strings;
        this.rows = rows;
        this.results = results;
    }

    Measure measure() {
        return measure;
    }

    boolean oneOrder() {
        return oneOrder;
    }

    JoinMethod method() {
        return method;
    }

    long maxPairs() {
        return maxPairs;
    }

    Seq<Attribute> input() {
        return input;
    }

    Seq<Attribute> strings() {
        return strings;
    }

    Option<Rows> rows() {
        return rows;
    }

    Seq<NamedExpression> results() {
        return results;
    }

    /** Returns the same node with fewer results. */
    SimilarStrings withResults(Seq<NamedExpression> fewer) {
        return new SimilarStrings(measure, oneOrder, method, maxPairs, input, strings, rows, fewer, child());
    }

    @Override
    public Seq<Attribute> output() {
        return Scala.seq(
                Scala.list(results).stream().map(NamedExpression::toAttribute).toList());
    }

    @Override
    public AttributeSet producedAttributes() {
        return produced(strings, rows, outputSet());
    }

    static AttributeSet produced(Seq<Attribute> strings, Option<Rows> rows, AttributeSet output) {
        AttributeSet produced = output.$plus$plus(AttributeSet.fromAttributeSets(Scala.seq(
                Scala.list(strings).stream().map(Expression::references).toList())));
        for (Rows each : Scala.list(rows.toList())) {
            for (Seq<Attribute> side : java.util.List.of(each.left(), each.right())) {
                produced = produced.$plus$plus(AttributeSet.fromAttributeSets(Scala.seq(
                        Scala.list(side).stream().map(Expression::references).toList())));
            }
        }
        return produced;
    }

    @Override
    protected LogicalPlan withChild(LogicalPlan its) {
        return new SimilarStrings(measure, oneOrder, method, maxPairs, input, strings, rows, results, its);
    }

    /**
     * Returns the size that all possible pairs would have, because the actual size is unknown in advance and Spark must
     * not broadcast the result by mistake.
     */
    @Override
    public Statistics stats() {
        Statistics of = child().stats();
        return new Statistics(of.sizeInBytes().$times(of.sizeInBytes()), Option.empty(), of.attributeStats(), false);
    }

    @Override
    public Object[] elements() {
        return new Object[] {measure, oneOrder, method, maxPairs, input, strings, rows, results, child()};
    }
}
