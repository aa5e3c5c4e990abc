package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RehearsalTest {
    /** The thread that runs the rehearsal ignores exceptions, so they would go unnoticed. */
    @Test
    void succeeds() {
        assertThatCode(Rehearsal::run).doesNotThrowAnyException();
    }
}
