package dev.bellman.plan;

import dev.bellman.join.JoinPlan;
import org.apache.spark.scheduler.SparkListenerEvent;

/** Notifies Spark's listeners, before the search of a join on edit distance, of the join's plan and expected result. */
public record JoinPlanned(JoinPlan plan) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
