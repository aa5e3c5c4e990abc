package dev.bellman.plan;

import dev.bellman.plan.catalyst.NodeOfElements;
import dev.bellman.plan.catalyst.Scala;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * All columns of a shuffled plan that occurs twice in a query. While both read the same columns, Spark shuffles once:
 * costly work is done once, and nondeterministic results, such as the rows of a {@code LIMIT}, are the same in both
 * places.
 * This node keeps the optimizer from pruning the columns of one of them.
 */
public final class EvaluatedOnce extends LogicalPlan implements NodeOfElements {
    private static final long serialVersionUID = 1L;

    private final LogicalPlan child;

    public EvaluatedOnce(LogicalPlan child) {
        this.child = child;
    }

    /** Rows with a shuffle of their own. */
    public static EvaluatedOnce shuffled(LogicalPlan rows) {
        return new EvaluatedOnce(new RepartitionByExpression(Scala.seq(), rows, Option.empty(), Option.empty()));
    }

    LogicalPlan child() {
        return child;
    }

    @Override
    public Seq<Attribute> output() {
        return child.output();
    }

    @Override
    public AttributeSet references() {
        return child.outputSet();
    }

    @Override
    public Seq<LogicalPlan> children() {
        return Scala.seq(child);
    }

    @Override
    public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
        return new EvaluatedOnce(newChildren.head());
    }

    @Override
    public Object[] elements() {
        return new Object[] {child};
    }

    @Override
    public boolean equals(Object other) {
        return isSame(other);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(elements());
    }
}
