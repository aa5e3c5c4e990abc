package dev.bellman.job.terminal;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;

/** Converts Spark's exceptions to Bellman's exceptions, whose messages have one line. */
public final class Failures {
    /** Matches the error code at the beginning of a message from Bellman. */
    private static final Pattern CODED = Pattern.compile("^\\[BELLMAN_[A-Z_]+\\] ");

    /**
     * Matches the part of Spark's message for a failed task that precedes the exception's class. Spark itself writes
     * all of this part, so user data cannot imitate it.
     */
    private static final Pattern OF_TASK = Pattern.compile(
            "^Job aborted due to stage failure: [^:]*: Lost task \\S+ in stage \\S+ \\(TID \\d+\\) \\([^)]*\\): (.*)",
            Pattern.DOTALL);

    /**
     * Matches a Bellman exception in the part of such a message that {@link #OF_TASK} captures. If Spark cannot
     * serialize the cause of a failure, only this text remains of it.
     */
    private static final Pattern OWN = Pattern.compile("^dev\\.bellman\\.[\\w.]+: \\[(BELLMAN_[A-Z_]+)\\] ([^\n]*)");

    /** Spark's error conditions and legacy names for read errors that the SQLSTATE does not identify as such. */
    private static final Set<String> READING = Set.of(
            "PATH_NOT_FOUND",
            "UNABLE_TO_INFER_SCHEMA",
            "MALFORMED_RECORD_IN_PARSING",
            "MALFORMED_CSV_RECORD",
            "DATA_SOURCE_NOT_FOUND",
            "PARQUET_CONVERSION_FAILURE",
            "_LEGACY_ERROR_TEMP_2062");

    private static final Pattern OUT_OF_MEMORY = Pattern.compile("^java\\.lang\\.OutOfMemoryError(?:: ([^\n]*))?");

    /**
     * Matches the message for a lost executor whose exit code indicates a lack of memory: 52 is Spark's own code for
     * this, 137 means that the system or its scheduler killed the executor, and -104 is YARN's code.
     */
    private static final Pattern LOST =
            Pattern.compile("^ExecutorLostFailure .*?(?:code|[Ss]tatus):? ?(52|137|-104)\\b", Pattern.DOTALL);

    /** Matches the messages of failures that occur because Spark has already stopped the application. */
    private static final Pattern STOPPED = Pattern.compile("^Cannot call methods on a stopped SparkContext"
            + "|because SparkContext was shut down|\"org\\.apache\\.spark\\.SparkEnv\\$?\\.get\\(\\)\" is null$");

    private static final Set<String> READING_STATES = Set.of("KD001");
    private static final Set<String> OPTIONS = Set.of("CODEC_NOT_AVAILABLE", "CODEC_SHORT_NAME_NOT_FOUND");

    /**
     * Spark's names for errors in options, such as a quote of two characters, or a flag that is neither true nor false.
     */
    private static final Set<String> LEGACY_OPTIONS = Set.of("_LEGACY_ERROR_TEMP_2145", "_LEGACY_ERROR_TEMP_2147");

    /** Java's reasons for rejecting a relative path with a colon; the second one is for a path such as 1:2. */
    private static final Set<String> COLON =
            Set.of("Relative path in absolute URI", "Illegal character in scheme name");

    private Failures() {}

    /** Converts a failure to a {@link BellmanException}; unknown failures are internal errors. */
    public static BellmanException explain(Throwable failure) {
        Optional<BellmanException> own = BellmanException.in(failure);
        if (own.isPresent()) {
            return own.get();
        }
        List<Throwable> innermostFirst = chain(failure);
        Optional<String> memory =
                innermostFirst.stream().flatMap(at -> memory(at).stream()).findFirst();
        if (memory.isPresent()) {
            return new BellmanException(ErrorCode.BELLMAN_LIMIT, memory.get(), failure);
        }
        if (isStop(failure)) {
            return new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "Spark stopped the application, for example because the master cannot be reached; see Spark's log",
                    failure);
        }
        for (Throwable at : innermostFirst) {
            Matcher text = OWN.matcher(ofTask(at));
            if (text.find()) {
                return new BellmanException(ErrorCode.valueOf(text.group(1)), text.group(2), failure);
            }
        }
        Throwable innermost = innermostFirst.get(0);
        for (Throwable at : innermostFirst) {
            Optional<ErrorCode> code = code(at);
            if (code.isPresent()) {
                // Spark's message contains the name of the file, and the message of the cause contains the error
                String cause = code.get() == ErrorCode.BELLMAN_INPUT_READ && at != innermost ? line(innermost) : "";
                String line = line(at).strip();
                return new BellmanException(
                        code.get(),
                        cause.isEmpty() || line.contains(cause) ? line : "%s %s".formatted(line, cause),
                        failure);
            }
        }
        if (inWriter(innermost)) {
            return new BellmanException(
                    innermost instanceof IOException ? ErrorCode.BELLMAN_OUTPUT_WRITE : ErrorCode.BELLMAN_JOB_FILE,
                    "cannot write the output: " + line(innermost),
                    failure);
        }
        return new BellmanException(ErrorCode.BELLMAN_INTERNAL, line(innermost), failure);
    }

    /** Whether the failure occurred because Spark has stopped the application. */
    public static boolean isStop(Throwable failure) {
        return chain(failure).stream()
                .anyMatch(at -> STOPPED.matcher(String.valueOf(at.getMessage())).find());
    }

    /** Whether the failure means that a process ran out of memory or stack. */
    public static boolean isMemory(Throwable failure) {
        return chain(failure).stream().anyMatch(at -> memory(at).isPresent());
    }

    /**
     * Extracts the failure of a task from Spark's message: the exception's class, its message, and its stack trace;
     * empty for other failures.
     */
    private static String ofTask(Throwable failure) {
        Matcher message =
                OF_TASK.matcher(failure instanceof SparkException ? String.valueOf(failure.getMessage()) : "");
        return message.find() ? message.group(1) : "";
    }

    private static Optional<String> memory(Throwable failure) {
        String message = ofTask(failure);
        Matcher thrown = OUT_OF_MEMORY.matcher(
                failure instanceof OutOfMemoryError
                        ? "%s: %s".formatted(OutOfMemoryError.class.getName(), failure.getMessage())
                        : message);
        if (thrown.find()) {
            return Optional.of(("out of memory%s; use more memory (BELLMAN_DRIVER_MEMORY=8g, or --executor-memory on a "
                            + "cluster), or run fewer tasks at a time (--conf spark.task.cpus=2)")
                    .formatted(thrown.group(1) == null ? "" : ": " + thrown.group(1)));
        }
        if (failure instanceof StackOverflowError) {
            return Optional.of("stack overflow, usually because an expression is nested too deeply");
        }
        Matcher lost = LOST.matcher(message);
        if (lost.find()) {
            return Optional.of(("an executor exited with code %s, usually because it ran out of memory; use more "
                            + "memory (--executor-memory or, if the host killed the executor, --conf "
                            + "spark.executor.memoryOverhead), or run fewer tasks at a time (--conf spark.task.cpus=2)")
                    .formatted(lost.group(1)));
        }
        return Optional.empty();
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable at = failure; at != null && !chain.contains(at); at = at.getCause()) {
            chain.add(at);
        }
        Collections.reverse(chain);
        return chain;
    }

    /**
     * Returns the error code for an exception, based on Spark's error name or on the SQLSTATE; empty if these do not
     * determine a code.
     */
    private static Optional<ErrorCode> code(Throwable failure) {
        if (!(failure instanceof SparkThrowable spark) || spark.getCondition() == null) {
            return Optional.empty();
        }
        String condition = spark.getCondition().replaceFirst("\\..*", "");
        String state = String.valueOf(spark.getSqlState());
        if (READING.contains(condition) || READING_STATES.contains(state)) {
            return Optional.of(ErrorCode.BELLMAN_INPUT_READ);
        }
        if (OPTIONS.contains(condition) || isOption(spark)) {
            return Optional.of(ErrorCode.BELLMAN_JOB_FILE);
        }
        if (condition.equals("INVALID_CONF_VALUE") || state.startsWith("46") || state.startsWith("F0")) {
            return Optional.of(ErrorCode.BELLMAN_CONFIGURATION);
        }
        return Optional.ofNullable(
                switch (state.substring(0, 2)) {
                    // 22 are data exceptions, such as failed casts and divisions, 23 are duplicate map keys, and P0 is
                    // raise_error
                    case "22", "23", "P0" -> ErrorCode.BELLMAN_INPUT_VALUE;
                    case "42", "0A" -> ErrorCode.BELLMAN_INPUT_SCHEMA;
                    case "53", "54", "82" -> ErrorCode.BELLMAN_LIMIT;
                    default -> null;
                });
    }

    /** Whether the cause is the value of an option of a reader or writer, rather than a value in a row. */
    private static boolean isOption(SparkThrowable spark) {
        return String.valueOf(spark.getMessageParameters().get("functionName")).endsWith("Options`")
                || LEGACY_OPTIONS.contains(spark.getCondition());
    }

    /**
     * Whether the failure is due to a file writer or its options, rather than to the rows. Writers of shuffle files do
     * not count.
     */
    private static boolean inWriter(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .takeWhile(frame -> !frame.getMethodName().equals("writeWithIterator"))
                .filter(frame -> !frame.getClassName().startsWith("org.apache.spark.shuffle."))
                .anyMatch(frame -> frame.getClassName().endsWith("OutputWriter")
                        || frame.getMethodName().equals("newOutputWriter")
                        || frame.getMethodName().equals("prepareWrite"));
    }

    /**
     * Returns the first line of a message, without the details that Spark adds for programmers. Except for failures of
     * Spark or a file system, the name of the failure's class comes first.
     */
    public static String line(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getName();
        }
        String line =
                unmarked(message.strip().lines().findFirst().orElseThrow().replaceFirst("^\\[[A-Z0-9_.]+\\] ", ""));
        boolean says = failure instanceof SparkThrowable
                || failure instanceof FileSystemException file && file.getReason() != null;
        return says ? line : failure.getClass().getSimpleName() + ": " + line;
    }

    /** If Hadoop rejected a path because of a colon, describes this in a sentence. */
    public static Optional<String> colon(Throwable failure) {
        return chain(failure).stream()
                .filter(at -> at instanceof URISyntaxException path && COLON.contains(path.getReason()))
                .map(at -> ((URISyntaxException) at).getInput().replaceFirst("^\\.(.*)\\.crc$", "$1"))
                .map(path -> ("Hadoop supports a colon only after a scheme, as in s3a://bucket/folder, but not in %s; "
                                + "rename the file or folder")
                        .formatted(path))
                .findFirst();
    }

    /** Returns Spark's name for an error, such as {@code CAST_INVALID_INPUT}. */
    public static Optional<String> condition(Throwable failure) {
        return Optional.of(failure)
                .filter(SparkThrowable.class::isInstance)
                .map(spark -> ((SparkThrowable) spark).getCondition())
                .filter(condition -> !condition.startsWith("_LEGACY"));
    }

    private static String unmarked(String line) {
        int state = line.indexOf(" SQLSTATE: ");
        return state < 0 ? line : line.substring(0, state);
    }

    /** Returns the failure with the name of the failed job before the message. */
    public static BellmanException ofJob(String job, BellmanException failure, Throwable cause) {
        return new BellmanException(failure.code(), "%s: %s".formatted(job, withoutCode(failure.getMessage())), cause);
    }

    /** Returns the message of a {@link BellmanException}, without the code. */
    public static String withoutCode(String message) {
        return CODED.matcher(message).replaceFirst("");
    }
}
