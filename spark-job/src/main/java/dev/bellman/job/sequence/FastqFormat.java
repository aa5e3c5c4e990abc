package dev.bellman.job.sequence;

import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import scala.collection.immutable.Map;

/**
 * FASTQ: {@code spark.read().format("fastq").load(path)}, columns {@code id}, {@code description}, {@code sequence} and
 * {@code quality}. A file is read by one task: from its middle nobody can tell a header from a line of qualities, which may
 * start with {@code @} too. Many files spread over tasks.
 */
public final class FastqFormat extends SequenceFormat implements FileFormat {
    private static final long serialVersionUID = 1L;

    public FastqFormat() {
        super("fastq", SequenceColumn.ID, SequenceColumn.DESCRIPTION, SequenceColumn.SEQUENCE, SequenceColumn.QUALITY);
    }

    @Override
    public boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return false;
    }

    @Override
    RecordParser parser(SequenceInput input, long end, RecordLayout layout) {
        return new FastqParser(input, layout);
    }
}
