package dev.bellman.job.text;

/** Thrown for a malformed record, after which the next one can be read. */
public final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
