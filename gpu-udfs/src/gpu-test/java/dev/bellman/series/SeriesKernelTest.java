package dev.bellman.series;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class SeriesKernelTest {
    @Test
    void layouts() {
        String source = "series/batch";
        KernelConstants.assertSameLayout(source, "SeriesLists", SeriesKernel.Lists.class);
        KernelConstants.assertSameLayout(source, "SeriesCalls", SeriesKernel.Calls.class);
        KernelConstants.assertSameLayout(source, "SeriesAnswers", SeriesKernel.Answers.class);
        KernelConstants.assertSameLayout(source, "SeriesGroups", SeriesKernel.Groups.class);
        KernelConstants.assertSameLayout(source, "SeriesStripes", SeriesKernel.Stripes.class);
        KernelConstants.assertSameLayout(source, "SeriesWhole", WholeTables.SeriesWhole.class);
    }
}
