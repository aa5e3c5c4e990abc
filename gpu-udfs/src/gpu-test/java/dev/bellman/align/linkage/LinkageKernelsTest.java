package dev.bellman.align.linkage;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class LinkageKernelsTest {
    @Test
    void layouts() {
        String source = "align/linkage/text_clusters";
        KernelConstants.assertSameLayout(source, "ClusterCalls", TextClustersKernel.Calls.class);
        KernelConstants.assertSameLayout(source, "ClusterAnswers", TextClustersKernel.Answers.class);
    }
}
