package dev.bellman.job.text;

/** One record is malformed; the next one can be read. */
public final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
