package dev.bellman.job.text;

/** One record is malformed; the next one can be read. */
final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
