package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Signature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class KernelsTest {
    private static final Path JAVA = Path.of("src/gpu/java");
    private static final Path CUDA = Path.of("src/gpu/cuda");

    /**
     * Checks that every function that the catalogue declares for GPUs has a kernel, and that no other function has one.
     * {@link EveryKernelGpuTest} compares all kernels with the CPU.
     */
    @Test
    void everyFunction() {
        assertThat(Catalogue.functions())
                .allSatisfy(function ->
                        assertThat(Kernels.names().contains(function.name())).isEqualTo(function.hasKernel()));
    }

    /** Strategies that the catalogue does not declare for GPUs are not run, and fail with the function's name. */
    @Test
    void noUndeclaredKernel() {
        for (BellmanFunction<?> function : Catalogue.functions()) {
            undeclared(function);
        }
    }

    private static <S extends Enum<S>> void undeclared(BellmanFunction<S> function) {
        for (Signature<S> signature : function.signatures()) {
            for (S strategy : function.problem().strategyType().getEnumConstants()) {
                SolverCall call = signature.call(strategy, FunctionOptions.DEFAULT);
                if (!call.hasKernel()) {
                    assertThatThrownBy(() -> Kernels.of(call).kernel())
                            .isInstanceOf(BellmanException.class)
                            .hasMessageContaining("no GPU kernel for " + function.name());
                }
            }
        }
    }

    /** The result of every function with a kernel has a cudf type. */
    @Test
    void resultTypes() {
        List<DataType> results = Catalogue.functions().stream()
                .filter(BellmanFunction::hasKernel)
                .flatMap(function -> function.signatures().stream())
                .map(signature -> Types.of(signature.result()))
                .toList();
        assertThat(results).isNotEmpty().allSatisfy(KernelsTest::assertKnown);
    }

    private static void assertKnown(DataType type) {
        assertThat(type).isNotNull();
        for (int i = 0; i < type.getNumChildren(); i++) {
            assertKnown(type.getChild(i));
        }
    }

    @Test
    void unknownFunction() {
        SolverCall call = new SolverCall(
                "edit_distence",
                List.of(),
                0,
                DataTypes.IntegerType,
                (strategy, options, arguments) -> 0,
                OnInvalid.FAIL,
                true,
                FunctionOptions.DEFAULT);
        assertThatThrownBy(() -> Kernels.of(call).kernel())
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("no GPU kernel for edit_distence");
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
