package dev.bellman.job.format;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;

/** Spark's Parquet format, which also collects {@link WrittenRows}. */
final class CollectingParquet extends ParquetFileFormat {
    private static final long serialVersionUID = 1L;

    private final WrittenRows rows;

    CollectingParquet(WrittenRows rows) {
        this.rows = rows;
    }

    @Override
    public OutputWriterFactory prepareWrite(
            SparkSession spark, Job job, Map<String, String> options, StructType schema) {
        return new Writers(super.prepareWrite(spark, job, options, schema), rows);
    }

    private static final class Writers extends OutputWriterFactory {
        private static final long serialVersionUID = 1L;

        private final OutputWriterFactory parquet;
        private final WrittenRows rows;

        Writers(OutputWriterFactory parquet, WrittenRows rows) {
            this.parquet = parquet;
            this.rows = rows;
        }

        @Override
        public String getFileExtension(TaskAttemptContext context) {
            return parquet.getFileExtension(context);
        }

        @Override
        public OutputWriter newInstance(String path, StructType schema, TaskAttemptContext context) {
            return new Writer(parquet.newInstance(path, schema, context), schema, rows);
        }
    }

    private static final class Writer extends OutputWriter {
        private final OutputWriter parquet;
        private final WrittenRows rows;
        private final RowsOfFile collected;

        Writer(OutputWriter parquet, StructType schema, WrittenRows rows) {
            this.parquet = parquet;
            this.rows = rows;
            collected = new RowsOfFile(schema, rows.columns());
        }

        @Override
        public String path() {
            return parquet.path();
        }

        @Override
        public void write(InternalRow row) {
            parquet.write(row);
            collected.add(row);
        }

        @Override
        public void close() {
            parquet.close();
            collected.inFile(new Path(path()).getName()).ifPresentOrElse(rows::add, rows::tooMany);
        }
    }
}
