package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FunctionOptionsTest {
    /** A rejected row becomes NULL if requested; other failures do not. */
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void errors(ErrorCode code) {
        BellmanException error = new BellmanException(code, "what is wrong");
        boolean row = code == ErrorCode.BELLMAN_INPUT_VALUE
                || code == ErrorCode.BELLMAN_OVERFLOW
                || code == ErrorCode.BELLMAN_LIMIT;
        FunctionOptions nulls = FunctionOptions.DEFAULT.with(OnInvalid.NULL);

        if (row) {
            assertThat(nulls.<Object>answer(() -> {
                        throw error;
                    }))
                    .isNull();
        } else {
            assertThatThrownBy(() -> nulls.answer(() -> {
                        throw error;
                    }))
                    .isSameAs(error);
        }
        assertThatThrownBy(() -> FunctionOptions.DEFAULT.answer(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    /**
     * If the heap is full, the task fails, but the process continues. The row does not become NULL, because something
     * else may be the cause.
     */
    @Test
    void heapIsFull() {
        assertThatThrownBy(() -> FunctionOptions.DEFAULT.with(OnInvalid.NULL).answer(() -> new byte[Integer.MAX_VALUE]))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("[BELLMAN_LIMIT] the heap of ")
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    /** The amounts of memory that a call holds add up, and are released when the call ends. */
    @Test
    void memoryOfACall() {
        FunctionOptions.DEFAULT.answer(() -> {
            CallMemory.hold(5);
            CallMemory.hold(7);
            assertThat(CallMemory.held()).isEqualTo(12);
            return null;
        });
        CallMemory.hold(5);
        assertThat(CallMemory.held()).isZero();
        FunctionOptions.DEFAULT.answer(() -> {
            assertThat(CallMemory.held()).isZero();
            return null;
        });
    }
}
