package dev.bellman.entry;

import java.util.Set;

/** Describes how the results of a function's strategies differ. By default, all strategies return the same results. */
public interface StrategyTraits<S extends Enum<S>> {
    /**
     * Whether the strategy always returns the result that the documentation defines; otherwise, it may return a
     * different solution.
     */
    default boolean answersAsDefined(S strategy) {
        return true;
    }

    /** Returns the strategy that the CPU runs instead of a strategy that is meant for GPUs. */
    default S onCpu(S strategy) {
        return strategy;
    }

    /** Returns the traits of strategies that all return the same results. */
    static <S extends Enum<S>> StrategyTraits<S> none() {
        return new StrategyTraits<>() {};
    }

    /** Returns the traits of strategies if only the given ones return the defined result. */
    static <S extends Enum<S>> StrategyTraits<S> asDefinedBy(Set<? extends S> strategies) {
        return new StrategyTraits<>() {
            @Override
            public boolean answersAsDefined(S strategy) {
                return strategies.contains(strategy);
            }
        };
    }
}
