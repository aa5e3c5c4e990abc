package dev.bellman.job.text;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/** Converts sequence records to rows. */
final class SequenceRows implements RowSource {
    private final SequenceParser parser;
    private final SequenceColumn[] columns;
    private final Object[] values;
    private final InternalRow row;

    SequenceRows(SequenceParser parser, SequenceLayout layout) {
        this.parser = parser;
        this.columns = layout.columns().toArray(SequenceColumn[]::new);
        this.values = new Object[columns.length];
        this.row = new GenericInternalRow(values);
    }

    @Override
    public boolean next() {
        return parser.next();
    }

    @Override
    public InternalRow row() {
        for (int i = 0; i < columns.length; i++) {
            values[i] = parser.value(columns[i]);
        }
        return row;
    }
}
