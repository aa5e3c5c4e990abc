package dev.bellman.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleKernelsTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("schedule/shortest_tour", "TourCalls", ShortestTourKernel.Calls.class);
        KernelConstants.assertSameLayout("schedule/shortest_tour", "TourAnswers", ShortestTourKernel.Answers.class);
        KernelConstants.assertSameLayout(
                "schedule/maximum_subarray", "SubarrayAnswers", MaximumSubarrayKernel.Answers.class);
        KernelConstants.assertSameLayout(
                "schedule/longest_increasing", "IncreasingAnswers", LongestIncreasingKernel.Answers.class);
        KernelConstants.assertSameLayout(
                "schedule/weighted_schedule", "IntervalNumbers", WeightedScheduleKernel.Numbers.class);
        KernelConstants.assertSameLayout(
                "schedule/weighted_schedule", "IntervalCalls", WeightedScheduleKernel.Calls.class);
        KernelConstants.assertSameLayout(
                "schedule/weighted_schedule", "ScheduleAnswers", WeightedScheduleKernel.Answers.class);
        KernelConstants.assertSameLayout("schedule/lot_sizes", "LotCalls", LotSizesKernel.Calls.class);
        KernelConstants.assertSameLayout("schedule/lot_sizes", "LotAnswers", LotSizesKernel.Answers.class);
    }

    @Test
    void sets() {
        for (int bits : new int[] {0, 1, 2, 5, 18}) {
            assertThat(ShortestTourKernel.sets(bits))
                    .containsExactly(IntStream.range(0, 1 << bits)
                            .boxed()
                            .sorted(Comparator.comparing(Integer::bitCount))
                            .mapToInt(Integer::intValue)
                            .toArray());
        }
    }
}
