package dev.bellman.markov.profile;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link ProfileFunctions}. */
public final class ProfileKernels {
    private ProfileKernels() {}

    public static List<KernelOf> list() {
        return List.of(new KernelOf(ProfileFunctions.NAME, ProfileKernel::new));
    }
}
