package dev.bellman.job.text;

/** Reads and parses the records in one file or part of a file. */
public interface RecordParser {
    /**
     * Reads the next record, or the text between records, such as a blank line or a header.
     *
     * @param record receives the text; must be empty
     * @return whether the text is a record
     */
    boolean read(TextInput input, ByteBuilder record);

    /**
     * Returns the values of the last record. The values are valid until the next record is read.
     *
     * @throws MalformedRecordException if the record is malformed
     */
    Object[] parse(ByteBuilder record) throws MalformedRecordException;

    /** Handles the end of this part of the file, in which no more records start. */
    default void end(TextInput input) {}
}
