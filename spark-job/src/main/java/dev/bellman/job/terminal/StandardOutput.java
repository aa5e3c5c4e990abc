package dev.bellman.job.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The standard output of a process. Ignores everything after the reader of a pipe has ended, because a reader such as
 * {@code head} needs only some of the lines; other errors are passed on.
 */
public final class StandardOutput extends FilterOutputStream {
    private boolean hasReader = true;

    public StandardOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int next) throws IOException {
        write(new byte[] {(byte) next}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (hasReader) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                if (!"Broken pipe".equals(e.getMessage())) {
                    throw e;
                }
                hasReader = false;
            }
        }
    }
}
