package dev.bellman.plan.packed;

import dev.bellman.join.StringBlock;
import java.util.Iterator;

/** Packs distinct strings with their row counts into blocks, one block at a time. */
public final class PackedStrings implements Iterator<StringBlock> {
    private final RowReader rows;
    private final boolean grouped;
    private byte[] string = new byte[64];
    private boolean hasRow;
    private StringBlock last;

    /** @param rows the rows: the string, the group, and the row counts of the left and the right side */
    public PackedStrings(RowReader rows, boolean grouped) {
        this.rows = rows;
        this.grouped = grouped;
        hasRow = rows.advance();
    }

    @Override
    public boolean hasNext() {
        return hasRow;
    }

    @Override
    public StringBlock next() {
        StringBlock block = last == null ? new StringBlock(grouped) : last.another();
        int counts = grouped ? 2 : 1;
        do {
            string = rows.copied(string);
            block.add(
                    string, rows.length(), grouped ? rows.number(1) : 0, rows.number(counts), rows.number(counts + 1));
            hasRow = rows.advance();
        } while (hasRow && !block.isFull());
        last = block;
        return block.trimmed();
    }
}
