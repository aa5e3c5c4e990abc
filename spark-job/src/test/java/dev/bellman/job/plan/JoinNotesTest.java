package dev.bellman.job.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.job.LocalSpark;
import dev.bellman.join.JoinMethod;
import dev.bellman.join.JoinPlan;
import dev.bellman.join.Passes;
import dev.bellman.join.measure.Distance;
import dev.bellman.join.measure.Metric;
import dev.bellman.plan.JoinPlanned;
import org.junit.jupiter.api.Test;

class JoinNotesTest {
    @Test
    void shortSearchesMayRunOnTheCpu() {
        try (JoinNotes joins = new JoinNotes(LocalSpark.session().sparkContext(), note -> {})) {
            joins.onOtherEvent(planned(0.9));
            assertThatCode(joins::requireGpu).doesNotThrowAnyException();
            joins.onOtherEvent(planned(1.1));
            assertThatThrownBy(joins::requireGpu)
                    .hasMessageContaining("[BELLMAN_GPU_REQUIRED] engine is gpu, but the search for close strings ran");
        }
    }

    /** Returns the plan of a search on the CPU that is expected to take the given time. */
    private static JoinPlanned planned(double seconds) {
        return new JoinPlanned(new JoinPlan(
                new Distance(Metric.EDIT_DISTANCE, 1),
                1,
                JoinMethod.PLAIN,
                -1,
                0,
                null,
                false,
                Passes.ONE,
                1,
                1,
                9,
                0,
                0,
                0,
                seconds,
                ""));
    }
}
