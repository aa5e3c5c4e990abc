package dev.bellman.entry;

import java.util.Set;

/** How the strategies of a function differ in their answers. By default they do not. */
public interface StrategyTraits<S extends Enum<S>> {
    /** Whether the strategy returns the defined answer rather than a different, equally good one. */
    default boolean answersAsDefined(S strategy) {
        return true;
    }

    /** Returns the strategy that the CPU uses instead of one that is meant for GPUs. */
    default S onCpu(S strategy) {
        return strategy;
    }

    /** Returns the traits of strategies that all return the same answers. */
    static <S extends Enum<S>> StrategyTraits<S> none() {
        return new StrategyTraits<>() {};
    }

    /** Returns the traits of strategies of which only the given ones return the defined answer. */
    static <S extends Enum<S>> StrategyTraits<S> asDefinedBy(Set<? extends S> strategies) {
        return new StrategyTraits<>() {
            @Override
            public boolean answersAsDefined(S strategy) {
                return strategies.contains(strategy);
            }
        };
    }
}
