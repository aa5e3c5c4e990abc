package dev.bellman.job.text;

/** Reads and parses the records of a file or of a part of a file. */
public interface RecordParser {
    /**
     * Reads the next record, or text between two records, such as a blank line or a header.
     *
     * @param record receives the text; must be empty when this method is called
     * @return whether the text that was read is a record
     */
    boolean read(TextInput input, ByteBuilder record);

    /**
     * Returns the values of the record that was read last. The values are valid until the next record is read.
     *
     * @throws MalformedRecordException if the record that was read last is malformed
     */
    Object[] parse(ByteBuilder record) throws MalformedRecordException;

    /** Called at the end of this part of the file, after which no more records start. */
    default void end(TextInput input) {}
}
