package dev.bellman.plan;

import dev.bellman.join.StringBlock;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Packs distinct strings with their row counts into blocks, one block at a time. */
final class PackedStrings implements Iterator<StringBlock> {
    private final Iterator<InternalRow> rows;
    private final boolean grouped;

    PackedStrings(Iterator<InternalRow> rows, boolean grouped) {
        this.rows = rows;
        this.grouped = grouped;
    }

    @Override
    public boolean hasNext() {
        return rows.hasNext();
    }

    @Override
    public StringBlock next() {
        StringBlock block = new StringBlock(grouped);
        int counts = grouped ? 2 : 1;
        do {
            InternalRow row = rows.next();
            block.add(
                    row.getUTF8String(0).getBytes(),
                    grouped ? row.getLong(1) : 0,
                    row.getLong(counts),
                    row.getLong(counts + 1));
        } while (rows.hasNext() && !block.isFull());
        return block.trimmed();
    }
}
