package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;

/** Says in a line of Bellman's own what went wrong inside Spark. */
final class Failures {
    /** What Spark keeps of a task's exception when it cannot send the object. */
    private static final Pattern CODED = Pattern.compile("\\[(BELLMAN_[A-Z_]+)\\] ([^\n]*)");

    /** Beginnings of Spark's names of errors in reading files. */
    private static final List<String> READING = List.of(
            "PATH_NOT_FOUND",
            "FAILED_READ_FILE",
            "CANNOT_READ_FILE_FOOTER",
            "UNABLE_TO_INFER_SCHEMA",
            "MALFORMED_RECORD_IN_PARSING",
            "MALFORMED_CSV_RECORD",
            "MALFORMED_JSON",
            "DATA_SOURCE_NOT_FOUND",
            "_LEGACY_ERROR_TEMP_2062");

    private Failures() {}

    /** The failure in Bellman's terms; what has none is an internal one. */
    static BellmanException explain(Throwable failure) {
        Optional<BellmanException> own = BellmanException.in(failure);
        if (own.isPresent()) {
            return own.get();
        }
        Throwable reason = failure;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            Matcher coded = CODED.matcher(String.valueOf(at.getMessage()));
            if (coded.find()) {
                return new BellmanException(ErrorCode.valueOf(coded.group(1)), unmarked(coded.group(2)), failure);
            }
            if (at instanceof SparkThrowable spark && spark.getCondition() != null) {
                String condition = spark.getCondition();
                if (READING.stream().anyMatch(condition::startsWith)) {
                    return new BellmanException(ErrorCode.BELLMAN_INPUT_READ, line(at), failure);
                }
            }
            reason = at;
        }
        return new BellmanException(ErrorCode.BELLMAN_INTERNAL, line(reason), failure);
    }

    /** The first line of a message, without what Spark adds for programmers. */
    static String line(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getName();
        }
        String line =
                unmarked(message.strip().lines().findFirst().orElseThrow().replaceFirst("^\\[[A-Z0-9_.]+\\] ", ""));
        return failure instanceof SparkThrowable ? line : failure.getClass().getSimpleName() + ": " + line;
    }

    private static String unmarked(String line) {
        return line.replaceFirst(" SQLSTATE: \\w+.*$", "");
    }

    /** A message of a {@link BellmanException} without its code. */
    static String withoutCode(String message) {
        return CODED.matcher(message).replaceFirst("$2");
    }
}
