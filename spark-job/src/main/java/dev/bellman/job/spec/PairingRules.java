package dev.bellman.job.spec;

import dev.bellman.Strategies;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.SaveMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The rules for pairs and for clusters of close rows. */
final class PairingRules {
    private PairingRules() {}

    static void pairing(JobDocument job) {
        boolean targets = job.hasSection(JobKeys.TARGETS_PATH);
        if (!job.has(JobKeys.PAIRING)) {
            job.resolve(JobKeys.PAIRING, targets ? PairingMode.CROSS : PairingMode.COLUMNS);
        }
        job.given(JobKeys.PAIRING).ifPresent(pairing -> {
            boolean needsTargets = pairing == PairingMode.CROSS || pairing == PairingMode.NEAREST;
            if (needsTargets && !targets) {
                job.problem(
                        JobKeys.PAIRING,
                        "pairing is %s, but there are no targets to pair the input with"
                                .formatted(Strategies.name(pairing)));
            }
            if (!needsTargets && pairing != PairingMode.WITHIN && targets) {
                job.problem(JobKeys.PAIRING, "targets need pairing: cross, within or nearest");
            }
            close(job, pairing);
        });
        if (!isClustering(job)) {
            job.refuse(JobKeys.LINKAGE, "linkage needs pairing: within and results: [cluster]");
        }
    }

    /** The keys of close pairs, which are valid only with {@code within} and {@code nearest}. */
    private static void close(JobDocument job, PairingMode pairing) {
        if (!pairing.isByDistance()) {
            job.refuse(JobKeys.MAX, "max needs pairing: within or nearest");
            if (pairing != PairingMode.CROSS) {
                job.refuse(JobKeys.TOP, "top needs pairing: cross or nearest");
            }
            if (job.has(JobKeys.TOP)) {
                job.refuse(
                        JobKeys.BEST,
                        "top chooses the best rows of each row of the input, and best the best rows of a group; leave "
                                + "one of them out");
            }
            if (job.is(JobKeys.BY, by -> !by.isEmpty())) {
                job.problem(JobKeys.BY, "by needs pairing: within or nearest");
            }
            return;
        }
        job.given(JobKeys.PROBLEM)
                .filter(problem -> !problem.name().equals(Job.EDIT_DISTANCE))
                .ifPresent(problem -> job.problem(
                        JobKeys.PAIRING,
                        "pairing: %s is by edit distance; the problem must be edit_distance, not %s"
                                .formatted(Strategies.name(pairing), problem.name())));
        if (job.given(JobKeys.PARAMETERS).orElse(Map.of()).containsKey(JobKeys.MAX.name())) {
            job.problem(
                    JobKeys.PARAMETERS,
                    "parameters.max would hide distances beyond it; with pairing: %s, the limit is the key max"
                            .formatted(Strategies.name(pairing)));
        }
        if (pairing == PairingMode.WITHIN) {
            if (!job.has(JobKeys.MAX)) {
                job.problem(JobKeys.PAIRING, "pairing: within needs max, the largest edit distance");
            }
            job.refuse(JobKeys.TOP, "top needs pairing: cross or nearest; best limits the rows of within");
            return;
        }
        job.refuse(JobKeys.BEST, "pairing: nearest chooses by top; best is for other pairings");
        if (!job.given(JobKeys.RESULTS).orElse(List.of()).contains(Job.DISTANCE)) {
            job.problem(JobKeys.RESULTS, "pairing: nearest needs distance among the results");
        }
    }

    static boolean isClustering(JobDocument job) {
        return job.is(JobKeys.PAIRING, PairingMode.WITHIN::equals)
                && job.is(JobKeys.RESULTS, results -> results.contains(Clusters.CLUSTER));
    }

    /** The keys that a job for clusters must and must not have. */
    static void clusters(JobDocument job) {
        if (job.given(JobKeys.RESULTS).orElseThrow().size() > 1) {
            job.problem(
                    JobKeys.RESULTS,
                    "cluster is a result of each row, the others are of each pair; they need a job each");
        }
        BiConsumer<JobKey<?>, String> refuse =
                (key, reason) -> job.refuse(key, "%s is not for clusters: %s".formatted(key.path(), reason));
        refuse.accept(JobKeys.TARGETS_PATH, "clusters are of the rows of one input");
        refuse.accept(JobKeys.TARGETS_TABLE, "clusters are of the rows of one input");
        refuse.accept(JobKeys.PARAMETERS, "no function is called");
        refuse.accept(JobKeys.STRATEGY, "no function is called");
        refuse.accept(JobKeys.VERIFY, "no function is called");
        refuse.accept(JobKeys.BEST, "where can keep one row of each cluster: 'id = cluster'");
        refuse.accept(JobKeys.OUTPUT_NEW_ONLY, "a new row may join two clusters");
        refuse.accept(JobKeys.OUTPUT_SHARDS, "a cluster may reach into every part");
        if (job.is(JobKeys.OUTPUT_MODE, SaveMode.APPEND::equals)) {
            job.problem(JobKeys.OUTPUT_MODE, "output.mode is append; an output holds the clusters of one input");
        }
        pairedArgument(job);
    }

    /** The one argument of jobs that make the pairs. */
    static void pairedArgument(JobDocument job) {
        Optional<List<String>> given = job.given(JobKeys.ARGUMENTS);
        if (given.isPresent() && given.get().size() != 1) {
            job.problem(
                    JobKeys.ARGUMENTS,
                    "with this pairing, arguments is one column or expression, applied to both sides");
        }
        boolean sequences = !job.has(JobKeys.INPUT_TABLE)
                && job.given(JobKeys.INPUT_FORMAT).map(Format::sequences).orElse(true);
        if (!job.has(JobKeys.ARGUMENTS) && !sequences) {
            job.problem(JobKeys.ARGUMENTS, "arguments is missing: the column or expression to pair");
        }
        job.resolve(JobKeys.ARGUMENTS, List.of("sequence"));
    }
}
