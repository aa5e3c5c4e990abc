package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.cuda.ModuleInterface.Parameter;
import dev.bellman.cuda.ModuleInterface.Parameters;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModuleInterfaceTest {
    private record Where(long address, int count) {}

    private record Count(int count) {}

    private static final Parameters PARAMETERS = new Parameters(
            "solve",
            List.of(
                    new Parameter("u64", 8, 8),
                    new Parameter("u32", 4, 4),
                    new Parameter("struct", 16, 8),
                    new Parameter("f64", 8, 8)));

    /** Reads a kernel's parameters, which the build extracted from its PTX. */
    @Test
    void ofTheBuild() {
        Parameters parameters = ModuleInterface.of("columns/validity").parameters("and_validity");

        assertThat(parameters.all()).hasToString("[u64, u64, u64, u64]");
        assertThat(parameters.match(1L, 2L, 3L, 4L)).containsExactly(1L, 2L, 3L, 4L);
    }

    /** A record is passed as a struct if the kernel expects one, and otherwise as its members. */
    @Test
    void records() {
        Where where = new Where(8, 3);

        assertThat(PARAMETERS.match(8L, 3, where, 0.5)).containsExactly(8L, 3, where, 0.5);
        assertThat(PARAMETERS.match(where, where, 0.5)).containsExactly(8L, 3, where, 0.5);
    }

    @Test
    void otherArguments() {
        Where where = new Where(8, 3);

        assertRejected(8L, 3, where);
        assertRejected(8L, 3, where, 0.5, 0);
        assertRejected(8, 3, where, 0.5);
        assertRejected(8L, 3L, where, 0.5);
        assertRejected(8L, 3, 16L, 0.5);
        assertRejected(8L, 3, where, 1L);
        assertRejected(8L, 3, where, 1f);
        assertRejected(8L, 3, new Count(3), 0.5);
        assertThatThrownBy(() -> PARAMETERS.match(8L, 3L))
                .hasMessageContaining("the kernel solve takes [u64, u32, struct of 16 bytes, f64] but received")
                .hasMessageContaining("[Long 8, Long 3]");
    }

    private static void assertRejected(Object... arguments) {
        assertThatThrownBy(() -> PARAMETERS.match(arguments))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_INTERNAL));
    }

    @Test
    void whatThereIsNot() {
        assertThatThrownBy(() -> ModuleInterface.of("columns/no_such")).hasMessageContaining("columns/no_such");
        assertThatThrownBy(() -> ModuleInterface.of("columns/validity").parameters("no_such"))
                .hasMessageContaining("no_such");
        assertThatThrownBy(() -> ModuleInterface.of("columns/validity").constant("NO_SUCH"))
                .hasMessageContaining("NO_SUCH");
    }
}
