package dev.bellman.function;

import dev.bellman.Strategies;
import java.util.List;
import org.apache.spark.sql.internal.SQLConf;

/** A dynamic-programming problem: the functions that solve it share a name for their strategies. */
public record Problem<S extends Enum<S>>(String name, Class<S> strategyType) {
    public List<String> strategies() {
        return Strategies.names(strategyType);
    }

    /** The configuration key of the strategy: {@code spark.bellman.<problem>.strategy}. */
    public String strategyKey() {
        return "spark.bellman." + name + ".strategy";
    }

    /** The strategy that the session is configured with, {@code auto} unless it says otherwise. */
    S strategy(SQLConf conf) {
        return Strategies.parse(name, strategyType, conf.getConfString(strategyKey(), "auto"));
    }
}
