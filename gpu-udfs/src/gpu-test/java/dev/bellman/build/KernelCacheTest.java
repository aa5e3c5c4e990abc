package dev.bellman.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds kernels with a cache and a compiler that returns different code each time, as NVRTC may. */
class KernelCacheTest {
    private static final String ADD = "#include \"common/sum.cuh\"\nextern \"C\" __global__ void add() {}\n";

    @TempDir
    Path folder;

    private final AtomicInteger compilations = new AtomicInteger();
    private final Queue<String> compiled = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void writeSources() throws IOException {
        write("sources/graph/add.cu", ADD);
        write("sources/graph/path.cu", "extern \"C\" __global__ void path() {}\n");
        write("sources/common/sum.cuh", "#include \"common/host.cuh\"\n");
        write("sources/common/host.cuh", "// constants\n");
    }

    @Test
    void anotherCheckoutCompilesNothingAndHasTheSameCode() throws IOException {
        build("first", "nvrtc 1");
        assertThat(compiled)
                .containsExactlyInAnyOrder(
                        "graph/add.cu (sm_90)",
                        "graph/add.cu (compute_75)",
                        "graph/path.cu (sm_90)",
                        "graph/path.cu (compute_75)");
        compiled.clear();
        build("second", "nvrtc 1");
        assertThat(compiled).isEmpty();
        assertThat(outputs("second")).isEqualTo(outputs("first")).hasSize(6);
        assertThat(outputs("first").get("graph/add.interface")).isEqualTo("kernel add u64\n");
    }

    @Test
    void whatAKernelIncludesAndItsCompilerAreItsContent() throws IOException {
        build("first", "nvrtc 1");
        compiled.clear();
        write("sources/common/host.cuh", "// more constants\n");
        build("first", "nvrtc 1");
        assertThat(compiled).containsExactlyInAnyOrder("graph/add.cu (sm_90)", "graph/add.cu (compute_75)");
        compiled.clear();
        build("first", "nvrtc 2");
        assertThat(compiled).hasSize(4);
        compiled.clear();
        Files.move(folder.resolve("sources/graph/add.cu"), folder.resolve("sources/graph/sum.cu"));
        build("first", "nvrtc 2");
        // the code contains the file's name, for profilers, so a renamed file is compiled again
        assertThat(compiled).containsExactlyInAnyOrder("graph/sum.cu (sm_90)", "graph/sum.cu (compute_75)");
        assertThat(outputs("first").keySet()).noneMatch(name -> name.startsWith("graph/add"));
        compiled.clear();
        write("sources/common/host.cuh", "// constants\n");
        Files.move(folder.resolve("sources/graph/sum.cu"), folder.resolve("sources/graph/add.cu"));
        build("first", "nvrtc 1");
        assertThat(compiled).as("the content of the first build").isEmpty();
    }

    @Test
    void aDamagedEntryIsMissing() throws IOException {
        build("first", "nvrtc 1");
        List<UnaryOperator<byte[]>> damages = List.of(
                bytes -> new byte[0],
                bytes -> Arrays.copyOf(bytes, 20),
                bytes -> Arrays.copyOf(bytes, bytes.length - 9),
                bytes -> flip(bytes, 0),
                bytes -> flip(bytes, 32),
                bytes -> flip(bytes, 50),
                bytes -> "something else".repeat(20).getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < damages.size(); i++) {
            for (Path entry : entries()) {
                Files.write(entry, damages.get(i).apply(Files.readAllBytes(entry)));
            }
            compiled.clear();
            build("damaged" + i, "nvrtc 1");
            assertThat(compiled).as("damage %d", i).hasSize(4);
            build("mended" + i, "nvrtc 1");
            assertThat(compiled).as("after damage %d", i).hasSize(4);
            assertThat(outputs("mended" + i)).isEqualTo(outputs("damaged" + i));
        }
    }

    @Test
    void anEntryThatOthersMayWriteIsMissing() throws IOException {
        build("first", "nvrtc 1");
        for (Path entry : entries()) {
            Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        compiled.clear();
        build("second", "nvrtc 1");
        assertThat(compiled).hasSize(4);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("cache"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aBuildNeedsNoCache() throws IOException {
        Files.writeString(folder.resolve("cache"), "a file");
        build("first", "nvrtc 1");
        assertThat(outputs("first")).hasSize(6);
        compiled.clear();
        build("first", "nvrtc 1");
        assertThat(compiled).as("nothing has changed").isEmpty();
    }

    @Test
    void buildsAtTheSameTimeHaveTheSameCode() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        List<Future<?>> builds = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "build" + i;
            builds.add(pool.submit(() -> {
                build(name, "nvrtc 1");
                return null;
            }));
        }
        for (Future<?> build : builds) {
            build.get();
        }
        pool.shutdown();
        for (int i = 1; i < 8; i++) {
            assertThat(outputs("build" + i)).isEqualTo(outputs("build0"));
        }
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            assertThat(files).as("temporary files").hasSize(4);
        }
    }

    @Test
    void entriesThatNoBuildUsesAreDeleted() throws IOException {
        build("first", "nvrtc 1");
        Instant old = Instant.now().minus(KernelCache.MAX_AGE).minus(Duration.ofDays(1));
        for (Path entry : entries()) {
            Files.setLastModifiedTime(entry, FileTime.from(old));
        }
        build("second", "nvrtc 1");
        assertThat(entries()).as("used by the second").hasSize(4);
        Files.setLastModifiedTime(entries().get(0), FileTime.from(old));
        build("third", "nvrtc 2");
        assertThat(entries()).hasSize(3 + 4);
    }

    @Test
    void whatDoesNotCompileIsNamed() throws IOException {
        write("sources/graph/path.cu", "error");
        assertThat(build("first", "nvrtc 1")).containsExactly("graph/path.cu (sm_90)", "graph/path.cu (compute_75)");
        assertThat(outputs("first"))
                .containsOnlyKeys("graph/add.sm_90.cubin.zst", "graph/add.compute_75.ptx.zst", "graph/add.interface");
    }

    private List<String> build(String name, String compiler) throws IOException {
        Path build = folder.resolve(name);
        return new CompileKernels(
                        build.resolve("classes"),
                        build.resolve("work"),
                        KernelCache.open(folder.resolve("cache")),
                        this::compile,
                        progress -> {})
                .run(CompileKernels.compilations(List.of(folder.resolve("sources")), List.of("sm_90"), compiler));
    }

    private byte[] compile(Compilation compilation) {
        if (compilation.text().contains("error")) {
            return null;
        }
        compiled.add(compilation.toString());
        String code = ".visible .entry add(\n\t.param .u64 add_param_0\n)\n// " + compilations.incrementAndGet();
        return code.getBytes(StandardCharsets.UTF_8);
    }

    private TreeMap<String, String> outputs(String name) throws IOException {
        Path classes = folder.resolve(name).resolve("classes");
        TreeMap<String, String> outputs = new TreeMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                outputs.put(classes.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return outputs;
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            return files.sorted().toList();
        }
    }

    private static byte[] flip(byte[] bytes, int at) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= 1;
        return flipped;
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
