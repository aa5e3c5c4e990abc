package dev.bellman.schedule;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Oracle;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/** Provides the textbook implementations and the test instances for the functions in {@link ScheduleFunctions}. */
public final class ScheduleProofs implements Proofs {
    private static final int SMALL = 12;
    private static final int LARGE = 300;

    @Override
    public List<Proof> list() {
        return List.of(
                proof(
                        "longest_increasing",
                        0,
                        (random, size) -> ScheduleInstances.series(random, size, false),
                        row -> ScheduleTextbook.longestIncreasing(row, false)),
                proof(
                        "longest_increasing",
                        1,
                        (random, size) -> ScheduleInstances.series(random, size, true),
                        row -> ScheduleTextbook.longestIncreasing(row, true)),
                proof(
                        "maximum_subarray",
                        0,
                        (random, size) -> ScheduleInstances.series(random, size, false),
                        ScheduleTextbook::maximumSubarray),
                proof(
                        "maximum_subarray",
                        1,
                        (random, size) -> ScheduleInstances.series(random, size, true),
                        ScheduleTextbook::maximumSubarrayReal),
                proof(
                        "weighted_schedule",
                        0,
                        (random, size) -> ScheduleInstances.intervals(random, size, false),
                        ScheduleTextbook::weightedSchedule),
                proof(
                        "weighted_schedule",
                        1,
                        (random, size) -> ScheduleInstances.intervals(random, size, true),
                        ScheduleTextbook::weightedScheduleReal),
                proof("lot_sizes", 0, ScheduleInstances::lots, ScheduleTextbook::lotSizes),
                new Proof(
                        "shortest_tour",
                        new InstanceGenerator(ScheduleInstances::tour, 6, 11, 4),
                        ScheduleTextbook::shortestTour));
    }

    private static Proof proof(String function, int overload, InstanceGenerator.Draw draw, Oracle oracle) {
        return new Proof(function, overload, new InstanceGenerator(draw, SMALL, LARGE, 2), oracle);
    }
}
