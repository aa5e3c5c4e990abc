package dev.bellman.entry;

import java.util.Set;

/** How the strategies of a function differ in their answers. By default they do not. */
public interface StrategyTraits<S extends Enum<S>> {
    /** Whether the strategy returns the defined answer, and not a different one that is equally good. */
    default boolean answersAsDefined(S strategy) {
        return true;
    }

    /** The strategy that the CPU uses instead of one made for a GPU. */
    default S onCpu(S strategy) {
        return strategy;
    }

    /** All strategies return the same answers. */
    static <S extends Enum<S>> StrategyTraits<S> none() {
        return new StrategyTraits<>() {};
    }

    /** Only these strategies return the defined answer. */
    static <S extends Enum<S>> StrategyTraits<S> asDefinedBy(Set<? extends S> strategies) {
        return new StrategyTraits<>() {
            @Override
            public boolean answersAsDefined(S strategy) {
                return strategies.contains(strategy);
            }
        };
    }
}
