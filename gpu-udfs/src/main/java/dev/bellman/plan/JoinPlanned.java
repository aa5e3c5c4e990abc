package dev.bellman.plan;

import dev.bellman.join.JoinPlan;
import org.apache.spark.scheduler.SparkListenerEvent;

/** Tells Spark's listeners how a join on edit distance will be done and what it expects, before it searches. */
public record JoinPlanned(JoinPlan plan) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
