package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FunctionOptionsTest {
    /** An invalid row becomes NULL if requested; nothing else does. */
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
}
