package dev.bellman.plan.packed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.join.StringBlock;
import dev.bellman.plan.catalyst.Scala;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;

class PackedRowsTest {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;

    private static Attribute attribute(DataType type) {
        return new AttributeReference(
                "a", type, true, Metadata.empty(), NamedExpression$.MODULE$.newExprId(), Scala.<String>seq());
    }

    private static InternalRow row(String string, long group, boolean left, int id) {
        return new GenericInternalRow(
                new Object[] {UTF8String.fromString(string), group, left, left ? id : null, left ? null : id});
    }

    /**
     * Returns, for each string and group, the numbers of rows on both sides and the packed columns of these rows. A row
     * takes two words; the first one contains a bit for each NULL.
     */
    private static Map<String, String> packed(List<InternalRow> rows) {
        Seq<Attribute> input = Scala.seq(
                attribute(DataTypes.StringType),
                attribute(DataTypes.LongType),
                attribute(DataTypes.BooleanType),
                attribute(DataTypes.IntegerType),
                attribute(DataTypes.IntegerType));
        PackedRows packed = new PackedRows(new RowReader.OfRows(rows.iterator(), input), true, false, 1, 1);
        Map<String, String> strings = new TreeMap<>();
        while (packed.hasNext()) {
            StringBlock block = packed.next();
            for (int i = 0; i < block.count(); i++) {
                String string = new String(
                        block.bytes(), block.start(i), block.end(i) - block.start(i), StandardCharsets.UTF_8);
                int end = block.firstRow(i) + 2 * (int) (block.left(i) + block.right(i));
                String before = strings.put(
                        string + " " + block.group(i),
                        block.left(i) + " " + block.right(i) + " "
                                + Arrays.toString(Arrays.copyOfRange(block.rows(), block.firstRow(i), end)));
                assertThat(before).isNull();
            }
        }
        return strings;
    }

    private static long hash(String string) {
        byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        return XXH64.hashUnsafeBytes(bytes, org.apache.spark.unsafe.Platform.BYTE_ARRAY_OFFSET, bytes.length, 42);
    }

    /** Returns the intermediate result that {@code hashLong} mixes with the seed. Different numbers differ. */
    private static long round(long number) {
        return Long.rotateLeft(number * PRIME_2, 31) * PRIME_1;
    }

    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Returns a group in which {@code string} has the same hash as {@code other} has in {@code group}. */
    private static long colliding(String string, String other, long group) {
        long prime5 = 0x27D4EB2F165667C5L;
        long wanted = round(group) ^ hash(other) + prime5 + 8 ^ hash(string) + prime5 + 8;
        return Long.rotateRight(wanted * inverse(PRIME_1), 31) * inverse(PRIME_2);
    }

    @Test
    void leftRowsFirst() {
        List<InternalRow> rows =
                List.of(row("ab", 7, false, 10), row("ab", 7, true, 11), row("ab", 7, false, 12), row("", 7, true, 13));
        assertThat(packed(rows))
                .containsOnly(Map.entry("ab 7", "1 2 [0, 11, 0, 10, 0, 12]"), Map.entry(" 7", "1 0 [0, 13]"));
        assertThat(packed(List.of())).isEmpty();
    }

    /** The rows of strings that have the same hash alternate. */
    @Test
    void equalHashes() {
        long group = colliding("b", "a", 5);
        assertThat(XXH64.hashLong(group, hash("b"))).isEqualTo(XXH64.hashLong(5, hash("a")));
        List<InternalRow> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rows.add(row("a", 5, true, i));
            rows.add(row("b", group, i < 2, 10 + i));
        }
        rows.add(row("c", 5, false, 20));
        assertThat(packed(rows))
                .containsOnly(
                        Map.entry("a 5", "3 0 [0, 0, 0, 1, 0, 2]"),
                        Map.entry("b " + group, "2 1 [0, 10, 0, 11, 0, 12]"),
                        Map.entry("c 5", "0 1 [0, 20]"));
    }
}
