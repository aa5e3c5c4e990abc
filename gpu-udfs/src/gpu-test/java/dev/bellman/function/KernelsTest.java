package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KernelsTest {
    private static final Path JAVA = Path.of("src/gpu/java");
    private static final Path CUDA = Path.of("src/gpu/cuda");

    /** Every function for a GPU has a kernel, and a test that compares it with the CPU; others have neither. */
    @Test
    void everyFunction() throws IOException {
        String tests = String.join("", sources(Path.of("src/gpu-test/java"), "GpuTest.java"));
        assertThat(Catalogue.functions()).allSatisfy(function -> {
            assertThat(Kernels.names().contains(function.name())).isEqualTo(function.hasKernel());
            if (function.hasKernel()) {
                assertThat(tests).containsPattern("\\b(try_)?" + function.name() + "\\b");
            }
        });
    }

    /** Every kernel file that is loaded by name exists. */
    @Test
    void loadedModulesExist() throws IOException {
        Pattern load = Pattern.compile("(?:CudaModule\\.load|ModuleInterface\\.of)\\(\\s*\"([^\"+]+)\"\\)");
        List<String> modules = sources(JAVA, ".java").stream()
                .flatMap(source -> load.matcher(source).results().map(result -> result.group(1)))
                .toList();
        assertThat(modules).isNotEmpty().allSatisfy(module -> assertThat(CUDA.resolve(module + ".cu"))
                .exists());
    }

    private static List<String> sources(Path folder, String suffix) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(suffix)).toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }
}
