package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.check.Lane.Engine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Checks that functions and strategies get their share of the time within 20%, regardless of the cost of an instance.
 * The clock in these runs is simulated.
 */
class ScheduleTest {
    /** The duration of a batch, as in a run of a few minutes. */
    private static final double TARGET = 0.25;

    /** @param cost the seconds per instance, which the schedule does not know in advance */
    private record Timed(String function, String strategy, int first, double cost) implements Subject {
        Timed(String function, String strategy, double cost) {
            this(function, strategy, 20, cost);
        }

        @Override
        public Engine engine() {
            return Engine.CPU;
        }

        @Override
        public double seconds() {
            return 1e-4;
        }

        @Override
        public List<String> strategies() {
            return List.of(strategy);
        }

        @Override
        public List<Tally> compare(long from, long to) {
            Tally tally = new Tally();
            for (long number = from; number < to; number++) {
                tally.add(number, false, false, false);
            }
            return List.of(tally);
        }

        @Override
        public List<Finding> differences(List<Tally> tallies) {
            throw new IllegalStateException();
        }

        @Override
        public Finding failure(long from, long to, Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Schedule.Group group(double share, boolean alone, Timed... subjects) {
        return group(share, alone, 0, subjects);
    }

    private static Schedule.Group group(double share, boolean alone, long floor, Timed... subjects) {
        Schedule.Group group = new Schedule.Group(share, alone, floor);
        for (Timed subject : subjects) {
            group.subjects().add(new Progress(subject, 1, TARGET));
        }
        return group;
    }

    /**
     * Runs batches on several threads with a simulated clock, until the time is up. Returns the total time of each
     * subject, in seconds.
     */
    private static Map<Subject, Double> ran(List<Schedule.Group> groups, int threads, double seconds)
            throws InterruptedException {
        double[] now = {0};
        Schedule schedule = new Schedule(groups, Long.MAX_VALUE, () -> seconds - now[0]);
        record Batch(Progress progress, double ends, double took) {}
        List<Batch> running = new ArrayList<>();
        Map<Subject, Double> spent = new HashMap<>();
        SplittableRandom random = new SplittableRandom(28);
        while (true) {
            // no batch begins in the last two seconds
            while (running.size() < threads && now[0] < seconds - 2) {
                Progress next = schedule.begin(EnumSet.of(Engine.CPU)).orElseThrow();
                // beginning a batch also takes time, and the speed of batches varies
                double took = 0.002 + next.batch() * ((Timed) next.subject()).cost() * random.nextDouble(0.7, 1.3);
                running.add(new Batch(next, now[0] + took, took));
            }
            if (running.isEmpty()) {
                return spent;
            }
            Batch first = Collections.min(running, Comparator.comparingDouble(Batch::ends));
            running.remove(first);
            now[0] = first.ends();
            Progress done = first.progress();
            schedule.end(done, done.subject().compare(0, Math.min(100_000, done.batch())), first.took(), false);
            spent.merge(done.subject(), first.took(), Double::sum);
        }
    }

    /** With one strategy, an instance takes 1,000 times as long as with the other strategies. */
    @Test
    void dearOnesHaveTheSameTime() throws InterruptedException {
        List<Schedule.Group> groups = new ArrayList<>();
        List<Timed> subjects = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Timed subject = new Timed("f" + i / 4, "s" + i % 4, i == 7 ? 2e-2 : 2e-5);
            subjects.add(subject);
            groups.add(group(1, false, subject));
        }
        Map<Subject, Double> spent = ran(groups, 1, 200);

        assertThat(spent).hasSize(20);
        assertThat(subjects).allSatisfy(each -> assertThat(spent.get(each)).isCloseTo(10, within(2.0)));
    }

    /** Groups get their shares, and the subjects in a group get equal shares. */
    @Test
    void shares() throws InterruptedException {
        Timed auto = new Timed("f", "auto", 1e-5);
        Timed small = new Timed("f", "named", 1e-6);
        Timed large = new Timed("f", "named", 1e-3);
        Timed rare = new Timed("g", "named", 5e-2);
        Map<Subject, Double> spent =
                ran(List.of(group(2, false, auto), group(1, false, small, large), group(1, false, rare)), 1, 80);

        assertThat(spent.get(auto)).isCloseTo(40, within(8.0));
        assertThat(spent.get(small)).isCloseTo(10, within(2.0));
        assertThat(spent.get(large)).isCloseTo(10, within(2.0));
        assertThat(spent.get(rare)).isCloseTo(20, within(4.0));
    }

    /** A function that has compared too few instances gets most of the time. */
    @Test
    void fewInstancesHaveMoreTime() throws InterruptedException {
        Timed cheap = new Timed("f", "s", 1e-4);
        Timed dear = new Timed("g", "s", 1e-2);
        Map<Subject, Double> spent =
                ran(List.of(group(1, false, 2_000, cheap), group(1, false, 100_000, dear)), 1, 100);

        assertThat(spent.get(cheap)).isLessThan(5);
        assertThat(spent.get(dear)).isGreaterThan(93);
    }

    /** After functions have compared enough instances, faster functions get more time. */
    @Test
    void fasterFunctionsHaveMoreTime() throws InterruptedException {
        Timed slow = new Timed("f", "s", 5e-5);
        Timed fast = new Timed("g", "s", 5e-5 / 9);
        Map<Subject, Double> spent = ran(List.of(group(1, false, 2_000, slow), group(1, false, 2_000, fast)), 1, 100);

        assertThat(spent.get(slow)).isCloseTo(10, within(2.0));
        assertThat(spent.get(fast)).isCloseTo(90, within(18.0));
    }

    /** A thread keeps a subject until its batches are long enough, unless the run has a fixed number of instances. */
    @Test
    void shortBatchesFollowEachOther() throws InterruptedException {
        for (long count : new long[] {Long.MAX_VALUE, 1_000_000}) {
            Timed cheap = new Timed("f", "s", 4, 1e-6);
            Schedule schedule =
                    new Schedule(List.of(group(1, false, cheap, new Timed("f", "t", 1e-6))), count, () -> 100);
            Progress progress = schedule.begin(EnumSet.of(Engine.CPU)).orElseThrow();
            List<Long> batches = new ArrayList<>();
            do {
                batches.add(progress.batch());
                List<Tally> tallies = progress.subject().compare(0, 1);
                schedule.end(progress, tallies, progress.batch() * cheap.cost(), false);
            } while (schedule.goesOn(progress));

            assertThat(progress.isRunning()).isFalse();
            if (count == Long.MAX_VALUE) {
                assertThat(batches).startsWith(4L, 64L, 1_024L, 16_384L).hasSizeBetween(5, 7);
                assertThat(batches.get(batches.size() - 1) * cheap.cost()).isBetween(TARGET / 2, TARGET * 2);
            } else {
                assertThat(batches).containsExactly(4L);
            }
        }
    }

    /** Batches run concurrently, but tables in tiles run one at a time, according to their share. */
    @Test
    void sideBySide() throws InterruptedException {
        List<Schedule.Group> groups = new ArrayList<>();
        List<Timed> plain = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            plain.add(new Timed("f" + i, "s", i == 3 ? 1e-2 : 1e-5));
            groups.add(group(1, false, plain.get(i)));
        }
        Timed tables = new Timed("f0", "large-tiles", 1, 0.5);
        groups.add(group(2, true, tables));
        Map<Subject, Double> spent = ran(groups, 4, 60);

        assertThat(plain).allSatisfy(each -> assertThat(spent.get(each)).isCloseTo(20, within(4.0)));
        assertThat(spent.get(tables)).isCloseTo(40, within(8.0));
    }
}
