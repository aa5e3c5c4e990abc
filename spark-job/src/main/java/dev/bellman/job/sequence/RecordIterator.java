package dev.bellman.job.sequence;

import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import scala.collection.AbstractIterator;

/** Records as rows. The row is used again: Spark copies each into its own format before it asks for the next. */
final class RecordIterator extends AbstractIterator<InternalRow> {
    private final SequenceInput input;
    private final RecordParser parser;
    private final SequenceColumn[] columns;
    private final Object[] values;
    private final InternalRow row;
    private boolean ready;
    private boolean finished;

    RecordIterator(SequenceInput input, RecordParser parser, RecordLayout layout) {
        this.input = input;
        this.parser = parser;
        this.columns = layout.columns().toArray(SequenceColumn[]::new);
        this.values = new Object[columns.length];
        this.row = new GenericInternalRow(values);
    }

    @Override
    public boolean hasNext() {
        if (!ready && !finished) {
            ready = parser.next();
            if (!ready) {
                finished = true;
                // a task may read thousands of files: none stays open longer than it is read
                input.close();
            }
        }
        return ready;
    }

    @Override
    public InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ready = false;
        for (int i = 0; i < columns.length; i++) {
            values[i] = parser.value(columns[i]);
        }
        return row;
    }
}
