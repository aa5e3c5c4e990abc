package dev.bellman.plan.catalyst;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A node of a logical plan with one child. */
public abstract class LogicalNode extends LogicalPlan implements NodeOfElements {
    private static final long serialVersionUID = 1L;

    private final LogicalPlan child;

    protected LogicalNode(LogicalPlan child) {
        this.child = child;
    }

    public final LogicalPlan child() {
        return child;
    }

    /** Returns the same node with a different child. */
    protected abstract LogicalPlan withChild(LogicalPlan its);

    @Override
    public final Seq<LogicalPlan> children() {
        return Scala.seq(child);
    }

    @Override
    public final LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
        return withChild(newChildren.head());
    }

    @Override
    public final boolean equals(Object other) {
        return isSame(other);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(elements());
    }
}
