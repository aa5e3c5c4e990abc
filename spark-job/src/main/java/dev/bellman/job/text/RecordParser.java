package dev.bellman.job.text;

/** Reads and parses the records of one file or part of a file. */
public interface RecordParser {
    /**
     * Reads the next record, or the text between records: a blank line, a header.
     *
     * @param record empty; the text read is appended
     * @return whether it is a record
     */
    boolean read(TextInput input, ByteBuilder record);

    /**
     * The values of the last record read, valid until the next one is read.
     *
     * @throws MalformedRecordException if it is malformed
     */
    Object[] parse(ByteBuilder record) throws MalformedRecordException;

    /** No more records start in this part of the file. */
    default void end(TextInput input) {}
}
