package dev.bellman.segment;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ChangePointsKernelTest {
    private static final String SOURCE = "segment/change_points";

    @Test
    void layouts() {
        KernelConstants.assertSameLayout(SOURCE, "SegmentCalls", ChangePointsKernel.Calls.class);
        KernelConstants.assertSameLayout(SOURCE, "SegmentSlots", ChangePointsKernel.Slots.class);
        KernelConstants.assertSameLayout(SOURCE, "RankTrees", ChangePointsKernel.Trees.class);
        KernelConstants.assertSameLayout(SOURCE, "SegmentAnswers", ChangePointsKernel.Answers.class);
    }

    @Test
    void fewClasses() {
        KernelConstants.assertFewClasses(SOURCE, "POINT_CLASSES", 1);
    }
}
