package dev.bellman;

/** The stable codes of {@link BellmanException}. A code never changes its meaning; messages may. */
public enum ErrorCode {
    /** The command line is invalid: for example, an option is unknown or an operand is missing. */
    BELLMAN_USAGE,
    /** The job file is invalid: for example, a key is unknown, or a value is missing or has the wrong type. */
    BELLMAN_JOB_FILE,
    /** A configuration value is invalid: for example, a strategy is unknown. */
    BELLMAN_CONFIGURATION,
    /** A function is called with the wrong number or types of arguments. */
    BELLMAN_FUNCTION_ARGUMENTS,
    /** The input cannot be found or read. */
    BELLMAN_INPUT_READ,
    /** The input is malformed: for example, a FASTQ record without qualities. */
    BELLMAN_INPUT_FORMAT,
    /** The input lacks a column, or a column has the wrong type. */
    BELLMAN_INPUT_SCHEMA,
    /** An input path has no files, or only empty files although their format requires some content. */
    BELLMAN_INPUT_EMPTY,
    /** A row contains a value that the function does not allow. */
    BELLMAN_INPUT_VALUE,
    /** A result does not fit in 64 bits, or an intermediate number might not. */
    BELLMAN_OVERFLOW,
    /** An input exceeds a documented limit, or needs more memory than a task may use. */
    BELLMAN_LIMIT,
    /** A join on close strings would return more pairs of rows than {@code spark.bellman.join.maxPairs}. */
    BELLMAN_JOIN_PAIRS,
    /** The output already exists, and the save mode does not allow that. */
    BELLMAN_OUTPUT_EXISTS,
    /** A different run is writing to the output. */
    BELLMAN_OUTPUT_LOCKED,
    /** Writing the output would destroy an input, another output, or files that neither Spark nor Bellman wrote. */
    BELLMAN_OUTPUT_UNSAFE,
    /** The output cannot be written. */
    BELLMAN_OUTPUT_WRITE,
    /** A GPU was required but not used. */
    BELLMAN_GPU_REQUIRED,
    /** The executors of a run failed before completing any task. */
    BELLMAN_EXECUTOR_START,
    /** In {@code bellman check}, two strategies, or an engine and the oracle, returned different results. */
    BELLMAN_CHECK_FAILED,
    /** Verification found a row for which two strategies return different results. */
    BELLMAN_VERIFY_FAILED,
    /** An internal error of Bellman or Spark. */
    BELLMAN_INTERNAL;

    /**
     * Whether the error rejects a single row: {@code try_} functions return NULL for this row, and jobs can quarantine
     * it.
     */
    public boolean isRowError() {
        return this == BELLMAN_INPUT_VALUE || this == BELLMAN_OVERFLOW || this == BELLMAN_LIMIT;
    }
}
