package dev.bellman.entry;

import dev.bellman.Strategies;
import java.util.List;

/**
 * A dynamic-programming problem. All functions that solve the same problem share one setting for their strategy.
 *
 * @param textbook the simplest strategy, which is used to verify the others
 */
public record Problem<S extends Enum<S>>(String name, Class<S> strategyType, S textbook) {
    public List<String> strategies() {
        return Strategies.names(strategyType);
    }

    /** Returns the configuration key of the strategy: {@code spark.bellman.<problem>.strategy}. */
    public String strategyKey() {
        return strategyKey(name);
    }

    /** Returns the configuration key for the strategy of a problem or function. */
    public static String strategyKey(String name) {
        return "spark.bellman." + name + ".strategy";
    }

    /** Returns the strategy with the given name. */
    public S strategy(String strategy) {
        return Strategies.parse(name, strategyType, strategy);
    }
}
