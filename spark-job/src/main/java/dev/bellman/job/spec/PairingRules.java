package dev.bellman.job.spec;

import dev.bellman.Strategies;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the keys for pairs and for clusters of close rows. */
final class PairingRules {
    private PairingRules() {}

    /** Sets the pairing if the job does not set it. */
    static void mode(JobDocument job) {
        if (!job.has(JobKeys.PAIRING)) {
            job.resolve(
                    JobKeys.PAIRING, job.hasSection(JobKeys.TARGETS_PATH) ? PairingMode.CROSS : PairingMode.COLUMNS);
        }
    }

    /** @param results the functions that compute the job's results */
    static void pairing(JobDocument job, List<BellmanFunction<?>> results) {
        boolean targets = job.hasSection(JobKeys.TARGETS_PATH);
        job.given(JobKeys.PAIRING).ifPresent(pairing -> {
            boolean needsTargets =
                    pairing == PairingMode.CROSS || pairing == PairingMode.JOIN || pairing == PairingMode.NEAREST;
            if (needsTargets && !targets) {
                job.problem(
                        JobKeys.PAIRING,
                        "pairing is %s, but no targets are set; set targets.path (--targets) or targets.table"
                                .formatted(Strategies.name(pairing)));
            }
            if (pairing == PairingMode.JOIN && !job.has(JobKeys.BLOCK_ON)) {
                job.problem(
                        JobKeys.PAIRING,
                        "pairing: join requires blockOn, the columns that must be equal in both rows; to pair every "
                                + "row with every target, use pairing: cross");
            }
            if (pairing == PairingMode.JOIN && !job.has(JobKeys.ARGUMENTS)) {
                job.problem(
                        JobKeys.ARGUMENTS,
                        "arguments is missing; set it to one expression for each parameter of the function; x_a is "
                                + "the input's column x, and x_b is the targets' column x");
            }
            boolean ofStrings = job.given(JobKeys.PROBLEM)
                    .filter(problem -> Metric.of(problem).isEmpty())
                    .isEmpty();
            if (pairing == PairingMode.NEAREST && !ofStrings && !results.isEmpty()) {
                nearestOfAll(job, results.get(0).name());
            } else {
                close(job, pairing, results);
            }
        });
    }

    /**
     * For measures of values other than strings, such as series, handles {@code nearest} like {@code cross} with
     * {@code top}. If the measure has lower bounds, Spark computes only the pairs that can be among the nearest ones.
     */
    private static void nearestOfAll(JobDocument job, String measure) {
        if (Best.isDescendingByName(measure).isEmpty()) {
            job.problem(
                    JobKeys.PAIRING,
                    ("pairing: nearest ranks by the first result, which must be a distance or a similarity, but %s is "
                                    + "neither; use pairing: cross and best: '1 per id_a by %1$s asc' or '... desc'")
                            .formatted(measure));
            return;
        }
        job.complete(JobKeys.PAIRING, PairingMode.CROSS);
        job.resolve(JobKeys.TOP, 1);
    }

    private static void close(JobDocument job, PairingMode pairing, List<BellmanFunction<?>> results) {
        if (!pairing.isByDistance()) {
            if (job.has(JobKeys.TOP)) {
                job.refuse(
                        JobKeys.BEST,
                        "top keeps the best pairs of each input row, and best keeps the best rows of "
                                + "each group; remove one of these keys");
            }
            return;
        }
        Optional<Metric> metric = metric(job, pairing, results);
        metric.ifPresent(its -> limit(job, pairing, its));
        if (job.given(JobKeys.PARAMETERS).orElse(Map.of()).containsKey(FunctionRules.MAX)) {
            job.problem(
                    JobKeys.PARAMETERS,
                    ("with pairing: %s, set the limit with the key maxDistance; parameters.max would hide larger "
                                    + "distances")
                            .formatted(Strategies.name(pairing)));
        }
        metric.ifPresent(its -> plainCalls(job, pairing, its));
        if (pairing == PairingMode.WITHIN) {
            return;
        }
        metric.map(Metric::column)
                .filter(column -> !job.given(JobKeys.RESULTS).orElse(List.of()).contains(column))
                .ifPresent(column ->
                        job.problem(JobKeys.RESULTS, "pairing: nearest requires %s in results".formatted(column)));
    }

    /**
     * Returns the metric that selects the pairs, and stores it as the value of its key. The metric is the one that the
     * job sets. If the job sets none, it is the only measure among the results or, if the results contain no measure,
     * the function in {@code problem} or, if that is not a measure, the problem's first metric. If these do not
     * determine a single metric, reports an error and returns empty.
     */
    private static Optional<Metric> metric(JobDocument job, PairingMode pairing, List<BellmanFunction<?>> results) {
        Optional<Problem<?>> problem = job.given(JobKeys.PROBLEM);
        if (problem.isEmpty()) {
            return Optional.empty();
        }
        List<Metric> metrics = Metric.of(problem.get());
        if (metrics.isEmpty()) {
            job.problem(
                    JobKeys.PAIRING,
                    "pairing: %s supports the measures %s, but the problem %s has none of them"
                            .formatted(
                                    Strategies.name(pairing),
                                    Metric.names(),
                                    problem.get().name()));
            return Optional.empty();
        }
        if (job.has(JobKeys.METRIC)) {
            return job.given(JobKeys.METRIC)
                    .flatMap(name -> job.choose(JobKeys.METRIC, name, metrics, Metric::function));
        }
        List<String> measures = Metric.measures(results);
        if (measures.isEmpty()) {
            // for clusters, the problem determines the measure
            measures = Metric.measures(job.word(JobKeys.PROBLEM)
                    .flatMap(Catalogue::named)
                    .map(List::<BellmanFunction<?>>of)
                    .orElse(List.of()));
        }
        Optional<Metric> metric = measured(job, pairing, metrics, measures);
        metric.ifPresent(found -> job.resolve(JobKeys.METRIC, found.function()));
        return metric;
    }

    /**
     * Returns the only measure among the results; if there is none, returns the problem's first metric. If there are
     * several measures, or the only one is not a metric, reports an error and returns empty.
     */
    private static Optional<Metric> measured(
            JobDocument job, PairingMode pairing, List<Metric> metrics, List<String> measures) {
        if (measures.isEmpty()) {
            return Optional.of(metrics.get(0));
        }
        String choices = metrics.stream().map(Metric::function).collect(Collectors.joining(" or "));
        if (measures.size() > 1) {
            job.problem(
                    JobKeys.RESULTS,
                    "results has several measures (%s); set metric: %s to choose the measure that selects the pairs"
                            .formatted(String.join(", ", measures), choices));
            return Optional.empty();
        }
        String measure = measures.get(0);
        Optional<Metric> metric =
                metrics.stream().filter(each -> each.function().equals(measure)).findFirst();
        if (metric.isEmpty()) {
            job.problem(
                    JobKeys.RESULTS,
                    "pairing: %s cannot choose pairs by %s; %s, or choose pairs by a different measure with metric: %s"
                            .formatted(Strategies.name(pairing), measure, everyPair(job, measure, metrics), choices));
        }
        return metric;
    }

    /**
     * Reports parameters that would change the metric's values, because the search for pairs computes the metric
     * without parameters.
     */
    private static void plainCalls(JobDocument job, PairingMode pairing, Metric metric) {
        Map<String, Object> parameters = job.given(JobKeys.PARAMETERS).orElse(Map.of());
        metric.parameters().stream()
                .filter(name -> parameters.containsKey(name) && !name.equals(FunctionRules.MAX))
                .forEach(name -> job.problem(
                        JobKeys.PARAMETERS,
                        name,
                        ("pairing: %s chooses pairs by %s(a, b), without %s; convert the strings by expressions in "
                                        + "arguments, or %s")
                                .formatted(
                                        Strategies.name(pairing),
                                        metric.function(),
                                        name,
                                        everyPair(job, metric.function(), List.of(metric)))));
    }

    /** Describes the keys of a job that computes a measure for every pair. */
    private static String everyPair(JobDocument job, String measure, List<Metric> like) {
        return "use pairing: %s and output.where: '%s %s ...'"
                .formatted(
                        job.hasSection(JobKeys.TARGETS_PATH) ? "cross" : "all-vs-all",
                        measure,
                        like.get(0).isSimilarity() ? ">=" : "<=");
    }

    private static void limit(JobDocument job, PairingMode pairing, Metric metric) {
        JobKey<?> needed = metric.isSimilarity() ? JobKeys.MIN_SIMILARITY : JobKeys.MAX_DISTANCE;
        job.refuse(
                metric.isSimilarity() ? JobKeys.MAX_DISTANCE : JobKeys.MIN_SIMILARITY,
                "for %s, set the limit with %s".formatted(metric.function(), needed.path()));
        if (!job.has(needed) && (pairing == PairingMode.WITHIN || !metric.reachesAll())) {
            job.problem(
                    JobKeys.PAIRING,
                    "pairing: %s requires %s, the %s"
                            .formatted(
                                    Strategies.name(pairing),
                                    needed.path(),
                                    metric.isSimilarity() ? "minimum similarity" : "maximum distance"));
        }
        job.given(JobKeys.MIN_SIMILARITY)
                .filter(min -> metric.isSimilarity() && (min <= 0 || min > metric.largest()))
                .ifPresent(min -> job.problem(
                        JobKeys.MIN_SIMILARITY,
                        "minSimilarity is %s; for %s it must be above 0 and at most %.0f"
                                .formatted(min, metric.function(), metric.largest())));
    }

    static boolean isClustering(JobDocument job) {
        return job.is(JobKeys.PAIRING, PairingMode.WITHIN::equals)
                && job.is(JobKeys.RESULTS, results -> results.contains(Clusters.CLUSTER));
    }

    /** Checks that a clustering job has the keys that it needs, and no keys that it must not have. */
    static void clusters(JobDocument job) {
        if (job.given(JobKeys.RESULTS).orElseThrow().size() > 1) {
            job.problem(
                    JobKeys.RESULTS,
                    "cluster is computed for each row, but the other results are computed for each pair; use a "
                            + "separate job for each kind");
        }
        if (job.is(JobKeys.PROBLEM, problem -> !problem.name().equals(Job.EDIT_DISTANCE))) {
            job.refuse(
                    JobKeys.LINKAGE,
                    "linkage is supported only for edit_distance; omit linkage, or use problem: edit_distance with "
                            + "maxDistance");
        }
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.APPEND::equals)) {
            job.problem(
                    JobKeys.OUTPUT_MODE,
                    "output.mode is append, but clusters cannot be added to those of an earlier run; use a different "
                            + "mode");
        }
        pairedArgument(job);
    }

    /**
     * Checks the argument of a job that forms pairs or clusters, which must be a single column or expression. Sets the
     * default for sequence files.
     */
    static void pairedArgument(JobDocument job) {
        Optional<List<String>> given = job.given(JobKeys.ARGUMENTS);
        if (given.isPresent() && given.get().size() != 1) {
            job.problem(
                    JobKeys.ARGUMENTS,
                    "with this pairing, arguments must be a single column or expression, which applies to both sides");
        }
        boolean sequences = !job.has(JobKeys.INPUT_TABLE)
                && job.given(JobKeys.INPUT_FORMAT).map(Format::sequences).orElse(true);
        if (!job.has(JobKeys.ARGUMENTS) && !sequences) {
            job.problem(JobKeys.ARGUMENTS, "arguments is missing; set it to the column or expression to pair");
        }
        job.resolve(JobKeys.ARGUMENTS, List.of(FunctionRules.SEQUENCE));
    }
}
