package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the file of {@code run --reports FILE}, a local file that contains the reports of finished jobs as a JSON
 * array for the calling program.
 */
final class ReportsFile {
    private final Path file;
    private final PrintWriter err;
    private final List<String> reports = new ArrayList<>();

    /**
     * Creates the file before any job runs.
     *
     * @throws BellmanException {@code BELLMAN_OUTPUT_EXISTS} if the file is not empty, {@code BELLMAN_OUTPUT_WRITE} if
     *     it cannot be written
     */
    ReportsFile(Path file, PrintWriter err) {
        this.file = file;
        this.err = err;
        try {
            if (Files.exists(file) && Files.size(file) > 0) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_EXISTS,
                        "--reports: %s exists and is not empty. Use a new file".formatted(file));
            }
            write();
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "--reports: %s cannot be written: %s. Use a new local file in an existing folder"
                            .formatted(file, e),
                    e);
        }
    }

    /** Adds a report. At this point the output has already been published, so a failure only prints a warning. */
    void add(String report) {
        reports.add(report.strip());
        try {
            write();
        } catch (IOException e) {
            err.println(Printable.text("--reports: %s cannot be written: %s".formatted(file, e)));
            err.flush();
        }
    }

    private void write() throws IOException {
        Files.writeString(file, "[" + String.join(",\n", reports) + "]\n");
    }
}
