package dev.bellman.recurrence;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import dev.bellman.recurrence.instance.DeviceInstance;
import org.junit.jupiter.api.Test;

/** Checks that a struct and the constants of power series are the same in Java and in the kernels. */
class DeviceInstanceTest {
    @Test
    void layout() {
        assertSameLayout("recurrence/plan", "Instance", DeviceInstance.class);
    }

    @Test
    void primes() {
        ModuleInterface series = ModuleInterface.of("recurrence/series");

        assertThat(PrimeTransform.ALL).hasSize(series.constant("PRIMES"));
        assertThat(PrimeTransform.MAX_SIZE).isEqualTo(1 << series.constant("ORDERS"));
    }
}
