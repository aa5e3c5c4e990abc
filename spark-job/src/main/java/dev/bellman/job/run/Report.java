package dev.bellman.job.run;

import dev.bellman.Strategies;
import dev.bellman.job.output.OutputNames;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.progress.Quantity;
import dev.bellman.job.report.Descriptions;
import dev.bellman.job.report.Origin;
import dev.bellman.job.report.Phases;
import dev.bellman.job.report.ReportPage;
import dev.bellman.job.rows.RowSelection;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The report of a run, in {@code _bellman/report.json}, {@code _bellman/runs/<time>.json} and a report page, and its
 * one-line summary.
 */
public record Report(
        Job job,
        Origin origin,
        Outcome outcome,
        String strategy,
        Optional<Verifier.Agreement> verified,
        Phases phases,
        String fingerprint,
        Map<String, String> versions,
        Map<String, Object> machine,
        Optional<ThroughputLimit> limit,
        boolean hasGpu,
        Map<String, Object> details) {
    private static final String LAST = "_bellman/report.json";
    private static final String PAGE = "_bellman/report.html";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Writes the report of a run three times: among the earlier reports, as the latest report, and as a page. */
    public static void write(StagedOutput output, Instant started, String json) {
        output.write(OutputNames.run(TIME.format(started)), json);
        output.write(LAST, json);
        output.write(PAGE, ReportPage.of(json));
    }

    /** Returns the path of the report page. */
    public static String page(StagedOutput output) {
        return output.display() + "/" + PAGE;
    }

    String json() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("job", job.describe());
        origin.describe(report);
        report.put(StagedOutput.FINGERPRINT, fingerprint);
        report.put("versions", versions);
        Map<String, Object> functions = new LinkedHashMap<>();
        outcome.engines()
                .forEach((function, engine) -> functions.put(
                        function,
                        new TreeMap<>(
                                Map.of("engine", Strategies.name(engine), "strategy", strategy, "why", why(engine)))));
        report.put("functions", functions);
        report.put("rowsIn", outcome.rowsIn());
        report.put("rowsOut", outcome.rowsOut());
        report.put("rowsFiltered", outcome.rowsIn() - outcome.rowsOut() - outcome.quarantined());
        report.put("rowsQuarantined", outcome.quarantined());
        report.put("rowsRejected", outcome.rejected());
        report.put("rowsWithNull", outcome.withNull());
        report.put("cells", outcome.cells());
        if (!outcome.chosen().isEmpty()) {
            report.put("rowsByStrategy", outcome.chosen());
        }
        verified.ifPresent(agreement -> report.put("verified", agreement.describe()));
        report.put("seconds", phases.seconds());
        report.put("rowsPerSecond", perSecond(outcome.rowsIn()));
        report.put("cellsPerSecond", perSecond(outcome.cells()));
        report.put("machine", machine);
        limit.ifPresent(found -> report.put("throughputLimit", found.describe()));
        report.put("summary", summary());
        report.putAll(details);
        return Descriptions.json(report);
    }

    private String why(Engine ran) {
        if (job.get(JobKeys.ENGINE) != Engine.AUTO) {
            return "the job sets engine: " + Strategies.name(job.get(JobKeys.ENGINE));
        }
        if (ran == Engine.GPU) {
            return "the session has a GPU";
        }
        return hasGpu
                ? "RAPIDS left the function on the CPU; with engine: gpu, the run stops and prints the reason"
                : "the session has no GPU";
    }

    /** Returns one line with rows, time, throughput and engines. */
    String summary() {
        String ran = outcome.engines().entrySet().stream()
                .map(entry -> "%s on %s"
                        .formatted(
                                entry.getKey(),
                                Strategies.name(entry.getValue()).toUpperCase(Locale.ROOT)))
                .collect(Collectors.joining(", "));
        List<String> without = new ArrayList<>();
        if (outcome.quarantined() > 0) {
            without.add("%,d quarantined".formatted(outcome.quarantined()));
        }
        if (outcome.rejected() > 0) {
            without.add("%,d rejected: their results are NULL".formatted(outcome.rejected()));
        }
        if (outcome.withNull() > 0) {
            without.add("%,d with a NULL argument: %s"
                    .formatted(
                            outcome.withNull(), job.get(JobKeys.OUTPUT_SKIP_EXISTING) ? "not written" : "no result"));
        }
        String aside = without.isEmpty() ? "" : without.stream().collect(Collectors.joining("; ", " (", ")"));
        String kept = RowSelection.isMade(job) ? ", %,d written".formatted(outcome.rowsOut()) : "";
        String rates =
                outcome.rowsIn() == 0 ? "" : ": %s rows/s".formatted(Quantity.scaled(perSecond(outcome.rowsIn())));
        String cellRates =
                outcome.cells() == 0 ? "" : ", %s cells/s".formatted(Quantity.scaled(perSecond(outcome.cells())));
        return "%s%s%s in %s%s%s%s%s"
                .formatted(
                        Quantity.count(outcome.rowsIn(), "row"),
                        aside,
                        kept,
                        Quantity.duration(seconds()),
                        rates,
                        cellRates,
                        outcome.engines().isEmpty() ? "" : "; %s, strategy %s%s".formatted(ran, strategy, choices()),
                        verified.map(agreement -> "; " + agreement).orElse(""));
    }

    private String choices() {
        return outcome.chosen().isEmpty()
                ? ""
                : outcome.chosen().entrySet().stream()
                        .map(entry -> "%s %,d".formatted(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private double seconds() {
        return phases.of("solve");
    }

    private double perSecond(long count) {
        return count / seconds();
    }
}
