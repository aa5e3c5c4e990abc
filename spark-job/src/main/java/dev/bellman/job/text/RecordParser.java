package dev.bellman.job.text;

/** Reads and parses the records in one file or part of a file. */
public interface RecordParser {
    /**
     * Reads the next record, or text between records such as a blank line or a header.
     *
     * @param record an empty buffer, to which the text is appended
     * @return whether the text is a record
     */
    boolean read(TextInput input, ByteBuilder record);

    /**
     * Returns the values of the last record read, valid until the next one is read.
     *
     * @throws MalformedRecordException if the record is malformed
     */
    Object[] parse(ByteBuilder record) throws MalformedRecordException;

    /** Called when no more records start in this part of the file. */
    default void end(TextInput input) {}
}
