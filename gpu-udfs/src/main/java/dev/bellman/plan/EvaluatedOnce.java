package dev.bellman.plan;

import dev.bellman.plan.catalyst.LogicalNode;
import dev.bellman.plan.catalyst.Scala;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Retains all columns of a shuffled plan that occurs twice in a query. As long as both occurrences read the same
 * columns, Spark shuffles only once: expensive work is done once, and nondeterministic results, such as the rows of a
 * {@code LIMIT}, are the same in both occurrences. This node prevents the optimizer from pruning the columns of one
 * occurrence.
 */
public final class EvaluatedOnce extends LogicalNode {
    private static final long serialVersionUID = 1L;

    public EvaluatedOnce(LogicalPlan child) {
        super(child);
    }

    /** Returns a node that shuffles the rows. */
    public static EvaluatedOnce shuffled(LogicalPlan rows) {
        return new EvaluatedOnce(new RepartitionByExpression(Scala.seq(), rows, Option.empty(), Option.empty()));
    }

    @Override
    public Seq<Attribute> output() {
        return child().output();
    }

    @Override
    public AttributeSet references() {
        return child().outputSet();
    }

    @Override
    protected LogicalPlan withChild(LogicalPlan its) {
        return new EvaluatedOnce(its);
    }

    @Override
    public Object[] elements() {
        return new Object[] {child()};
    }
}
