package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RapidsFolderTest {
    @TempDir
    Path folder;

    private Path jar;

    @BeforeEach
    void createJar() throws IOException {
        jar = folder.resolve("rapids.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : new String[] {
                "META-INF/services/Shim",
                "ai/Root.class",
                "com/",
                "spark-shared/com/Shared.class",
                "spark413/META-INF/services/Shim",
                "spark413/com/Own.class",
                "spark413/Top.class",
                "spark400/com/Own.class",
                "amd64/Linux/libcudf.so",
                "amd64/Linux/libcudfjni.so",
                "sparkle.txt"
            }) {
                out.putNextEntry(new ZipEntry(name));
                out.write(("in " + name).repeat(name.endsWith("/") ? 0 : 100).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void classesOfOneVersion() throws Exception {
        Path unpacked = folder.resolve("unpacked");
        RapidsFolder.main(new String[] {jar.toString(), "4.1.3", unpacked.toString()});

        Map<String, String> found = new TreeMap<>();
        try (ZipFile classes = new ZipFile(unpacked.resolve("rapids.jar").toFile())) {
            for (ZipEntry entry : Collections.list(classes.entries())) {
                String text = new String(classes.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
                found.put(entry.getName(), text.substring(0, text.length() / 100));
            }
        }
        assertThat(found)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "META-INF/services/Shim", "in spark413/META-INF/services/Shim",
                        "ai/Root.class", "in ai/Root.class",
                        "com/Shared.class", "in spark-shared/com/Shared.class",
                        "com/Own.class", "in spark413/com/Own.class",
                        "Top.class", "in spark413/Top.class",
                        "sparkle.txt", "in sparkle.txt"));
        assertThat(unpacked.resolve("libcudf.so")).content().startsWith("in amd64/Linux/libcudf.so");
        assertThat(unpacked).isDirectoryNotContaining("glob:**.class").isDirectoryContaining("glob:**/libcudfjni.so");
    }

    @Test
    void unsupportedVersion() {
        assertThatThrownBy(() -> RapidsFolder.unpack(jar, "4.1.4", folder.resolve("unpacked")))
                .isInstanceOf(IOException.class)
                .hasMessage(jar + " has no classes for Spark 4.1.4");
    }
}
