package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.linear.EliminationErrorContext;
import dev.bellman.linear.EliminationTiles;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * Tests the functions on Spark without RAPIDS, in a separate process, because RAPIDS is on this process's class path.
 */
class WithoutRapidsTest {
    private static final String DONE = "every example is true";

    @Test
    void examplesInTasks() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-") || option.startsWith("-X") || option.startsWith("-D"))
                .filter(option -> !option.startsWith("-Xbootclasspath"))
                .forEach(command::add);
        command.add("-cp");
        command.add(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !new File(entry).getName().startsWith("rapids-4-spark"))
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(Child.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains(DONE);
    }

    /**
     * Runs the examples in tasks, to which functions are serialized, instead of folding them to constants on the
     * driver.
     */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            try {
                Class.forName("ai.rapids.cudf.ColumnVector");
                throw new AssertionError("RAPIDS is on the class path");
            } catch (ClassNotFoundException expected) {
                // RAPIDS is missing, as it should be in this process
            }
            SparkSession spark = SparkSession.builder()
                    .master("local[1]")
                    .config("spark.ui.enabled", false)
                    .config("spark.sql.extensions", BellmanExtensions.class.getName())
                    .config("spark.sql.optimizer.excludedRules", Examples.FOLDING)
                    .getOrCreate();
            Examples.areTrue(Examples.query(spark));
            spark.stop();
            // this must work without RAPIDS, because a job calls it before it knows whether there is a GPU
            new EliminationTiles(EliminationErrorContext.ofInput("lu"), 3, false, 1).gpuBytes();
            System.out.println(DONE);
        }
    }
}
