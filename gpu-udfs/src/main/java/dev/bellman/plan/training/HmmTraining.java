package dev.bellman.plan.training;

import dev.bellman.plan.catalyst.Expressions;
import dev.bellman.plan.catalyst.LogicalNode;
import dev.bellman.plan.catalyst.Scala;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import scala.collection.immutable.Seq;

/** Fits a hidden Markov model to the sequences of a plan. The result is a single row that contains the model. */
public final class HmmTraining extends LogicalNode {
    private static final long serialVersionUID = 1L;

    private final Seq<Attribute> output;
    private final TrainingGoal goal;

    public HmmTraining(Seq<Attribute> output, TrainingGoal goal, LogicalPlan child) {
        super(child);
        this.output = output;
        this.goal = goal;
    }

    /**
     * Returns a plan with the columns of {@link TrainedModel#SCHEMA}.
     *
     * @param sequences one column, of the type that {@link SequenceType#column} returns
     */
    public static LogicalPlan of(LogicalPlan sequences, TrainingGoal goal) {
        List<Attribute> columns = Arrays.stream(TrainedModel.SCHEMA.fields())
                .map(field -> Expressions.attribute(field.name(), field.dataType()))
                .toList();
        // add aliases, so that Spark can distinguish two uses of one plan
        List<NamedExpression> named = columns.stream()
                .<NamedExpression>map(column -> Expressions.alias(column, column.name()))
                .toList();
        return new Project(Scala.seq(named), new HmmTraining(Scala.seq(columns), goal, sequences));
    }

    public TrainingGoal goal() {
        return goal;
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
        return new HmmTraining(output, goal, its);
    }

    @Override
    public Object[] elements() {
        return new Object[] {output, goal, child()};
    }
}
