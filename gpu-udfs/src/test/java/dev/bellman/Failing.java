package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions about calls that fail. */
public final class Failing {
    private Failing() {}

    /** Asserts that Bellman's error in a call has this code. Returns an assertion about the error. */
    public static AbstractThrowableAssert<?, BellmanException> assertFails(ErrorCode code, ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        BellmanException error = BellmanException.in(failure)
                .orElseThrow(() -> new AssertionError("the call does not fail with an error of Bellman", failure));
        assertThat(error.code()).isEqualTo(code);
        return assertThat(error);
    }
}
