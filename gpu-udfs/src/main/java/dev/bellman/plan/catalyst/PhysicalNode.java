package dev.bellman.plan.catalyst;

import dev.bellman.columns.Rapids;
import java.util.Arrays;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A node of a physical plan with one child. */
public abstract class PhysicalNode extends SparkPlan implements NodeOfElements {
    private static final long serialVersionUID = 1L;

    private final SparkPlan child;

    protected PhysicalNode(SparkPlan child) {
        this.child = child;
    }

    public final SparkPlan child() {
        return child;
    }

    /** Returns the same node with a different child. */
    protected abstract SparkPlan withChild(SparkPlan its);

    /** Whether RAPIDS runs the session's queries. */
    protected final boolean usesRapids() {
        return Rapids.hasGpu(sparkContext().getConf())
                && Boolean.parseBoolean(conf().getConfString("spark.rapids.sql.enabled", "true"));
    }

    @Override
    public final Seq<SparkPlan> children() {
        return Scala.seq(child);
    }

    @Override
    public final SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
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
