package dev.bellman.job.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a compressed file is either read completely or refused. */
class CodecTest {
    @TempDir
    Path folder;

    static Stream<String> compressions() {
        return Stream.of(TestFiles.COMPRESSIONS);
    }

    private static byte[] read(String name, byte[] compressed) throws IOException {
        try (InputStream text = Codec.of(name).orElseThrow().open(new ByteArrayInputStream(compressed))) {
            return text.readAllBytes();
        }
    }

    private byte[] compressed(String suffix, byte[] text) throws IOException {
        return Files.readAllBytes(TestFiles.compress(text, folder.resolve("text" + suffix)));
    }

    private static byte[] text(int length) {
        Random random = new Random(length);
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) "ACGT\n".charAt(random.nextInt(5));
        }
        return text;
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void readsTheWholeOfIt(String suffix) throws IOException {
        for (int length : new int[] {0, 1, 1000, 300_000, 1_000_000}) {
            byte[] text = text(length);
            assertThat(read(suffix, compressed(suffix, text))).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void readsAllMembers(String suffix) throws IOException {
        if (suffix.equals(".deflate")) {
            return; // zlib files do not consist of members
        }
        byte[] member = compressed(suffix, text(1000));
        byte[] two = Arrays.copyOf(member, 2 * member.length);
        System.arraycopy(member, 0, two, member.length, member.length);
        assertThat(read(suffix, two)).hasSize(2000);
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void refusesAFileThatWasCut(String suffix) throws IOException {
        byte[] whole = compressed(suffix, text(1000));
        for (int length = 0; length < whole.length; length++) {
            if (suffix.equals(".snappy") && length == 10) {
                continue; // only the stream identifier, which is a valid file without text
            }
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(suffix, cut))
                    .as("cut to %d of %d bytes", length, whole.length)
                    .isInstanceOf(Exception.class);
        }
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void refusesWhatFollows(String suffix) throws IOException {
        byte[] whole = compressed(suffix, text(1000));
        for (int count : new int[] {1, 2, 3, 4, 5, 100}) {
            byte[] longer = Arrays.copyOf(whole, whole.length + count);
            Arrays.fill(longer, whole.length, longer.length, (byte) 'x');
            assertThatThrownBy(() -> read(suffix, longer))
                    .as("%d bytes behind", count)
                    .isInstanceOf(Exception.class);
        }
    }

    /** Tests formats that contain a checksum of their text. */
    @ParameterizedTest
    @MethodSource("compressions")
    void noticesAFlippedBit(String suffix) throws IOException {
        if (suffix.startsWith(".hadoop")) {
            return;
        }
        byte[] text = text(2000);
        byte[] whole = compressed(suffix, text);
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] read;
            try {
                read = read(suffix, damaged);
            } catch (IOException | RuntimeException e) {
                continue;
            }
            assertThat(Arrays.equals(read, text)).isTrue();
        }
    }

    @Test
    void knowsFilesByTheirNames() {
        assertThat(Codec.of("a.fasta")).isEmpty();
        assertThat(Codec.of("a.fasta.GZ")).contains(Codec.GZIP);
        assertThat(Codec.plainName("a.fasta.gz")).isEqualTo("a.fasta");
        assertThat(Codec.unreadable("a.fasta.zip")).contains(".zip");
        assertThat(Codec.unreadable("a.fasta.xz")).isEmpty();
    }
}
