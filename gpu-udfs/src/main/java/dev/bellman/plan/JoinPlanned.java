package dev.bellman.plan;

import dev.bellman.join.JoinPlan;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Notifies Spark's listeners of the plan and the expected result of a join on close strings, before the search begins.
 */
public record JoinPlanned(JoinPlan plan) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
