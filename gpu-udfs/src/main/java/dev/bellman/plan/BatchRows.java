package dev.bellman.plan;

import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows of batches, which it frees one by one. A row is valid until the next one. */
final class BatchRows implements Iterator<InternalRow> {
    private final Iterator<ColumnarBatch> batches;
    private ColumnarBatch batch;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    BatchRows(Iterator<ColumnarBatch> batches) {
        this.batches = batches;
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext()) {
            if (batch != null) {
                batch.closeIfFreeable();
                batch = null;
            }
            if (!batches.hasNext()) {
                return false;
            }
            batch = batches.next();
            rows = batch.rowIterator();
        }
        return true;
    }

    @Override
    public InternalRow next() {
        hasNext();
        return rows.next();
    }
}
