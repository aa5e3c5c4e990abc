package dev.bellman.plan;

import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows of batches. A row is valid until the next one. */
final class BatchRows implements Iterator<InternalRow> {
    private final Iterator<ColumnarBatch> batches;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    BatchRows(Iterator<ColumnarBatch> batches) {
        this.batches = batches;
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext()) {
            if (!batches.hasNext()) {
                return false;
            }
            rows = batches.next().rowIterator();
        }
        return true;
    }

    @Override
    public InternalRow next() {
        hasNext();
        return rows.next();
    }
}
