package dev.bellman.plan.packed;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.join.StringBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/**
 * Packs rows into blocks, one block at a time. A block contains each string once, followed by the columns of its left
 * rows and then of its right rows. Rows arrive sorted by the hashes of their strings, so the rows of a string are
 * adjacent unless several strings have the same hash.
 */
public final class PackedRows implements Iterator<StringBlock> {
    private static final long SEED = 42;

    private final RowReader rows;
    private final boolean grouped;
    private final boolean same;
    /** The index of the column that contains the side, if the two sides differ. */
    private final int side;

    private final Words left;
    private final Words right;
    /** The strings that have the current hash; only the first {@code used} entries are valid. */
    private final List<Rows> ofHash = new ArrayList<>();

    private int used;
    /** Whether there is a next row, which {@link #rows} has read. */
    private boolean hasRow;
    /** The group of the next row. */
    private long group;
    /** The hash of the next row. */
    private long nextHash;

    private StringBlock last;

    /**
     * @param rows the rows: the string, the group, the side, the left side's columns, the right side's columns
     * @param same whether both sides are the same, and their columns occur once
     */
    public PackedRows(RowReader rows, boolean grouped, boolean same, int leftColumns, int rightColumns) {
        this.rows = rows;
        this.grouped = grouped;
        this.same = same;
        side = grouped ? 2 : 1;
        int from = same ? side : side + 1;
        left = new Words(rows.encoder(from, leftColumns), RowReader.words(leftColumns));
        right = same ? left : new Words(rows.encoder(from + leftColumns, rightColumns), RowReader.words(rightColumns));
        read();
        nextHash = hasRow ? hash() : 0;
    }

    private void read() {
        hasRow = rows.advance();
        if (hasRow) {
            group = grouped ? rows.number(1) : 0;
        }
    }

    /** @param size the number of words per row */
    private record Words(RowReader.Encoder encoder, int size) {}

    /** The rows of a string on each side, encoded as words. */
    private static final class Rows {
        byte[] bytes = new byte[64];
        int length;
        long group;
        final Side left = new Side();
        final Side right = new Side();

        void begin(RowReader row, long ofGroup) {
            length = row.length();
            bytes = row.copied(bytes);
            group = ofGroup;
            left.clear();
            right.clear();
        }

        boolean has(RowReader row, long ofGroup) {
            return group == ofGroup
                    && length == row.length()
                    && ByteArrayMethods.arrayEquals(
                            row.base(), row.offset(), bytes, Platform.BYTE_ARRAY_OFFSET, length);
        }
    }

    private static final class Side {
        long[] words = new long[8];
        int size;
        long count;

        void add(Words row) {
            int more = row.size();
            if (more > words.length - size) {
                long wanted = Math.max(2L * words.length, (long) size + more);
                if (size + (long) more > Integer.MAX_VALUE - 8) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_LIMIT,
                            ("the join on close strings: one side has %,d rows with the same string, which is "
                                            + "too many. Filter out empty strings and placeholders, or deduplicate the "
                                            + "strings")
                                    .formatted(count));
                }
                words = Arrays.copyOf(words, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
            }
            row.encoder().write(words, size);
            size += more;
            count++;
        }

        void clear() {
            size = 0;
            count = 0;
        }
    }

    @Override
    public boolean hasNext() {
        return hasRow;
    }

    @Override
    public StringBlock next() {
        StringBlock block = last == null ? new StringBlock(grouped) : last.another();
        do {
            readHash();
            for (int i = 0; i < used; i++) {
                Rows each = ofHash.get(i);
                block.add(
                        each.bytes,
                        each.length,
                        each.group,
                        each.left.count,
                        same ? each.left.count : each.right.count);
                block.addRows(each.left.words, each.left.size);
                if (each.right.count > 0) {
                    block.addRows(each.right.words, each.right.size);
                }
            }
        } while (hasRow && !block.isFull());
        last = block;
        return block.trimmed();
    }

    /** Reads all rows whose strings have the same hash as the next row's string. */
    private void readHash() {
        used = 0;
        long hash = nextHash;
        Rows found = find();
        while (true) {
            boolean toLeft = same || rows.flag(side);
            (toLeft ? found.left : found.right).add(toLeft ? left : right);
            read();
            if (!hasRow) {
                return;
            }
            if (!found.has(rows, group)) {
                nextHash = hash();
                if (nextHash != hash) {
                    return;
                }
                found = find();
            }
        }
    }

    private Rows find() {
        for (int i = 0; i < used; i++) {
            if (ofHash.get(i).has(rows, group)) {
                return ofHash.get(i);
            }
        }
        if (used == ofHash.size()) {
            ofHash.add(new Rows());
        }
        Rows added = ofHash.get(used++);
        added.begin(rows, group);
        return added;
    }

    /** Returns the hash of the next row, by which {@code SimilarStringsExec.requiredChildOrdering} sorts. */
    private long hash() {
        long hash = XXH64.hashUnsafeBytes(rows.base(), rows.offset(), rows.length(), SEED);
        return grouped ? XXH64.hashLong(group, hash) : hash;
    }
}
