package dev.bellman.markov.profile;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ProfileKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/profile/score", "Profile", DeviceProfile.class);
        KernelConstants.assertSameLayout("markov/profile/score", "ProfilePiece", ProfileKernel.Piece.class);
        KernelConstants.assertSameLayout("markov/profile/score", "ProfileSequences", ProfileKernel.Sequences.class);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("markov/profile/score", "PROFILE_LENGTHS", 2 * ProfileKernel.MAX_PROFILES);
    }
}
