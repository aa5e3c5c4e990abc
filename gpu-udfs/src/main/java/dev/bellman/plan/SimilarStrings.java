package dev.bellman.plan;

import dev.bellman.join.JoinMethod;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The pairs of strings of both sides of a join within {@code k} edits.
 *
 * <p>The child has each distinct string once: the string, its group if there are groups, and the rows of the left and of the right side that have it.
 * The output is the left string, the right string, and the group if there are groups. Groups are hashes: pairs of different groups may share one, and
 * whoever joins rows to the strings must tell them apart.
 */
public final class SimilarStrings extends LogicalPlan implements NodeOfElements {
    private static final long serialVersionUID = 1L;

    private final int k;
    private final boolean oneOrder;
    private final JoinMethod method;
    private final long maxPairs;
    private final Seq<Attribute> input;
    private final Seq<Attribute> output;
    private final LogicalPlan child;

    /**
     * @param k the most edits
     * @param oneOrder whether both sides are the same rows, and of two rows only one order comes out, and no row with itself
     * @param maxPairs the join is refused if more pairs of rows are expected
     * @param input the columns of the child
     */
    public SimilarStrings(
            int k,
            boolean oneOrder,
            JoinMethod method,
            long maxPairs,
            Seq<Attribute> input,
            Seq<Attribute> output,
            LogicalPlan child) {
        this.k = k;
        this.oneOrder = oneOrder;
        this.method = method;
        this.maxPairs = maxPairs;
        this.input = input;
        this.output = output;
        this.child = child;
    }

    int k() {
        return k;
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

    LogicalPlan child() {
        return child;
    }

    @Override
    public Seq<Attribute> output() {
        return output;
    }

    @Override
    public AttributeSet producedAttributes() {
        return outputSet();
    }

    @Override
    public Seq<LogicalPlan> children() {
        return Scala.seq(child);
    }

    @Override
    public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
        return new SimilarStrings(k, oneOrder, method, maxPairs, input, output, newChildren.head());
    }

    /** Unknown in advance: assumed as large as all pairs, so that it is not broadcast by mistake. */
    @Override
    public Statistics stats() {
        Statistics of = child.stats();
        return new Statistics(of.sizeInBytes().$times(of.sizeInBytes()), Option.empty(), of.attributeStats(), false);
    }

    @Override
    public Object[] elements() {
        return new Object[] {k, oneOrder, method, maxPairs, input, output, child};
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
