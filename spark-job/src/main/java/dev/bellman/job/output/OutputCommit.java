package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** The steps that turn the files of a run into its output. Every step runs under the output's lock. */
interface OutputCommit {
    /** Creates the folder to which the run writes. */
    Path begin() throws IOException;

    /**
     * Writes a small text file that describes the run, under a name relative to the output. It appears after the data.
     */
    void write(String name, String text) throws IOException;

    /** Publishes the run's files in an instant: before it, the next run finds the old output; after it, the new one. */
    void commit() throws IOException;

    /** Discards everything that the run wrote, including parts with which a later run could continue. */
    default void discard() {}

    /** Abandons the run and leaves the output as it was before. Also cleans up after a commit. */
    void close() throws IOException;
}
