package dev.bellman.plan;

import dev.bellman.join.JoinPlan;
import org.apache.spark.scheduler.SparkListenerEvent;

/** Notifies Spark's listeners, before the search, of the plan of a join on edit distance and its expected result. */
public record JoinPlanned(JoinPlan plan) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
