package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** The steps that turn the files of a run into its output. The run holds the output's lock during every step. */
interface OutputCommit {
    /** Prepares the folder in which the run writes, and returns it. */
    Path begin() throws IOException;

    /**
     * Writes a small text file that describes the run. The file becomes visible after the data. The file name is
     * relative to the output.
     */
    void write(String name, String text) throws IOException;

    /**
     * Publishes the run's files atomically: if publishing is interrupted, the next run restores the old output or
     * completes the new one.
     */
    void commit() throws IOException;

    /**
     * Makes {@link #close} delete everything that the run wrote, including parts that a later run could have reused.
     */
    default void discard() {}

    /** Makes {@link #close} omit the advice to continue from the kept parts, because this run cannot use them. */
    default void refuse() {}

    /** Cleans up. Unless the run was committed, abandons it and leaves the output as it was before. */
    void close() throws IOException;
}
