package dev.bellman.align.subsequence.paper;

/** Zhao's strategies; {@code ShortestCommonSupersequence.Strategy} says what each is. */
public enum PaperStrategy {
    SERIAL,
    ANTI_DIAGONAL,
    ROW_WISE,
    ROW_WISE_PERSISTENT
}
