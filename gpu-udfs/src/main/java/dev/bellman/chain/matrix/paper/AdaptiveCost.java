package dev.bellman.chain.matrix.paper;

import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.SolverCall;

/**
 * A call of {@code matrix_chain_cost} by an adaptive strategy with a chosen phase, for the benchmark of the paper.
 *
 * @param firstSharedPhase the phase from which on {@link AdaptiveMapping} splits threads
 */
public record AdaptiveCost(SolverCall call, int firstSharedPhase) implements ColumnarFunction {}
