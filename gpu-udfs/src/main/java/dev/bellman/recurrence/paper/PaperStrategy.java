package dev.bellman.recurrence.paper;

/** The strategies by Matsumae and Miyazaki (2018), which are described in {@code SimplifiedDp.Strategy}. */
public enum PaperStrategy {
    SEQUENTIAL,
    TOURNAMENT,
    NAIVE_PARALLEL,
    PIPELINE,
    PIPELINE_2X2
}
