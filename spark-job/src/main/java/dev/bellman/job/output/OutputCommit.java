package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** The steps by which the files of a run become its output. Every step runs under the output's lock. */
interface OutputCommit {
    /** Creates the folder that the run writes to. */
    Path begin() throws IOException;

    /** Writes a small text file that describes the run, under a name relative to the output; it appears last. */
    void write(String name, String text) throws IOException;

    /**
     * Publishes the run's files at one moment: before it, the next run finds the old output, and after it, the new one.
     */
    void commit() throws IOException;

    /** Discards everything that the run wrote, even parts with which a later run could continue. */
    default void discard() {}

    /** Abandons the run; the output is as it was before. Also cleans up after a commit. */
    void close() throws IOException;
}
