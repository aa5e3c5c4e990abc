package dev.bellman.plan;

import dev.bellman.join.JoinPlan;
import org.apache.spark.scheduler.SparkListenerEvent;

/** Notifies Spark's listeners, before the search, of the plan and expected result of a join on edit distance. */
public record JoinPlanned(JoinPlan plan) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
