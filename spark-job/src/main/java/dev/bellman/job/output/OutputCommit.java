package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** The steps that turn the files of a run into its output. Every step runs while the run holds the output's lock. */
interface OutputCommit {
    /** Creates the folder to which the run writes. */
    Path begin() throws IOException;

    /**
     * Writes a small text file that describes the run. The file appears after the data. The file name is relative to
     * the output.
     */
    void write(String name, String text) throws IOException;

    /**
     * Publishes the run's files atomically: if interrupted, the next run finds either the old output or the new one.
     */
    void commit() throws IOException;

    /** Discards everything that the run wrote, including parts that a later run could reuse. */
    default void discard() {}

    /** Cleans up. Without a commit, abandons the run and leaves the output as it was before. */
    void close() throws IOException;
}
