package dev.bellman.job;

import dev.bellman.Strategies;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run did: {@code _bellman/report.json}, and its summary in a line. */
record Report(
        Job job,
        long rowsIn,
        long rowsOut,
        long rowsSetAside,
        long cells,
        Map<String, Engine> engines,
        String strategy,
        Optional<Verifier.Agreement> verified,
        Phases phases) {

    String json() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        report.put("versions", Versions.all());
        Map<String, Object> functions = new LinkedHashMap<>();
        engines.forEach((function, engine) -> functions.put(
                function, new TreeMap<>(Map.of("engine", Strategies.name(engine), "strategy", strategy))));
        report.put("functions", functions);
        report.put("rowsIn", rowsIn);
        report.put("rowsOut", rowsOut);
        report.put("rowsLeftOut", rowsIn - rowsOut - rowsSetAside);
        report.put("rowsSetAside", rowsSetAside);
        report.put("cells", cells);
        verified.ifPresent(agreement -> report.put("verified", agreement.describe()));
        report.put("seconds", phases.seconds());
        report.put("rowsPerSecond", perSecond(rowsIn));
        report.put("cellsPerSecond", perSecond(cells));
        return Descriptions.json(report);
    }

    /** Rows, time, throughput and engines in a line. */
    String summary() {
        String ran = engines.entrySet().stream()
                .map(entry -> "%s on %s"
                        .formatted(
                                entry.getKey(),
                                Strategies.name(entry.getValue()).toUpperCase(Locale.ROOT)))
                .collect(Collectors.joining(", "));
        String aside = rowsSetAside > 0 ? " (%,d set aside)".formatted(rowsSetAside) : "";
        String kept = Choice.isMade(job) ? ", %,d written".formatted(rowsOut) : "";
        return String.format(
                Locale.ROOT,
                "%,d rows%s%s in %.2f s: %s rows/s, %s cells/s; %s, strategy %s%s",
                rowsIn,
                aside,
                kept,
                seconds(),
                scaled(perSecond(rowsIn)),
                scaled(perSecond(cells)),
                ran,
                strategy,
                verified.map(agreement -> "; " + agreement).orElse(""));
    }

    private double seconds() {
        return phases.of("solve");
    }

    private double perSecond(long count) {
        return count / seconds();
    }

    /** Three digits and a unit prefix: {@code 12.3 M}. */
    static String scaled(double value) {
        String[] prefixes = {"", " k", " M", " G", " T", " P"};
        int at = 0;
        double rest = value;
        while (rest >= 999.5 && at < prefixes.length - 1) {
            rest /= 1000;
            at++;
        }
        int decimals = rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f%s", rest, prefixes[at]);
    }
}
