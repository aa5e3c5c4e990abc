package dev.bellman.plan.training;

import dev.bellman.BellmanException;
import dev.bellman.plan.catalyst.PhysicalNode;
import dev.bellman.plan.catalyst.RowError;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/** Runs {@link HmmTraining}: performs all iterations when the query starts, and returns a row with the model. */
public final class HmmTrainingExec extends PhysicalNode {
    private static final long serialVersionUID = 1L;

    private final Seq<Attribute> output;
    private final TrainingGoal goal;

    public HmmTrainingExec(Seq<Attribute> output, TrainingGoal goal, SparkPlan child) {
        super(child);
        this.output = output;
        this.goal = goal;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        SequenceType<?> type =
                SequenceType.of(child().output().head().dataType()).orElseThrow();
        try (DistributedTraining<?> training =
                DistributedTraining.of(type, child().execute().toJavaRDD(), false)) {
            if (usesRapids()) {
                training.useGpu(goal.states(), Optional.empty(), false);
            }
            TrainedModel model = training.first(goal);
            while (!goal.isReached(model.logProbabilities())) {
                model = training.next(model, goal);
            }
            InternalRow row = UnsafeProjection.create(TrainedModel.SCHEMA)
                    .apply(model.row(List.of(TrainedModel.SCHEMA.fieldNames())))
                    .copy();
            return JavaSparkContext.fromSparkContext(sparkContext())
                    .parallelize(List.of(row), 1)
                    .rdd();
        } catch (Exception failure) {
            Optional<BellmanException> rejected =
                    BellmanException.in(failure).filter(found -> found.code().isRowError());
            if (rejected.isPresent()) {
                throw new RowError(rejected.get());
            }
            throw failure;
        }
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
        return new HmmTrainingExec(output, goal, its);
    }

    @Override
    public Object[] elements() {
        return new Object[] {output, goal, child()};
    }
}
