package dev.bellman.job.terminal;

import dev.bellman.ErrorCode;

/** The exit codes of the process. The numbers are part of the public interface. */
public enum ExitCode {
    DONE(0),
    USAGE(1),
    /** The job cannot run with this job file, input, output or configuration. */
    INPUT(2),
    /** The output could not be written, executors did not start, results differed, or an internal error occurred. */
    FAILURE(3),
    /** A GPU was required but not used. */
    GPU_REQUIRED(4),
    /** The job finished, but rows were quarantined. */
    QUARANTINED(5);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public static ExitCode of(ErrorCode code) {
        return switch (code) {
            case BELLMAN_USAGE -> USAGE;
            case BELLMAN_JOB_FILE,
                    BELLMAN_CONFIGURATION,
                    BELLMAN_FUNCTION_ARGUMENTS,
                    BELLMAN_INPUT_READ,
                    BELLMAN_INPUT_FORMAT,
                    BELLMAN_INPUT_SCHEMA,
                    BELLMAN_INPUT_EMPTY,
                    BELLMAN_INPUT_VALUE,
                    BELLMAN_OVERFLOW,
                    BELLMAN_LIMIT,
                    BELLMAN_JOIN_PAIRS,
                    BELLMAN_OUTPUT_EXISTS,
                    BELLMAN_OUTPUT_LOCKED,
                    BELLMAN_OUTPUT_UNSAFE -> INPUT;
            case BELLMAN_OUTPUT_WRITE,
                    BELLMAN_EXECUTOR_START,
                    BELLMAN_CHECK_FAILED,
                    BELLMAN_VERIFY_FAILED,
                    BELLMAN_INTERNAL -> FAILURE;
            case BELLMAN_GPU_REQUIRED -> GPU_REQUIRED;
        };
    }
}
