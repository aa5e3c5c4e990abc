package dev.bellman.markov.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

class ProfileKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/profile/score", "Profile", DeviceProfile.class);
        KernelConstants.assertSameLayout("markov/profile/score", "ProfilePiece", ProfileKernel.Piece.class);
        KernelConstants.assertSameLayout("markov/profile/score", "ProfileSequences", ProfileKernel.Sequences.class);
    }

    /** Tests that profiles which are too small for the last kernel fit in every GPU's shared memory. */
    @Test
    void smallProfiles() {
        ModuleInterface kernels = ModuleInterface.of("markov/profile/score");
        int nodes = ProfileModel.PARTS * (kernels.constant("PROFILE_ANY") - kernels.constant("PROFILE_PADDING"));
        assertThat(2 * kernels.constant("PROFILE_LANE_BYTES")
                        + nodes * kernels.constant("PROFILE_NODE_BYTES")
                        + kernels.constant("PROFILE_PARTS_BYTES"))
                .isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("markov/profile/score", "PROFILE_LENGTHS", 2 * ProfileKernel.MAX_PROFILES);
    }
}
