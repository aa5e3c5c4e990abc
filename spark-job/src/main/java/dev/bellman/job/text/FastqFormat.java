package dev.bellman.job.text;

import scala.collection.immutable.Map;

/**
 * FASTQ: {@code spark.read().format("fastq").load(path)} returns the columns {@code id}, {@code description},
 * {@code sequence} and {@code quality}. A single task reads a file, because a header in the middle of a file cannot be
 * distinguished from a line of quality values, which may also start with {@code @}. Different tasks can read different
 * files.
 */
public final class FastqFormat extends SequenceFormat {
    private static final long serialVersionUID = 1L;

    public FastqFormat() {
        super("fastq", SequenceColumn.ID, SequenceColumn.DESCRIPTION, SequenceColumn.SEQUENCE, SequenceColumn.QUALITY);
    }

    @Override
    public boolean splits(Map<String, String> options) {
        return false;
    }

    @Override
    SequenceParser parser(TextInput input, long end, SequenceLayout layout) {
        return new FastqParser(input, layout);
    }
}
