package dev.bellman.job.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** How what a run writes becomes its output. All of it happens under the output's lock. */
interface OutputCommit {
    /** Makes the folder that the run writes to. */
    Path begin() throws IOException;

    /** Writes a small text file that tells of the run, under a name relative to the output; it appears last. */
    void write(String name, String text) throws IOException;

    /** Makes the output what the run wrote: at one moment, before which the next run finds the old output and after which the new. */
    void commit() throws IOException;

    /** Nothing that the run made is wanted, not even by a run that would go on with it. */
    default void discard() {}

    /** Says that nothing comes of the run; the output is as it was before. Also tidies up after a commit. */
    void close() throws IOException;
}
