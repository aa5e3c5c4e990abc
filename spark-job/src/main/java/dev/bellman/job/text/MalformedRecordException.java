package dev.bellman.job.text;

/** Thrown for a malformed record. After this exception, the parser can continue with the next record. */
public final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
