package dev.bellman.job.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.executor.CoarseGrainedExecutorBackend;

/**
 * The main class of the executors that the launcher starts on this host's GPUs (see {@code submit/gpu-cluster.sh}).
 * Loads the libraries of the executor's GPU while Spark starts; RAPIDS would load them only after the executor has
 * registered with the driver.
 */
final class GpuExecutor {
    private static final Pattern ADDRESS = Pattern.compile("\"addresses\"\\s*:\\s*\\[\\s*\"(\\d+)\"");

    private GpuExecutor() {}

    /** @param arguments the arguments of Spark's main class for executors */
    public static void main(String[] arguments) {
        gpu(arguments).ifPresent(WarmUp::gpu);
        CoarseGrainedExecutorBackend.main(arguments);
    }

    /** Returns the number of the GPU in the file in which Spark lists the executor's resources. */
    static OptionalInt gpu(String[] arguments) {
        List<String> words = Arrays.asList(arguments);
        int option = words.indexOf("--resourcesFile");
        if (option < 0 || option + 1 == words.size()) {
            return OptionalInt.empty();
        }
        try {
            Matcher address = ADDRESS.matcher(Files.readString(Path.of(words.get(option + 1))));
            return address.find() ? OptionalInt.of(Integer.parseInt(address.group(1))) : OptionalInt.empty();
        } catch (IOException e) {
            // Spark reports the failure
            return OptionalInt.empty();
        }
    }
}
