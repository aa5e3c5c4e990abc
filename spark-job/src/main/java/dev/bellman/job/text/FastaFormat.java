package dev.bellman.job.text;

import scala.collection.immutable.Map;

/**
 * FASTA: {@code spark.read().format("fasta").load(path)} returns the columns {@code id}, {@code description} and
 * {@code sequence}. An uncompressed UTF-8 file is split at {@code spark.sql.files.maxPartitionBytes}; each record
 * belongs to the task whose part of the file contains the record's {@code >}. A single task reads any other file.
 */
public final class FastaFormat extends SequenceFormat {
    private static final long serialVersionUID = 1L;

    public FastaFormat() {
        super("fasta", SequenceColumn.ID, SequenceColumn.DESCRIPTION, SequenceColumn.SEQUENCE);
    }

    @Override
    public boolean splits(Map<String, String> options) {
        return true;
    }

    @Override
    SequenceParser parser(TextInput input, long end, SequenceLayout layout) {
        return new FastaParser(input, end, layout);
    }
}
