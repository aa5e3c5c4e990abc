package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.commons.io.input.ReaderInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** Opens a file, or a part of it, within a task. */
public final class TextReader extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>>
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of copies of a record that exist in memory by the time a function receives it. */
    private static final int COPIES = 6;

    /** The maximum size of a row in Spark, less some space for its fixed fields. */
    static final int MAXIMUM_ROW_BYTES = Integer.MAX_VALUE - 1024;

    private final RowSource.Factory factory;
    private final String encoding;
    private final int maximumRecordBytes;
    private final Broadcast<SerializableConfiguration> configuration;

    /**
     * @param maximumRecordBytes the maximum number of bytes that a record may have; 0 to use a share of the memory of
     *     the task's process
     */
    TextReader(
            RowSource.Factory factory,
            Charset encoding,
            int maximumRecordBytes,
            Broadcast<SerializableConfiguration> configuration) {
        this.factory = factory;
        this.encoding = encoding.name();
        this.maximumRecordBytes = maximumRecordBytes;
        this.configuration = configuration;
    }

    @Override
    public Iterator<InternalRow> apply(PartitionedFile part) {
        TextInput input = open(
                configuration.value().value(),
                part.toPath(),
                part.start(),
                Charset.forName(encoding),
                maximumRecordBytes);
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.addTaskCompletionListener((TaskCompletionListener) context -> input.close());
        }
        long end = input.whole() ? Long.MAX_VALUE : part.start() + part.length();
        return new RowIterator(input, factory.open(input, end));
    }

    /**
     * Opens a file for reading from offset {@code start}. {@code start} must be 0 if the file can be read only from its
     * beginning.
     */
    public static TextInput open(
            Configuration hadoop, Path path, long start, Charset encoding, int maximumRecordBytes) {
        boolean whole = Codec.of(path.getName()).isPresent() || !encoding.equals(StandardCharsets.UTF_8);
        int maximum = maximumRecordBytes > 0 ? maximumRecordBytes : defaultMaximumRecordBytes();
        try {
            if (whole) {
                return new TextInput(openWhole(hadoop, path, encoding), path.toString(), 0, true, maximum, null);
            }
            FSDataInputStream file = path.getFileSystem(hadoop).open(path);
            try {
                if (start > 0) {
                    // the previous byte shows whether this part begins at the start of a line
                    file.seek(start - 1);
                }
                return new TextInput(file, path.toString(), start, false, maximum, () -> path.getFileSystem(hadoop)
                        .open(path));
            } catch (IOException | RuntimeException e) {
                closeQuietly(file, e);
                throw e;
            }
        } catch (IOException e) {
            // throw the exception unchanged, because Spark uses it to recognize a missing file
            Platform.throwException(e);
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream openWhole(Configuration hadoop, Path path, Charset encoding) throws IOException {
        FSDataInputStream file = path.getFileSystem(hadoop).open(path);
        InputStream text = file;
        Optional<Codec> codec = Codec.of(path.getName());
        if (codec.isPresent()) {
            try {
                text = codec.get().open(file);
            } catch (IOException | RuntimeException e) {
                closeQuietly(file, e);
                if (e instanceof FileNotFoundException) {
                    throw e;
                }
                throw TextInput.damaged(path.toString(), 1, 0, e);
            }
        }
        return encoding.equals(StandardCharsets.UTF_8) ? text : inUtf8(text, encoding);
    }

    private static InputStream inUtf8(InputStream text, Charset encoding) throws IOException {
        var decoder = encoding.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        return ReaderInputStream.builder()
                .setReader(new InputStreamReader(text, decoder))
                .setCharset(StandardCharsets.UTF_8)
                .get();
    }

    private static int defaultMaximumRecordBytes() {
        return (int) Math.min(MAXIMUM_ROW_BYTES, TaskMemory.bytes() / COPIES);
    }

    /** @throws BellmanException {@link ErrorCode#BELLMAN_CONFIGURATION} if the charset is unknown */
    static Charset charset(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "unknown encoding '%s'; use one that Java supports, such as UTF-8".formatted(name),
                    e);
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
