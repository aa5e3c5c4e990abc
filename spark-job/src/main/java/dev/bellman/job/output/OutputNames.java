package dev.bellman.job.output;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** The names of Bellman's own files in and next to an output. */
public final class OutputNames {
    /** The folder, within an output, for files that are not data. */
    static final String OWN_FOLDER = "_bellman";

    /** The folder, within an output, for bad rows. */
    public static final String QUARANTINE = OWN_FOLDER + "/quarantine";

    static final String RUNS = OWN_FOLDER + "/runs";

    static final String LOCK = "lock";

    private OutputNames() {}

    /** Returns the path, next to an output, of Bellman's own file or folder for this purpose. */
    static Path beside(Path output, String purpose) {
        return new Path(output.getParent(), "_%s.bellman-%s".formatted(output.getName(), purpose));
    }

    /** Returns all of Bellman's own paths next to an output, except the lock's. */
    static List<Path> left(OutputFiles files, Path output) throws IOException {
        String prefix = beside(output, "").getName();
        String lock = beside(output, LOCK).getName();
        return files.list(output.getParent()).stream()
                .map(FileStatus::getPath)
                .filter(path ->
                        path.getName().startsWith(prefix) && !path.getName().equals(lock))
                .toList();
    }

    /**
     * Whether a file in an output is one of those that mark the output as complete and identify its run. Every run
     * writes such files.
     */
    static boolean isMark(String name) {
        return name.equals("_SUCCESS")
                || name.endsWith("/_SUCCESS")
                || name.matches(OWN_FOLDER + "/[^/]+\\.(json|html)");
    }

    /** Returns the name of the report of a run that began at this time. */
    public static String run(String time) {
        return "%s/%s.json".formatted(RUNS, time);
    }
}
