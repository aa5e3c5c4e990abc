package dev.bellman.recurrence.paper;

/** The strategies of the paper; {@code SimplifiedDp.Strategy} says what each is. */
public enum PaperStrategy {
    SEQUENTIAL,
    TOURNAMENT,
    NAIVE_PARALLEL,
    PIPELINE,
    PIPELINE_2X2
}
