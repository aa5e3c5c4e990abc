package dev.bellman.plan.components;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.join.components.TaskComponents;
import dev.bellman.plan.catalyst.PhysicalNode;
import dev.bellman.plan.catalyst.Scala;
import java.util.Iterator;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/** A step of {@link ConnectedComponents}: reduces the edges of each task, or merges the forests of all tasks. */
public final class ConnectedComponentsExec extends PhysicalNode {
    private static final long serialVersionUID = 1L;

    private final Seq<Attribute> output;
    private final boolean isLast;

    public ConnectedComponentsExec(Seq<Attribute> output, boolean isLast, SparkPlan child) {
        super(child);
        this.output = output;
        this.isLast = isLast;
    }

    public static SparkPlan of(ConnectedComponents components, SparkPlan edges) {
        return new ConnectedComponentsExec(
                components.output(), true, new ConnectedComponentsExec(components.output(), false, edges));
    }

    @Override
    public RDD<InternalRow> doExecute() {
        boolean all = isLast;
        return child().execute()
                .toJavaRDD()
                .mapPartitions(edges -> components(edges, all))
                .rdd();
    }

    private static Iterator<InternalRow> components(Iterator<InternalRow> edges, boolean all) {
        int most = TaskComponents.maxNodes(TaskMemory.bytes() / 4);
        TaskComponents components = new TaskComponents(edges, most);
        if (components.hasNext() && all && edges.hasNext()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("the graph has more than %,d connected nodes, the maximum that fits in the memory of the task "
                                    + "that merges them; increase the executors' memory or, to cluster strings, run "
                                    + "a job with results: [cluster], which needs no such task")
                            .formatted(most - 2));
        }
        UnsafeRowWriter writer = new UnsafeRowWriter(3);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return components.hasNext();
            }

            @Override
            public UnsafeRow next() {
                Row node = components.next();
                writer.reset();
                for (int i = 0; i < 3; i++) {
                    writer.write(i, node.getLong(i));
                }
                return writer.getRow();
            }
        };
    }

    @Override
    public Seq<Distribution> requiredChildDistribution() {
        return isLast ? Scala.seq(AllTuples$.MODULE$) : super.requiredChildDistribution();
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
    public AttributeSet references() {
        return child().outputSet();
    }

    @Override
    protected SparkPlan withChild(SparkPlan its) {
        return new ConnectedComponentsExec(output, isLast, its);
    }

    @Override
    public String simpleString(int maxFields) {
        return "ConnectedComponents " + (isLast ? "of all tasks" : "of each task");
    }

    @Override
    public Object[] elements() {
        return new Object[] {output, isLast, child()};
    }
}
