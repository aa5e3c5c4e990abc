package dev.bellman.entry;

import java.util.Set;

/** Describes how the answers of a function's strategies differ. By default, all strategies return the same answers. */
public interface StrategyTraits<S extends Enum<S>> {
    /**
     * Whether the strategy returns the answer that the documentation defines, rather than a different optimal answer.
     */
    default boolean answersAsDefined(S strategy) {
        return true;
    }

    /** Returns the strategy that the CPU uses instead of a strategy that is intended for GPUs. */
    default S onCpu(S strategy) {
        return strategy;
    }

    /** Returns the traits of strategies that all return the same answers. */
    static <S extends Enum<S>> StrategyTraits<S> none() {
        return new StrategyTraits<>() {};
    }

    /** Returns traits according to which only the given strategies return the defined answer. */
    static <S extends Enum<S>> StrategyTraits<S> asDefinedBy(Set<? extends S> strategies) {
        return new StrategyTraits<>() {
            @Override
            public boolean answersAsDefined(S strategy) {
                return strategies.contains(strategy);
            }
        };
    }
}
