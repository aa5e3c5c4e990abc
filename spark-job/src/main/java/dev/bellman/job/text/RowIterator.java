package dev.bellman.job.text;

import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.AbstractIterator;

/** Iterates over rows for Spark, which copies each row into its own format before it requests the next one. */
final class RowIterator extends AbstractIterator<InternalRow> {
    private final TextInput input;
    private final RowSource rows;
    private boolean ready;
    private boolean finished;

    RowIterator(TextInput input, RowSource rows) {
        this.input = input;
        this.rows = rows;
    }

    @Override
    public boolean hasNext() {
        if (!ready && !finished) {
            ready = rows.next();
            if (!ready) {
                finished = true;
                // close each file as soon as it has been read, because a task may read thousands of files
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
        return rows.row();
    }
}
