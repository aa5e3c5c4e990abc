package dev.bellman.chain.matrix;

import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.entry.StrategyTraits;

/** The traits of the strategies: Hu and Shing's algorithm may find a different optimal order. */
enum ChainTraits implements StrategyTraits<Strategy> {
    /** For functions that return only the cost, which is the same. */
    COST,
    /** For functions that return the order. */
    ORDER;

    @Override
    public boolean answersAsDefined(Strategy strategy) {
        return this == COST || strategy != Strategy.HU_SHING;
    }

    /** Returns the strategy on a CPU, where the published GPU strategies run the table's algorithm. */
    @Override
    public Strategy onCpu(Strategy strategy) {
        return strategy.compareTo(Strategy.SOLOMON) < 0 ? strategy : Strategy.TABLE;
    }
}
