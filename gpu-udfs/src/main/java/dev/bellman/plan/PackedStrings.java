package dev.bellman.plan;

import dev.bellman.join.StringBlock;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Packs distinct strings with their row counts into blocks, one block at a time. */
final class PackedStrings implements Iterator<StringBlock> {
    private final Iterator<InternalRow> rows;
    private final boolean grouped;
    private StringBlock last;

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
        StringBlock block = last == null ? new StringBlock(grouped) : last.another();
        int counts = grouped ? 2 : 1;
        do {
            InternalRow row = rows.next();
            byte[] string = row.getUTF8String(0).getBytes();
            block.add(
                    string, string.length, grouped ? row.getLong(1) : 0, row.getLong(counts), row.getLong(counts + 1));
        } while (rows.hasNext() && !block.isFull());
        last = block;
        return block.trimmed();
    }
}
