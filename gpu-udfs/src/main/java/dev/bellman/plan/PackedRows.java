package dev.bellman.plan;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.join.StringBlock;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/**
 * Packs rows into blocks, one block at a time. A block contains each string once, followed by the columns of its left
 * rows and then of its right rows. Rows arrive sorted by the hashes of their strings, so the rows of a string are
 * adjacent unless several strings have the same hash.
 */
final class PackedRows implements Iterator<StringBlock> {
    private static final long SEED = 42;

    private final Iterator<InternalRow> rows;
    private final boolean grouped;
    private final boolean same;
    /** The index of the column that contains the side, if the two sides differ. */
    private final int side;

    private final UnsafeProjection left;
    private final UnsafeProjection right;
    /** The strings that have the current hash; only the first {@code used} entries are valid. */
    private final List<Rows> ofHash = new ArrayList<>();

    private int used;
    private InternalRow next;
    /** The string and the group of the next row. */
    private UTF8String string;

    private long group;
    /** The hash of the next row. */
    private long nextHash;

    private StringBlock last;

    /**
     * @param input the columns of the rows: the string, the group, the side, the left side's columns, the right side's
     *     columns
     */
    PackedRows(Iterator<InternalRow> rows, boolean grouped, Seq<Attribute> input, SimilarStrings.Rows kept) {
        this.rows = rows;
        this.grouped = grouped;
        same = kept.same();
        side = grouped ? 2 : 1;
        int from = same ? side : side + 1;
        left = projection(input, from, kept.left().size());
        right = same
                ? left
                : projection(input, from + kept.left().size(), kept.right().size());
        read();
        nextHash = next == null ? 0 : hash();
    }

    private void read() {
        next = rows.hasNext() ? rows.next() : null;
        if (next != null) {
            string = next.getUTF8String(0);
            group = grouped ? next.getLong(1) : 0;
        }
    }

    private static UnsafeProjection projection(Seq<Attribute> input, int from, int columns) {
        return UnsafeProjection.create(
                Scala.seq(Scala.list(input).subList(from, from + columns).stream()
                        .map(Expression.class::cast)
                        .toList()),
                input);
    }

    /** The rows of a string on each side, encoded as words. */
    private static final class Rows {
        byte[] bytes = new byte[64];
        int length;
        long group;
        final Side left = new Side();
        final Side right = new Side();

        void begin(UTF8String string, long ofGroup) {
            length = string.numBytes();
            if (length > bytes.length) {
                bytes = new byte[length];
            }
            string.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET);
            group = ofGroup;
            left.clear();
            right.clear();
        }

        boolean has(UTF8String string, long ofGroup) {
            return group == ofGroup
                    && length == string.numBytes()
                    && ByteArrayMethods.arrayEquals(
                            string.getBaseObject(), string.getBaseOffset(), bytes, Platform.BYTE_ARRAY_OFFSET, length);
        }
    }

    private static final class Side {
        long[] words = new long[8];
        int size;
        long count;

        void add(UnsafeRow row) {
            int more = row.getSizeInBytes() / Long.BYTES;
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
            Object base = row.getBaseObject();
            long from = row.getBaseOffset();
            // a row has few words, so a loop is faster than copyMemory
            for (int i = 0; i < more; i++) {
                words[size + i] = Platform.getLong(base, from + (long) Long.BYTES * i);
            }
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
        return next != null;
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
        } while (next != null && !block.isFull());
        last = block;
        return block.trimmed();
    }

    /** Reads all rows whose strings have the same hash as the next row's string. */
    private void readHash() {
        used = 0;
        long hash = nextHash;
        Rows found = find();
        while (true) {
            boolean toLeft = same || next.getBoolean(side);
            (toLeft ? found.left : found.right).add((toLeft ? left : right).apply(next));
            read();
            if (next == null) {
                return;
            }
            if (!found.has(string, group)) {
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
            if (ofHash.get(i).has(string, group)) {
                return ofHash.get(i);
            }
        }
        if (used == ofHash.size()) {
            ofHash.add(new Rows());
        }
        Rows added = ofHash.get(used++);
        added.begin(string, group);
        return added;
    }

    /** Returns the hash of the next row, by which {@link SimilarStringsExec#requiredChildOrdering} sorts. */
    private long hash() {
        long hash = XXH64.hashUnsafeBytes(string.getBaseObject(), string.getBaseOffset(), string.numBytes(), SEED);
        return grouped ? XXH64.hashLong(group, hash) : hash;
    }
}
