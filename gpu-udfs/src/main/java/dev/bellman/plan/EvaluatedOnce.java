package dev.bellman.plan;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * All columns of a shuffled plan that occurs twice in a query. While both read the same columns, Spark shuffles once: costly work is done once, and
 * nondeterministic results, such as those of {@code LIMIT}, are the same in both places. This node keeps the optimizer from pruning the columns of
 * one of them.
 */
public final class EvaluatedOnce extends LogicalPlan {
    private static final long serialVersionUID = 1L;

    private final LogicalPlan child;

    public EvaluatedOnce(LogicalPlan child) {
        this.child = child;
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
    public Object productElement(int n) {
        return Scala.element(n, child);
    }

    @Override
    public int productArity() {
        return 1;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof EvaluatedOnce;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EvaluatedOnce once && child.equals(once.child);
    }

    @Override
    public int hashCode() {
        return 31 * child.hashCode() + 7;
    }
}
