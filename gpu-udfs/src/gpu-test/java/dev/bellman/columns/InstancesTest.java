package dev.bellman.columns;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;

import org.junit.jupiter.api.Test;

class InstancesTest {
    @Test
    void layouts() {
        assertSameLayout("columns/instances", "Classified", Instances.Classified.class);
        assertSameLayout("columns/instances", "Slots", Slots.Arguments.class);
        assertSameLayout("columns/instances", "Summary", Instances.Summary.class);
    }
}
