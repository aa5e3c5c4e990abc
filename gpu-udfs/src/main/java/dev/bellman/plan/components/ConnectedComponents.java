package dev.bellman.plan.components;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.LogicalNode;
import dev.bellman.plan.catalyst.Scala;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/**
 * Finds the connected components of a graph whose edges are rows of two numbers: for each node, the smallest node
 * number in its component and the number of the node's edges. Each task reduces its edges to a forest, and one task
 * merges the forests.
 */
public final class ConnectedComponents extends LogicalNode {
    private static final long serialVersionUID = 1L;

    private final Seq<Attribute> output;

    public ConnectedComponents(Seq<Attribute> output, LogicalPlan child) {
        super(child);
        this.output = output;
    }

    /**
     * Returns a plan with the columns {@code node}, {@code component} and {@code neighbours}.
     *
     * @param edges two columns of BIGINT without NULL
     */
    public static LogicalPlan of(LogicalPlan edges) {
        List<Attribute> columns = List.of(
                Expressions.attribute("node", DataTypes.LongType),
                Expressions.attribute("component", DataTypes.LongType),
                Expressions.attribute("neighbours", DataTypes.LongType));
        // add aliases, so that Spark can distinguish two uses of one plan
        List<NamedExpression> named = columns.stream()
                .<NamedExpression>map(column -> Expressions.alias(column, column.name()))
                .toList();
        return new Project(Scala.seq(named), new ConnectedComponents(Scala.seq(columns), edges));
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
    protected LogicalPlan withChild(LogicalPlan its) {
        return new ConnectedComponents(output, its);
    }

    @Override
    public Object[] elements() {
        return new Object[] {output, child()};
    }
}
