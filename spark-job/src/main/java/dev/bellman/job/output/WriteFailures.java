package dev.bellman.job.output;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.terminal.Failures;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Explains in one line why an output could not be written. */
final class WriteFailures {
    /** Substrings in the names of Spark and Hadoop classes that write or commit. */
    private static final List<String> WRITERS = List.of("OutputWriter", "OutputCommitter", "CommitProtocol");

    private WriteFailures() {}

    /**
     * If Spark failed in a task that writes or in its own commit, converts the exception to one that reports a failure
     * to write the output.
     */
    static Optional<BellmanException> ofSpark(String path, Throwable failure) {
        Throwable innermost = innermost(failure);
        boolean writes = innermost instanceof IOException
                && Arrays.stream(innermost.getStackTrace())
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> WRITERS.stream().anyMatch(name::contains));
        return writes ? Optional.of(cannotWrite(path, failure)) : Optional.empty();
    }

    private static Throwable innermost(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost;
    }

    static BellmanException cannotWrite(String path, Throwable failure) {
        return new BellmanException(
                ErrorCode.BELLMAN_OUTPUT_WRITE,
                "cannot write the output %s: %s".formatted(path, reason(failure)),
                failure);
    }

    /** Returns the root cause in one line, such as {@code IOException: No space left on device}. */
    static String reason(Throwable failure) {
        Throwable innermost = innermost(failure);
        if (innermost instanceof FileSystemException file && file.getReason() != null) {
            return file.getFile() + ": " + file.getReason();
        }
        Optional<String> colon = Failures.colon(innermost);
        if (colon.isPresent()) {
            return colon.get();
        }
        String message = innermost.getMessage();
        String name = innermost.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("") + hint(innermost);
    }

    private static String hint(Throwable innermost) {
        boolean isSystem = innermost instanceof UnsupportedFileSystemException
                || innermost instanceof ClassNotFoundException
                        && innermost.getMessage().contains("FileSystem");
        return isSystem ? ". Add the file system's library with --packages, as in docs/object-stores.md" : "";
    }
}
