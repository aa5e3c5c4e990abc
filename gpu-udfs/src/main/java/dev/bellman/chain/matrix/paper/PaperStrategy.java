package dev.bellman.chain.matrix.paper;

/** The published strategies, which are described in {@code MatrixChain.Strategy}. */
public enum PaperStrategy {
    SOLOMON,
    SOLOMON_COALESCED,
    ADAPTIVE,
    ADAPTIVE_TYPE_0,
    ADAPTIVE_TYPE_1,
    DIAGONAL,
    PIPELINE,
    PIPELINE_DELAYED
}
