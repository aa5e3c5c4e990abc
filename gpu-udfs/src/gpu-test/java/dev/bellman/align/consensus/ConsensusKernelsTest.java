package dev.bellman.align.consensus;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ConsensusKernelsTest {
    @Test
    void layouts() {
        String source = "align/consensus/consensus";
        KernelConstants.assertSameLayout(source, "ConsensusCalls", ConsensusKernel.Calls.class);
        KernelConstants.assertSameLayout(source, "ConsensusAnswers", ConsensusKernel.Answers.class);
        KernelConstants.assertSameLayout(source, "ConsensusRetries", ConsensusKernel.Retries.class);
        KernelConstants.assertSameLayout(source, "ConsensusScoring", DeviceScoring.class);
    }
}
