package dev.bellman.align.subsequence.paper;

/** Zhao's strategies, which are described in {@code ShortestCommonSupersequence.Strategy}. */
public enum PaperStrategy {
    SERIAL,
    ANTI_DIAGONAL,
    ROW_WISE,
    ROW_WISE_PERSISTENT
}
