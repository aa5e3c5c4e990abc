package dev.bellman.job.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;

/** Spark's Parquet format, which also collects {@link WrittenRows}. */
final class CollectingParquet extends ParquetFileFormat {
    private static final long serialVersionUID = 1L;

    /** The maximum number of rows collected per file, and the maximum number of bytes per row. */
    private static final int MAX_ROWS = 4_096;

    private static final int MAX_BYTES = 16 << 10;

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
        private final int[] columns;
        private final DataType[] types;
        private final List<UnsafeRow> first = new ArrayList<>();
        private final List<double[]> values = new ArrayList<>();
        private boolean collects = true;

        Writer(OutputWriter parquet, StructType schema, WrittenRows rows) {
            this.parquet = parquet;
            this.rows = rows;
            columns = rows.columns().stream().mapToInt(schema::fieldIndex).toArray();
            types = Arrays.stream(columns)
                    .mapToObj(column -> schema.fields()[column].dataType())
                    .toArray(DataType[]::new);
        }

        @Override
        public String path() {
            return parquet.path();
        }

        @Override
        public void write(InternalRow row) {
            parquet.write(row);
            if (collects) {
                collect(row);
            }
        }

        private void collect(InternalRow row) {
            if (first.size() < WrittenRows.FIRST) {
                if (!(row instanceof UnsafeRow unsafe) || unsafe.getSizeInBytes() > MAX_BYTES) {
                    collects = false;
                    return;
                }
                first.add(unsafe.copy());
            }
            double[] numbers = new double[columns.length];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = row.isNullAt(columns[i]) ? Double.NaN : number(row, columns[i], types[i]);
            }
            values.add(numbers);
            collects = values.size() <= MAX_ROWS;
        }

        @Override
        public void close() {
            parquet.close();
            if (collects) {
                rows.add(new WrittenRows.InFile(new Path(path()).getName(), first, values));
            } else {
                rows.tooMany();
            }
        }
    }

    /** Returns the number to show for a value: the value itself if it is a number, or otherwise its length. */
    private static double number(InternalRow row, int column, DataType type) {
        if (type instanceof StringType) {
            return row.getUTF8String(column).numChars();
        }
        if (type instanceof ArrayType) {
            return row.getArray(column).numElements();
        }
        Object value = row.get(column, type);
        return value instanceof Decimal decimal ? decimal.toDouble() : ((Number) value).doubleValue();
    }
}
