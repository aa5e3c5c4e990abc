package dev.bellman.plan;

import dev.bellman.plan.catalyst.Scala;
import dev.bellman.plan.components.ConnectedComponents;
import dev.bellman.plan.components.ConnectedComponentsExec;
import dev.bellman.plan.training.HmmTraining;
import dev.bellman.plan.training.HmmTrainingExec;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** Plans the nodes that {@link SimilarityJoin} and table functions create. */
public final class SimilarityStrategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        if (plan instanceof SimilarStrings pairs) {
            Rehearsal.prepare(pairs);
            return Scala.seq(SimilarStringsExec.of(pairs, planLater(pairs.child())));
        }
        if (plan instanceof ConnectedComponents components) {
            return Scala.seq(ConnectedComponentsExec.of(components, planLater(components.child())));
        }
        if (plan instanceof HmmTraining training) {
            return Scala.seq(new HmmTrainingExec(training.output(), training.goal(), planLater(training.child())));
        }
        return plan instanceof EvaluatedOnce once ? Scala.seq(planLater(once.child())) : Scala.<SparkPlan>seq();
    }
}
