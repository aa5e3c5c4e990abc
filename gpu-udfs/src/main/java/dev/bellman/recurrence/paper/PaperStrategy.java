package dev.bellman.recurrence.paper;

/** The strategies of the paper, which are described in {@code SimplifiedDp.Strategy}. */
public enum PaperStrategy {
    SEQUENTIAL,
    TOURNAMENT,
    NAIVE_PARALLEL,
    PIPELINE,
    PIPELINE_2X2
}
