package dev.bellman.job.spec;

import static dev.bellman.job.spec.Scope.Form.ALL_VS_ALL;
import static dev.bellman.job.spec.Scope.Form.CLUSTERS;
import static dev.bellman.job.spec.Scope.Form.COLUMNS;
import static dev.bellman.job.spec.Scope.Form.CROSS;
import static dev.bellman.job.spec.Scope.Form.JOIN;
import static dev.bellman.job.spec.Scope.Form.NEAREST;
import static dev.bellman.job.spec.Scope.Form.NEAREST_OF_ALL;
import static dev.bellman.job.spec.Scope.Form.ONE_INSTANCE;
import static dev.bellman.job.spec.Scope.Form.WITHIN;

import dev.bellman.Strategies;
import dev.bellman.entry.Problem;
import dev.bellman.job.cluster.Clusters;
import dev.bellman.job.format.Format;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jobs in which a key is meaningful; all other jobs reject the key. A {@link JobKind} has its own keys, and may
 * also {@linkplain JobKind#shares share} some keys of jobs on rows.
 *
 * @param words describes the jobs, for messages and for the table of keys
 * @param forms the forms that these jobs can have
 * @param refused the kind of output that these jobs cannot have, either tables or files; empty if they can have both
 */
public record Scope(String words, Set<Form> forms, Optional<Refused> refused) {
    /**
     * The form of a job: it solves rows or pairs of rows, finds close pairs or clusters, or solves a single instance.
     */
    enum Form {
        /** Solves each input row. */
        COLUMNS,
        /** Solves each input row with each target. */
        CROSS,
        /** Solves each input row with the targets that have equal values in certain columns. */
        JOIN,
        /** Solves each pair of two input rows. */
        ALL_VS_ALL,
        /** Finds the close pairs. */
        WITHIN,
        /** Finds the targets that are closest to each row by a string metric. */
        NEAREST,
        /** Finds the targets that are closest to each row by a measure of other values, such as series. */
        NEAREST_OF_ALL("pairing: nearest for values other than strings"),
        /** Finds clusters of close rows. */
        CLUSTERS("clusters (pairing: within, results: [cluster])"),
        /** Solves the whole input as a single instance of a {@link JobKind}. */
        ONE_INSTANCE("one large input");

        private final String words;

        Form() {
            words = "pairing: " + Strategies.name(this);
        }

        Form(String words) {
            this.words = words;
        }

        /** @param results the names of the results */
        static Form of(Optional<Problem<?>> problem, PairingMode pairing, List<String> results) {
            if (problem.flatMap(JobKinds::of).isPresent()) {
                return ONE_INSTANCE;
            }
            if (pairing == PairingMode.WITHIN && results.contains(Clusters.CLUSTER)) {
                return CLUSTERS;
            }
            boolean ofStrings = problem.isEmpty() || !Metric.of(problem.get()).isEmpty();
            return pairing == PairingMode.NEAREST && !ofStrings ? NEAREST_OF_ALL : valueOf(pairing.name());
        }

        /** Returns a string such as {@code pairing: cross}. */
        @Override
        public String toString() {
            return words;
        }
    }

    /** A kind of output, and why a key is meaningless for this kind. */
    record Refused(boolean isTable, String reason) {}

    /** Every job. */
    static final Scope ALL = new Scope("all jobs", EnumSet.allOf(Form.class));

    /** Jobs that solve each row or pair independently, or find the cluster of each row. */
    static final Scope ROWS = new Scope("rows", EnumSet.complementOf(EnumSet.of(ONE_INSTANCE)));

    /** Jobs on rows that call functions. */
    static final Scope FUNCTIONS =
            new Scope("rows, except clusters", EnumSet.complementOf(EnumSet.of(ONE_INSTANCE, CLUSTERS)));

    static final Scope TARGETS = new Scope(
            "pairing: cross, join, within or nearest", EnumSet.of(CROSS, JOIN, WITHIN, NEAREST, NEAREST_OF_ALL));

    /** Jobs whose pairs are selected by a {@link Metric}. */
    static final Scope CLOSE =
            new Scope("pairing: within, or pairing: nearest for strings", EnumSet.of(WITHIN, NEAREST, CLUSTERS));

    /** Jobs whose pairs may be limited to rows with equal values in certain columns. */
    static final Scope BLOCKED = new Scope(
            "pairing: join or within, or pairing: nearest for strings", EnumSet.of(JOIN, WITHIN, NEAREST, CLUSTERS));

    static final Scope TOP = new Scope("pairing: cross or nearest", EnumSet.of(CROSS, NEAREST, NEAREST_OF_ALL));

    static final Scope BEST = new Scope(
            "rows, except clusters and pairing: nearest", EnumSet.of(COLUMNS, CROSS, JOIN, ALL_VS_ALL, WITHIN));

    static final Scope OF_CLUSTERS = new Scope(CLUSTERS.toString(), EnumSet.of(CLUSTERS));

    /** Only jobs of the {@link JobKind} to which the key belongs. */
    static final Scope OF_KIND = new Scope("", EnumSet.noneOf(Form.class));

    private Scope(String words, Set<Form> forms) {
        this(words, forms, Optional.empty());
    }

    /** @param reason the reason why the key is meaningless for tables */
    Scope notForTables(String reason) {
        return new Scope(words, forms, Optional.of(new Refused(true, reason)));
    }

    /** @param reason the reason why the key is meaningless for files */
    Scope onlyForTables(String reason) {
        return new Scope(words, forms, Optional.of(new Refused(false, reason)));
    }

    /** Describes the jobs for which a key is meaningful. */
    public static String words(JobKey<?> key) {
        Scope scope = key.scope();
        Stream<String> kinds = JobKinds.all().stream()
                .filter(kind -> has(kind, key))
                .map(kind -> kind.problem().name());
        String jobs = Stream.concat(Stream.of(scope.words).filter(words -> !words.isEmpty()), kinds)
                .collect(Collectors.joining("; "));
        return scope.refused
                .map(refused ->
                        jobs + (refused.isTable ? "; not if the output is a table" : "; only if the output is a table"))
                .orElse(jobs);
    }

    /** Reports those keys that are meaningless for a job. */
    static void check(JobDocument job) {
        Jobs jobs = Jobs.of(job);
        JobKeys.all().stream().filter(job::has).forEach(key -> jobs.refusal(key)
                .ifPresent(reason -> job.problem(key, key.path() + reason)));
    }

    /** Returns those keys that are meaningful for a job. */
    static Predicate<JobKey<?>> keysOf(Job job) {
        Jobs jobs = Jobs.of(job);
        return key -> jobs.refusal(key).isEmpty();
    }

    /** Jobs that have the same form, kind and output. */
    private record Jobs(Form form, Optional<JobKind> kind, boolean table) {
        static Jobs of(JobDocument job) {
            Optional<Problem<?>> problem = job.given(JobKeys.PROBLEM);
            return new Jobs(
                    Form.of(
                            problem,
                            job.given(JobKeys.PAIRING).orElse(PairingMode.COLUMNS),
                            job.given(JobKeys.RESULTS).orElse(List.of())),
                    problem.flatMap(JobKinds::of),
                    job.has(JobKeys.OUTPUT_TABLE) || job.is(JobKeys.OUTPUT_FORMAT, Format::isTable));
        }

        static Jobs of(Job job) {
            Problem<?> problem = job.get(JobKeys.PROBLEM);
            return new Jobs(
                    Form.of(Optional.of(problem), job.get(JobKeys.PAIRING), job.get(JobKeys.RESULTS)),
                    JobKinds.of(problem),
                    job.find(JobKeys.OUTPUT_TABLE).isPresent()
                            || job.find(JobKeys.OUTPUT_FORMAT)
                                    .filter(Format::isTable)
                                    .isPresent());
        }

        /** Returns the reason why these jobs reject a key; empty if they accept the key. */
        Optional<String> refusal(JobKey<?> key) {
            Scope scope = key.scope();
            if (!scope.forms.contains(form) && kind.filter(own -> has(own, key)).isEmpty()) {
                String what = kind.map(own -> own.problem().name()).orElse(form.toString());
                return Optional.of(" does not apply to %s, only to %s".formatted(what, words(key)));
            }
            return scope.refused.filter(refused -> refused.isTable == table).map(refused -> " does not apply to %s: %s"
                    .formatted(table ? "tables" : "files", refused.reason));
        }
    }

    private static boolean has(JobKind kind, JobKey<?> key) {
        return kind.keys().contains(key) || kind.shares().contains(key);
    }
}
