package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class StructTest {
    private record Point(byte tag, double x) {}

    private record Mixed(int rows, long address, byte flag, short small, float ratio, Point point, int end) {}

    private record Named(String name) {}

    /** The layout is the one that C++ compilers for x86-64 and GPUs use. */
    @Test
    void layout() {
        Struct<Mixed> mixed = Struct.of(Mixed.class);
        assertThat(mixed.members())
                .containsExactly("rows", "address", "flag", "small", "ratio", "point", "end")
                .extracting(mixed::offset)
                .containsExactly(0, 8, 16, 18, 20, 24, 40);
        assertThat(mixed.bytes()).isEqualTo(48);
        assertThat(mixed.alignment()).isEqualTo(8);
        assertThat(Struct.of(Point.class).bytes()).isEqualTo(16);
    }

    @Test
    void readsWhatItWrites() {
        Mixed mixed =
                new Mixed(-1, 0x0123_4567_89ab_cdefL, (byte) -2, (short) 300, 0.5f, new Point((byte) 7, -0.0), 42);
        byte[] bytes = Struct.bytes(mixed);

        assertThat(bytes).hasSize(48);
        assertThat(bytes[8]).as("the lowest byte comes first").isEqualTo((byte) 0xef);
        assertThat(Struct.of(Mixed.class).read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0))
                .isEqualTo(mixed);
    }

    @Test
    void whatNoStructHas() {
        assertThatThrownBy(() -> Struct.of(Named.class))
                .hasMessageContaining("Named.name has the type String, which structs do not support");
    }
}
