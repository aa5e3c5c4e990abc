package dev.bellman.job.run;

import dev.bellman.job.plan.Engine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of solving some instances.
 *
 * @param rejected the number of bad rows whose results are NULL because {@code onBadRow: null} allows this
 * @param withNull the number of input rows that have a NULL argument, and therefore either have NULL results or, if
 *     only new rows are requested, are not written
 */
record Outcome(
        long solved,
        long rowsOut,
        long quarantined,
        long rejected,
        long withNull,
        long cells,
        Map<String, Long> chosen,
        double seconds,
        Map<String, Engine> engines) {
    static final Outcome NONE = new Outcome(0, 0, 0, 0, 0, 0, Map.of(), 0, Map.of());

    /** Returns the number of rows that were solved or quarantined. */
    long rowsIn() {
        return solved + quarantined;
    }

    Outcome and(Outcome other) {
        Map<String, Engine> both = new LinkedHashMap<>(engines);
        // a function that ran on both engines does not count as running on the GPU
        other.engines.forEach((name, engine) -> both.merge(name, engine, (one, two) -> one == two ? one : Engine.CPU));
        Map<String, Long> chosenByBoth = new TreeMap<>(chosen);
        other.chosen.forEach((strategy, rows) -> chosenByBoth.merge(strategy, rows, Long::sum));
        return new Outcome(
                solved + other.solved,
                rowsOut + other.rowsOut,
                quarantined + other.quarantined,
                rejected + other.rejected,
                withNull + other.withNull,
                cells + other.cells,
                chosenByBoth,
                seconds + other.seconds,
                both);
    }

    Map<String, Object> summary() {
        Map<String, String> names = new LinkedHashMap<>();
        engines.forEach((name, engine) -> names.put(name, engine.name()));
        return Map.of(
                "rejected", rejected,
                "withNull", withNull,
                "solved", solved,
                "rowsOut", rowsOut,
                "quarantined", quarantined,
                "cells", cells,
                "chosen", chosen,
                "seconds", seconds,
                "engines", names);
    }

    static Outcome of(Map<String, Object> summary) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        ((Map<?, ?>) summary.get("engines"))
                .forEach((name, engine) -> engines.put((String) name, Engine.valueOf((String) engine)));
        Map<String, Long> chosen = new TreeMap<>();
        ((Map<?, ?>) summary.get("chosen"))
                .forEach((strategy, rows) -> chosen.put((String) strategy, ((Number) rows).longValue()));
        return new Outcome(
                number(summary, "solved").longValue(),
                number(summary, "rowsOut").longValue(),
                number(summary, "quarantined").longValue(),
                number(summary, "rejected").longValue(),
                number(summary, "withNull").longValue(),
                number(summary, "cells").longValue(),
                chosen,
                number(summary, "seconds").doubleValue(),
                engines);
    }

    private static Number number(Map<String, Object> summary, String name) {
        return (Number) summary.get(name);
    }
}
