package dev.bellman.job.text;

/** Reads and parses the records of one file or part of a file. */
interface RecordParser {
    /**
     * Reads the next record, or what lies between records: a blank line, a header.
     *
     * @param record empty; what is read is appended
     * @return whether it is a record
     */
    boolean read(TextInput input, ByteBuilder record);

    /**
     * The values of the record that was read last, valid until the next one is read.
     *
     * @throws MalformedRecordException if it is none
     */
    Object[] parse(ByteBuilder record) throws MalformedRecordException;

    /** No record starts in this part of the file any more. */
    default void end(TextInput input) {}
}
