package dev.bellman.job.run;

import dev.bellman.job.output.PartedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.plan.FinalPlan;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.rows.Instances;
import dev.bellman.job.rows.RowSelection;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.table.LakeTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Solves the instances of a run on many rows, writes their results, and returns the outcome. */
final class Solver {
    private final RunCycle cycle;
    private final Job job;
    private final Counters counters;
    /** The table to write; empty if the output consists of files. */
    private final Optional<LakeTable> table;

    /** The number of seconds that earlier, killed runs spent on solving; 0 unless this run continues one of them. */
    private double secondsOfKilled;

    Solver(RunCycle cycle, Counters counters, Optional<LakeTable> table) {
        this.cycle = cycle;
        this.counters = counters;
        this.table = table;
        job = cycle.job();
    }

    double secondsOfKilled() {
        return secondsOfKilled;
    }

    Outcome solve(InstanceQuery query, RunOutput output) {
        return solve(query, output.files().folder(), job.get(JobKeys.NAME), total(query, 1), output);
    }

    Outcome solveInParts(InstanceQuery query, PartedOutput parts, RunOutput output, Provenance provenance) {
        int count = job.get(JobKeys.OUTPUT_PARTS);
        OptionalLong ofPart = total(query, count);
        Outcome all = Outcome.NONE;
        for (int i = 0; i < count; i++) {
            Optional<Outcome> before = parts.finished(i).map(Outcome::of);
            before.ifPresent(outcome -> {
                cycle.phases().add("solve", outcome.seconds());
                secondsOfKilled += outcome.seconds();
            });
            if (before.isEmpty()) {
                String name = "%s, part %d of %d".formatted(job.get(JobKeys.NAME), i + 1, count);
                Outcome outcome = solve(
                        new InstanceQuery(query.instances().part(i, count)), parts.folder(i), name, ofPart, output);
                // every part reads the input again
                provenance.inputMustBeUnchanged();
                parts.finish(i, outcome.summary());
                before = Optional.of(outcome);
            }
            all = all.and(before.get());
        }
        return all;
    }

    /** Returns the number of rows for the progress display, if progress is shown and the number is known. */
    private OptionalLong total(InstanceQuery query, int parts) {
        return cycle.phase(
                "count", () -> cycle.progress().isShown() ? query.instances().total(parts) : OptionalLong.empty());
    }

    /**
     * @param what the name that progress output shows for the work
     * @param total the number of rows for the progress display, if known
     */
    private Outcome solve(InstanceQuery query, String folder, String what, OptionalLong total, RunOutput output) {
        counters.reset();
        double secondsBefore = cycle.phases().of("solve");
        cycle.progress().begin(what, total);
        try {
            Optional<Long> before = Optional.empty();
            if (table.isPresent()) {
                // the run succeeds when the table is committed, so bad rows must be written before that
                before = Optional.of(cycle.phase("bad rows", () -> output.quarantine(query, Optional.empty(), folder)));
                counters.reset();
                if (job.get(JobKeys.OUTPUT_SKIP_EXISTING)
                        && output.exists()
                        && query.instances().first(1).isEmpty()) {
                    return new Outcome(
                            0, 0, before.get(), 0, withNull(query, Optional.empty()), 0, Map.of(), 0, Map.of());
                }
            }
            RunOutput.Written written = cycle.phase("solve", () -> output.write(query, folder));
            FinalPlan plan = written.plan();
            long cells = counters.cells();
            Map<String, Long> chosen = counters.choices();
            EngineCheck engines = new EngineCheck(plan);
            if (job.get(JobKeys.ENGINE) == Engine.GPU) {
                engines.requireGpu(query.functionNames(), query.results());
            }
            long quarantined = before.orElseGet(
                    () -> cycle.phase("bad rows", () -> output.quarantine(query, Optional.of(plan), folder)));
            long rowsOut = written.rows()
                    .orElseGet(() ->
                            output.readBack(query, output.files().folder()).count());
            long solved = RowSelection.isMade(job)
                    ? plan.filtered(RowSelection.SOLVED)
                            .map(FinalPlan.Filtered::seen)
                            .orElseGet(() -> query.instances().rows().count())
                    : rowsOut;
            Set<String> complete =
                    query.instances().canObserve() ? Set.of() : output.columnsWithoutNulls(folder, rowsOut);
            return new Outcome(
                    solved,
                    rowsOut,
                    quarantined,
                    complete.containsAll(job.resultColumns()) ? 0 : rejected(query, plan),
                    complete.isEmpty() || query.instances().lacking().isPresent()
                            ? withNull(query, Optional.of(plan))
                            : 0,
                    cells,
                    chosen,
                    cycle.phases().of("solve") - secondsBefore,
                    byResult(query, engines.engines(query.functionNames())));
        } finally {
            cycle.progress().end();
        }
    }

    /** Counts the bad rows that have NULL results. If the query did not observe them, they are solved again. */
    private long rejected(InstanceQuery query, FinalPlan plan) {
        return job.get(JobKeys.ON_BAD_ROW) == OnBadRow.NULL && query.canQuarantine()
                ? plan.observed(InstanceQuery.REJECTED)
                        .orElseGet(() ->
                                cycle.phase("bad rows", () -> query.badRows().count()))
                : 0;
    }

    /** @param plan the plan of the query, if it has run */
    private long withNull(InstanceQuery query, Optional<FinalPlan> plan) {
        return plan.flatMap(ran -> ran.observed(Instances.NULLS))
                .orElseGet(() -> cycle.phase("bad rows", query.instances()::incomplete));
    }

    /** Returns the engine for each result, keyed by the result's name. */
    private Map<String, Engine> byResult(InstanceQuery query, Map<String, Engine> engines) {
        Map<String, Engine> byResult = new LinkedHashMap<>();
        job.results().forEach(function -> byResult.put(function.name(), engines.get(query.functionName(function))));
        return byResult;
    }
}
