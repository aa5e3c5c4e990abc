package dev.bellman.plan.packed;

import dev.bellman.plan.catalyst.Scala;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/** Reads the rows of a partition one after another. Their first column is a string that is not NULL. */
public abstract class RowReader {
    private RowReader() {}

    /** Reads the next row; returns false at the end. */
    abstract boolean advance();

    /** Returns the array that contains the string; null if {@link #offset} is an address. */
    abstract Object base();

    abstract long offset();

    /** Returns the number of bytes of the string. */
    abstract int length();

    /** Returns a BIGINT that is not NULL. */
    abstract long number(int column);

    /** Returns a BOOLEAN that is not NULL. */
    abstract boolean flag(int column);

    /** Returns an encoder for some columns, all of which have a fixed width. */
    abstract Encoder encoder(int from, int columns);

    /** Encodes some columns of the current row as {@code UnsafeRow} does, so that each column takes a word. */
    interface Encoder {
        void write(long[] words, int at);
    }

    /** Returns the number of words per row: a word with a bit for each NULL, and a word for each column. */
    static int words(int columns) {
        return columns == 0 ? 0 : 1 + columns;
    }

    /** Copies the string to the beginning of an array. Returns this array, or a larger one. */
    final byte[] copied(byte[] bytes) {
        byte[] enough = length() <= bytes.length ? bytes : new byte[length()];
        Platform.copyMemory(base(), offset(), enough, Platform.BYTE_ARRAY_OFFSET, length());
        return enough;
    }

    /** Reads Spark's rows. */
    public static final class OfRows extends RowReader {
        private final Iterator<InternalRow> rows;
        private final Seq<Attribute> input;
        private InternalRow row;
        private UTF8String string;

        /** @param input the columns of the rows */
        public OfRows(Iterator<InternalRow> rows, Seq<Attribute> input) {
            this.rows = rows;
            this.input = input;
        }

        @Override
        boolean advance() {
            if (!rows.hasNext()) {
                return false;
            }
            row = rows.next();
            string = row.getUTF8String(0);
            return true;
        }

        @Override
        Object base() {
            return string.getBaseObject();
        }

        @Override
        long offset() {
            return string.getBaseOffset();
        }

        @Override
        int length() {
            return string.numBytes();
        }

        @Override
        long number(int column) {
            return row.getLong(column);
        }

        @Override
        boolean flag(int column) {
            return row.getBoolean(column);
        }

        @Override
        Encoder encoder(int from, int columns) {
            UnsafeProjection projection = UnsafeProjection.create(
                    Scala.seq(Scala.list(input).subList(from, from + columns).stream()
                            .map(Expression.class::cast)
                            .toList()),
                    input);
            int size = words(columns);
            return (words, at) -> {
                UnsafeRow encoded = projection.apply(row);
                Object base = encoded.getBaseObject();
                long start = encoded.getBaseOffset();
                // a row has few words, so a loop is faster than copyMemory
                for (int i = 0; i < size; i++) {
                    words[at + i] = Platform.getLong(base, start + (long) Long.BYTES * i);
                }
            };
        }
    }

    /**
     * Reads rows in host memory. Unlike {@link OfRows}, this class creates no objects for a row and calls no generated
     * code, so Java soon optimizes the loop that packs rows.
     */
    public static final class OfBatches extends RowReader {
        private final Iterator<RowsFromGpu.Batch> batches;
        private RowsFromGpu.Column[] columns;
        private RowsFromGpu.Column strings;
        private int rows;
        private int row = -1;
        private long start;
        private int length;

        public OfBatches(Iterator<RowsFromGpu.Batch> batches) {
            this.batches = batches;
        }

        @Override
        boolean advance() {
            row++;
            while (row >= rows) {
                if (!batches.hasNext()) {
                    return false;
                }
                RowsFromGpu.Batch batch = batches.next();
                columns = batch.columns().toArray(RowsFromGpu.Column[]::new);
                strings = columns[0];
                rows = batch.rows();
                row = 0;
            }
            int offset = strings.offset(row);
            start = strings.data() + offset;
            length = strings.offset(row + 1) - offset;
            return true;
        }

        @Override
        Object base() {
            return null;
        }

        @Override
        long offset() {
            return start;
        }

        @Override
        int length() {
            return length;
        }

        @Override
        long number(int column) {
            return columns[column].word(row);
        }

        @Override
        boolean flag(int column) {
            return columns[column].word(row) != 0;
        }

        @Override
        Encoder encoder(int from, int count) {
            if (count == 0) {
                return (words, at) -> {};
            }
            return (words, at) -> {
                long nulls = 0;
                for (int i = 0; i < count; i++) {
                    RowsFromGpu.Column column = columns[from + i];
                    boolean isNull = column.isNull(row);
                    nulls |= (isNull ? 1L : 0) << i;
                    words[at + 1 + i] = isNull ? 0 : column.word(row);
                }
                words[at] = nulls;
            };
        }
    }
}
