package dev.bellman.check;

import dev.bellman.check.Lane.Engine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Decides which subject to check next. A group, such as one strategy of a function on one engine, gets its share of the
 * time, no matter how long its batches take. The next group is the one that, after its next batch, will have used the
 * least time relative to its share; the group's next subject is chosen in the same way. As a result, slow subjects wait
 * until the other subjects have had as much time.
 */
final class Schedule {
    /** The maximum time, in milliseconds, after which a thread without work looks for work again. */
    private static final long MILLISECONDS = 100;

    private static final double BELOW_FLOOR = 64;

    /** The number of comparisons per second above which a group's share grows in proportion to this rate. */
    private static final double FAST = 20_000;

    private static final double MAX_FASTER = 32;

    /**
     * The assumed duration of a subject's first batch, including its preparation, as a multiple of the expected
     * duration.
     */
    private static final double FIRST = 4;

    /**
     * Subjects that share one allotment of time.
     *
     * @param share the group's share of the time, relative to the shares of other groups
     * @param alone whether only one of the group's subjects may run at a time
     * @param floor a number of instances: until this many instances of the function have been compared, the share is
     *     {@value #BELOW_FLOOR} times as large; afterwards, the share is larger for fast functions than for others. If
     *     0, the share is constant
     */
    record Group(double share, boolean alone, long floor, List<Progress> subjects) {
        Group(double share, boolean alone) {
            this(share, alone, 0);
        }

        Group(double share, boolean alone, long floor) {
            this(share, alone, floor, new ArrayList<>());
        }

        private double seconds() {
            return subjects.stream()
                    .mapToDouble(each -> each.isRunning() ? each.due() : each.seconds())
                    .sum();
        }

        private boolean isFree() {
            return !alone || subjects.stream().noneMatch(Progress::isRunning);
        }

        /** Whether both a subject and its query are free. */
        private boolean isFree(Progress progress) {
            Object query = progress.subject().query();
            return progress.isFree()
                    && (query == null
                            || subjects.stream()
                                    .noneMatch(each ->
                                            each.isRunning() && each.subject().query() == query));
        }
    }

    /**
     * A candidate for the next subject, and the time that its group will have used after the batch, divided by the
     * group's share.
     */
    private record Candidate(Progress progress, double relative) {}

    private final List<Group> groups;
    private final long count;
    private final DoubleSupplier left;
    /**
     * For each function, the number of instances that have been compared, where an instance counts once for each
     * strategy.
     */
    private final Map<String, Long> instances = new HashMap<>();

    /**
     * Creates the schedule for a run.
     *
     * @param count a number of instances: once this many instances of a function have been compared, only those of its
     *     subjects that have not run yet are started
     * @param left returns the number of seconds that remain in the run
     */
    Schedule(List<Group> groups, long count, DoubleSupplier left) {
        this.groups = groups;
        this.count = count;
        this.left = left;
    }

    /** Returns the subjects of all groups, group by group. */
    List<Progress> all() {
        return groups.stream().flatMap(group -> group.subjects().stream()).toList();
    }

    /**
     * Returns the next subject for one of these engines, after waiting for it if necessary; empty if there is no work
     * left. The caller must call {@link #end} for the subject.
     */
    synchronized Optional<Progress> begin(Set<Engine> engines) throws InterruptedException {
        while (true) {
            Optional<Progress> next = next(engines);
            if (next.isPresent()) {
                Progress progress = next.get();
                progress.begin(Math.max(1, count - instances(progress.subject().function())));
                return next;
            }
            if (all().stream()
                    .noneMatch(progress -> progress.isRunning()
                            && engines.contains(progress.subject().engine()))) {
                return Optional.empty();
            }
            wait(MILLISECONDS);
        }
    }

    /** Sets the size of a subject's first batch; the caller has already begun the batch and prepared the subject. */
    synchronized void prepared(Progress progress) {
        progress.prepared();
    }

    /**
     * Begins another batch of a subject immediately after the caller has ended one, because batches are short until the
     * time per instance is known. Returns false if no batch was begun. In a run with a fixed number of instances per
     * function, none is begun, because one strategy would otherwise solve most of the instances.
     */
    synchronized boolean goesOn(Progress progress) {
        boolean goesOn = count == Long.MAX_VALUE
                && progress.wasShort()
                && progress.isFree()
                && isWanted(progress, left.getAsDouble());
        if (goesOn) {
            progress.begin(count);
        }
        return goesOn;
    }

    /** @param isLast whether no batch of the subject will follow */
    synchronized void end(Progress progress, List<Tally> found, double took, boolean isLast) {
        progress.end(found, took, isLast);
        found.forEach(tally -> instances.merge(progress.subject().function(), tally.instances(), Long::sum));
        notifyAll();
    }

    /** Returns how many instances of a function have been compared. */
    synchronized long instances(String function) {
        return instances.getOrDefault(function, 0L);
    }

    /** Returns how many instances have been compared. */
    synchronized long instances() {
        return instances.values().stream().mapToLong(each -> each).sum();
    }

    private Optional<Progress> next(Set<Engine> engines) {
        double seconds = left.getAsDouble();
        return groups.stream()
                .filter(Group::isFree)
                .flatMap(group -> group.subjects().stream()
                        .filter(progress -> engines.contains(progress.subject().engine()))
                        .filter(group::isFree)
                        .filter(progress -> isWanted(progress, seconds))
                        .min(Comparator.comparingDouble(Progress::relative))
                        .map(progress -> new Candidate(
                                progress, (group.seconds() + progress.expected()) / share(group, progress)))
                        .stream())
                .min(Comparator.comparingDouble(Candidate::relative))
                .map(Candidate::progress);
    }

    private double share(Group group, Progress progress) {
        if (group.floor() == 0) {
            return group.share();
        }
        double rate =
                group.subjects().stream().mapToDouble(Progress::rate).max().orElse(0);
        double faster = Math.max(1, Math.min(MAX_FASTER, rate / FAST));
        return group.share() * (instances(progress.subject().function()) < group.floor() ? BELOW_FLOOR : faster);
    }

    private boolean isWanted(Progress progress, double seconds) {
        return progress.expected() * (progress.hasRun() ? 1 : FIRST) < seconds
                && (!progress.hasRun() || instances(progress.subject().function()) < count);
    }
}
