package dev.bellman.job.sequence;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.io.HadoopCodecStreams;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens a file, or a part of it, inside a task. */
final class SequenceReader extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final SequenceFormat format;
    private final RecordLayout layout;
    private final Broadcast<SerializableConfiguration> configuration;

    SequenceReader(SequenceFormat format, RecordLayout layout, Broadcast<SerializableConfiguration> configuration) {
        this.format = format;
        this.layout = layout;
        this.configuration = configuration;
    }

    /** Whether the name of {@code path} is that of a file that one of Hadoop's or Spark's codecs reads. */
    static boolean isCompressed(Configuration configuration, Path path) {
        return path.getName().endsWith(".zst")
                || HadoopCodecStreams.getDecompressionCodec(configuration, path).isDefined();
    }

    @Override
    public Iterator<InternalRow> apply(PartitionedFile part) {
        SequenceInput input = open(part.toPath(), part.start());
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.addTaskCompletionListener((TaskCompletionListener) context -> input.close());
        }
        long end = input.compressed() ? Long.MAX_VALUE : part.start() + part.length();
        return new RecordIterator(input, format.parser(input, end, layout), layout);
    }

    private SequenceInput open(Path path, long start) {
        Configuration hadoop = configuration.value().value();
        try {
            if (isCompressed(hadoop, path)) {
                return new SequenceInput(openCompressed(hadoop, path), path.toString(), 0, true);
            }
            FSDataInputStream file = path.getFileSystem(hadoop).open(path);
            try {
                if (start > 0) {
                    // the byte before tells whether the part starts at the start of a line
                    file.seek(start - 1);
                }
                return new SequenceInput(file, path.toString(), start, false);
            } catch (IOException | RuntimeException e) {
                closeQuietly(file, e);
                throw e;
            }
        } catch (IOException e) {
            // as it is: Spark looks for a missing file by its exception
            Platform.throwException(e);
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream openCompressed(Configuration hadoop, Path path) {
        try {
            return HadoopCodecStreams.createInputStream(hadoop, path);
        } catch (Exception e) {
            // Scala does not declare its IOException; some codecs read the first block here
            if (e instanceof IOException damage && !(e instanceof FileNotFoundException)) {
                throw SequenceInput.damaged(path.toString(), 1, damage);
            }
            throw e;
        }
    }

    private static void closeQuietly(InputStream file, Exception failure) {
        try {
            file.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
