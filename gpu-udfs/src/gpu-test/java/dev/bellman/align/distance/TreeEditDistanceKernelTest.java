package dev.bellman.align.distance;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class TreeEditDistanceKernelTest {
    @Test
    void layouts() {
        String module = "align/distance/tree_edit_distance";
        KernelConstants.assertSameLayout(module, "TreeCalls", TreeEditDistanceKernel.Calls.class);
        KernelConstants.assertSameLayout(module, "ParsedTrees", TreeEditDistanceKernel.Trees.class);
        KernelConstants.assertFewClasses(module, "CLASSES", 1);
    }
}
