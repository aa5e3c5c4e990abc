package dev.bellman.job.input;

import dev.bellman.job.format.Format;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * For columnar files with wide rows, lowers the number of rows that Spark reads at a time. For example, if each row has
 * 100,000 letters, the default of 4,096 rows exceeds a task's memory.
 */
final class WideRows {
    /** The intended size of a batch, in bytes. Spark may double the size of the vectors that hold the batch. */
    private static final long BATCH_BYTES = 16L << 20;

    /** The number of files that are examined; they are spread over all files. */
    private static final int FILES = 4;

    private static final String PARQUET = "spark.sql.parquet.columnarReaderBatchSize";
    private static final String ORC = "spark.sql.orc.columnarReaderBatchSize";

    private WideRows() {}

    /** Lowers the session's batch size if the footers of a few files show that rows are wide. */
    static void fit(Dataset<Row> rows, Format format) {
        if (!format.isColumnar()) {
            return;
        }
        String key = format == Format.PARQUET ? PARQUET : ORC;
        String[] files = rows.inputFiles();
        Configuration configuration = rows.sparkSession().sparkContext().hadoopConfiguration();
        double widest = IntStream.range(0, Math.min(FILES, files.length))
                .mapToObj(i -> new Path(files[(int) ((long) i * files.length / Math.min(FILES, files.length))]))
                .mapToDouble(file -> width(file, format, configuration))
                .max()
                .orElse(0);
        long now = Long.parseLong(rows.sparkSession().conf().get(key));
        long fitting = Math.max(1, (long) (BATCH_BYTES / Math.max(1, widest)));
        if (fitting < now) {
            rows.sparkSession().conf().set(key, fitting);
        }
    }

    /**
     * Returns the number of bytes per row, in the row group with the widest rows of a Parquet file or on average in an
     * ORC file; 0 if this number is unknown.
     */
    private static double width(Path file, Format format, Configuration configuration) {
        try {
            return format == Format.PARQUET ? parquet(file, configuration) : orc(file, configuration);
        } catch (IOException | RuntimeException e) {
            // the reader will report that the file is damaged
            return 0;
        }
    }

    private static double parquet(Path file, Configuration configuration) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(file, configuration))) {
            OptionalDouble widest = reader.getRowGroups().stream()
                    .filter(group -> group.getRowCount() > 0)
                    .mapToDouble(group -> (double) group.getTotalByteSize() / group.getRowCount())
                    .max();
            return widest.orElse(0);
        }
    }

    private static double orc(Path file, Configuration configuration) throws IOException {
        try (Reader reader = OrcFile.createReader(file, OrcFile.readerOptions(configuration))) {
            return reader.getNumberOfRows() == 0 ? 0 : (double) reader.getRawDataSize() / reader.getNumberOfRows();
        }
    }
}
