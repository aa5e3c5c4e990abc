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
 * Decides which subject to check next. A group, such as a strategy of a function on an engine, gets its share of the
 * time, regardless of the duration of its batches. The next group is the one that will have used the smallest part of
 * its share after its batch; the group's next subject is chosen in the same way. Thus slow subjects wait until the
 * other subjects have had as much time.
 */
final class Schedule {
    /** The interval at which waiting threads check again, because they may miss the end of another thread's batch. */
    private static final long MILLISECONDS = 100;

    private static final double BELOW_FLOOR = 64;

    /** The rate in instances per second from which a group's share grows with its rate. */
    private static final double FAST = 20_000;

    private static final double MAX_FASTER = 32;

    /** The time of a subject's first batch, with its preparation, as a multiple of the expected time. */
    private static final double FIRST = 4;

    /**
     * Subjects that share time.
     *
     * @param share the group's share of the time, relative to other groups
     * @param alone whether only one of its subjects may run at a time
     * @param floor a number of instances: until a function has compared this many, its share is {@value #BELOW_FLOOR}
     *     times as large; afterwards, it is larger for fast functions. The value 0 keeps the share
     *     constant
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

        /** Whether a subject and its query are free. */
        private boolean isFree(Progress progress) {
            Object query = progress.subject().query();
            return progress.isFree()
                    && (query == null
                            || subjects.stream()
                                    .noneMatch(each ->
                                            each.isRunning() && each.subject().query() == query));
        }
    }

    /** A candidate for the next subject, and its group's time relative to the share. */
    private record Candidate(Progress progress, double relative) {}

    private final List<Group> groups;
    private final long count;
    private final DoubleSupplier left;
    /** The number of compared instances, by function. */
    private final Map<String, Long> instances = new HashMap<>();

    /**
     * Creates the schedule of a run.
     *
     * @param count the number of instances after which a function's subjects start only if they have not run yet
     * @param left returns the remaining seconds of the run
     */
    Schedule(List<Group> groups, long count, DoubleSupplier left) {
        this.groups = groups;
        this.count = count;
        this.left = left;
    }

    /** Returns the subjects in output order. */
    List<Progress> all() {
        return groups.stream().flatMap(group -> group.subjects().stream()).toList();
    }

    /**
     * Returns the next subject on one of these engines; empty if all work is done. The caller must {@link #end} the
     * subject.
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

    /** Sets the size of a subject's first batch, which the caller has begun and prepared. */
    synchronized void prepared(Progress progress) {
        progress.prepared();
    }

    /**
     * Begins another batch of a subject whose batch the caller has just ended, because batches are short until the time
     * per instance is known. Returns false if no batch was begun, such as in a run with a fixed number of instances per
     * function, where one strategy would get most of them.
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

    /** @param isLast whether the subject has no more instances to compare */
    synchronized void end(Progress progress, List<Tally> found, double took, boolean isLast) {
        progress.end(found, took, isLast);
        found.forEach(tally -> instances.merge(progress.subject().function(), tally.instances(), Long::sum));
        notifyAll();
    }

    /** Returns the number of compared instances of a function. */
    synchronized long instances(String function) {
        return instances.getOrDefault(function, 0L);
    }

    /** Returns the number of compared instances. */
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
