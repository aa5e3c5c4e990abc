package dev.bellman.job.text;

/** What is wrong with one record, the next being none the worse. */
final class MalformedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRecordException(String message) {
        super(message, null, false, false);
    }
}
