package dev.bellman.job.sequence;

import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import scala.collection.immutable.Map;

/**
 * FASTA: {@code spark.read().format("fasta").load(path)}, columns {@code id}, {@code description} and {@code sequence}. A
 * plain file is split at {@code spark.sql.files.maxPartitionBytes}; a record belongs to the task in whose part its {@code >}
 * lies. A compressed file is read by one task.
 */
public final class FastaFormat extends SequenceFormat implements FileFormat {
    private static final long serialVersionUID = 1L;

    public FastaFormat() {
        super("fasta", SequenceColumn.ID, SequenceColumn.DESCRIPTION, SequenceColumn.SEQUENCE);
    }

    @Override
    public boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return !SequenceReader.isCompressed(spark.sparkContext().hadoopConfiguration(), path);
    }

    @Override
    RecordParser parser(SequenceInput input, long end, RecordLayout layout) {
        return new FastaParser(input, end, layout);
    }
}
