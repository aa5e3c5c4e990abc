package dev.bellman.align.distance;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;

import org.junit.jupiter.api.Test;

/** Checks that a struct has the same layout in Java and in the kernels. */
class EditWavesTest {
    @Test
    void layout() {
        assertSameLayout("align/distance/edit_wave", "EditWaves", EditWaves.Waves.class);
    }
}
