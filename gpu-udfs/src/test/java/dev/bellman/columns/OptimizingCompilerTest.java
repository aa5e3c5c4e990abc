package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptimizingCompilerTest {
    private static final String SERVER = "OpenJDK 64-Bit Server VM";

    /** Prints whether C2 compiles code in this process. */
    public static void main(String[] arguments) {
        System.out.println("C2 " + OptimizingCompiler.isPresent());
    }

    /** The expected values are those that {@code -XX:+PrintCompilation} showed for a loop with these options. */
    @ParameterizedTest
    @CsvSource({
        "-Xmixed, true",
        "-XX:TieredStopAtLevel=0, false",
        "-XX:TieredStopAtLevel=1, false",
        "-XX:TieredStopAtLevel=3, false",
        "-XX:TieredStopAtLevel=4, true",
        "-XX:-TieredCompilation, true",
        "-XX:-TieredCompilation -XX:TieredStopAtLevel=1, true",
        "-XX:CompilationMode=quick-only, false",
        "-XX:CompilationMode=high-only, true",
        "-XX:CompilationMode=high-only -XX:TieredStopAtLevel=1, false",
        "-XX:+NeverActAsServerClassMachine, false",
        "-XX:-UseCompiler, false",
        "-Xint, false",
        "--limit-modules java.base, true",
        "--limit-modules java.base -XX:TieredStopAtLevel=1, false",
        "--limit-modules java.management, true"
    })
    void processes(String options, boolean present) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OptimizingCompilerTest.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines()).contains("C2 " + present);
    }

    /** Tests other virtual machines, and processes whose options cannot be read. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            OpenJDK 64-Bit Server VM         | mixed mode, sharing                  | true
            Java HotSpot(TM) 64-Bit Server VM | mixed mode                          | true
            OpenJDK 64-Bit Server VM         | mixed mode, emulated-client, sharing | false
            OpenJDK 64-Bit Server VM         | interpreted mode, sharing            | false
            OpenJDK Client VM                | mixed mode                           | false
            OpenJDK 64-Bit Minimal VM        | mixed mode                           | false
            OpenJDK 64-Bit Zero VM           | interpreted mode                     | false
            Eclipse OpenJ9 VM                | JRE 17 Linux amd64-64-Bit            | false
            ''                               | ''                                   | false
            """)
    void withoutOptions(String name, String info, boolean present) {
        assertThat(OptimizingCompiler.isPresent(name, info, option -> Optional.empty()))
                .isEqualTo(present);
    }

    @Test
    void otherCompilers() {
        for (String used : List.of("true", "false")) {
            Map<String, String> options = Map.of("UseJVMCICompiler", used);
            assertThat(OptimizingCompiler.isPresent(
                            SERVER, "mixed mode", option -> Optional.ofNullable(options.get(option))))
                    .isEqualTo(used.equals("false"));
        }
    }
}
