package dev.bellman.align.gap;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class GapKernelsTest {
    @Test
    void layouts() {
        String source = "align/gap/gap_alignment";
        KernelConstants.assertSameLayout(source, "Strings", GapAlignmentKernel.Strings.class);
        KernelConstants.assertSameLayout(source, "Lists", GapAlignmentKernel.Lists.class);
        KernelConstants.assertSameLayout(source, "Given", GapAlignmentKernel.Given.class);
        KernelConstants.assertSameLayout(source, "Letters", GapAlignmentKernel.Letters.class);
        KernelConstants.assertSameLayout(source, "Progress", GapAlignmentKernel.Progress.class);
        KernelConstants.assertSameLayout(source, "Found", GapAlignmentKernel.Found.class);
        KernelConstants.assertSameLayout("align/gap/large", "Pair", LargeGap.Pair.class);
    }
}
