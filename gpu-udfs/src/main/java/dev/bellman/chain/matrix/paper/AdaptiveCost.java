package dev.bellman.chain.matrix.paper;

import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.SolverCall;

/**
 * A call of {@code matrix_chain_cost} with an adaptive strategy and a chosen phase, for the paper's benchmark.
 *
 * @param firstSharedPhase the phase from which on {@link AdaptiveMapping} splits threads
 */
public record AdaptiveCost(SolverCall call, int firstSharedPhase) implements ColumnarFunction {}
