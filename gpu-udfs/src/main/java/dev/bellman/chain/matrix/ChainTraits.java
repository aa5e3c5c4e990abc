package dev.bellman.chain.matrix;

import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.entry.StrategyTraits;

/** Describes how the strategies differ: Hu and Shing's algorithm may find a different optimal order. */
enum ChainTraits implements StrategyTraits<Strategy> {
    /** The traits for functions that return only the cost, which is the same for all strategies. */
    COST,
    /** The traits for functions that return the order. */
    ORDER;

    @Override
    public boolean answersAsDefined(Strategy strategy) {
        return this == COST || strategy != Strategy.HU_SHING;
    }

    /** Returns the strategy that a CPU runs: the published GPU strategies are replaced with {@code TABLE}. */
    @Override
    public Strategy onCpu(Strategy strategy) {
        return strategy.compareTo(Strategy.SOLOMON) < 0 ? strategy : Strategy.TABLE;
    }
}
