package dev.bellman.plan.packed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.join.StringBlock;
import dev.bellman.plan.catalyst.Scala;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.immutable.Seq;

/** Rows in host memory are packed into the same blocks as Spark's rows. */
class RowReaderTest {
    private static final DataType DECIMAL = DataTypes.createDecimalType(9, 2);
    private static final List<DataType> TYPES = List.of(
            DataTypes.LongType,
            DataTypes.IntegerType,
            DataTypes.ShortType,
            DataTypes.ByteType,
            DataTypes.BooleanType,
            DataTypes.DoubleType,
            DataTypes.FloatType,
            DataTypes.DateType,
            DECIMAL,
            DataTypes.NullType);

    private final List<Long> allocated = new ArrayList<>();

    @AfterEach
    void free() {
        allocated.forEach(Platform::freeMemory);
    }

    private long allocate(long bytes) {
        long address = Platform.allocateMemory(Math.max(1, bytes));
        allocated.add(address);
        return address;
    }

    private static Object value(DataType type, SplittableRandom random) {
        long bits = random.nextLong() >> random.nextInt(Long.SIZE);
        if (type == DataTypes.NullType || random.nextInt(4) == 0) {
            return null;
        } else if (type == DataTypes.LongType) {
            return bits;
        } else if (type == DataTypes.ShortType) {
            return (short) bits;
        } else if (type == DataTypes.ByteType) {
            return (byte) bits;
        } else if (type == DataTypes.BooleanType) {
            return (bits & 1) == 1;
        } else if (type == DataTypes.DoubleType) {
            return Double.longBitsToDouble(bits);
        } else if (type == DataTypes.FloatType) {
            return Float.intBitsToFloat((int) bits);
        }
        return type == DECIMAL ? Decimal.createUnsafe(bits % 1_000_000_000, 9, 2) : (Object) (int) bits;
    }

    private static int width(DataType type) {
        return type == DECIMAL ? Integer.BYTES : type == DataTypes.NullType ? 1 : type.defaultSize();
    }

    private static void put(long at, DataType type, Object value) {
        if (type == DECIMAL) {
            Platform.putInt(null, at, (int) ((Decimal) value).toUnscaledLong());
        } else if (value instanceof Long number) {
            Platform.putLong(null, at, number);
        } else if (value instanceof Integer number) {
            Platform.putInt(null, at, number);
        } else if (value instanceof Short number) {
            Platform.putShort(null, at, number);
        } else if (value instanceof Double number) {
            Platform.putLong(null, at, Double.doubleToRawLongBits(number));
        } else if (value instanceof Float number) {
            Platform.putInt(null, at, Float.floatToRawIntBits(number));
        } else {
            Platform.putByte(null, at, value instanceof Boolean flag ? (byte) (flag ? 1 : 0) : (byte) value);
        }
    }

    /** Stores a column as cudf does: without offsets if all strings are empty, without validity if nothing is NULL. */
    private RowsFromGpu.Column column(DataType type, List<Object[]> rows, int column) {
        boolean hasNull = rows.stream().anyMatch(row -> row[column] == null);
        long validity = hasNull ? allocate(rows.size() / 8 + 1) : 0;
        int width = type == DataTypes.StringType ? 0 : width(type);
        long data = allocate((long) width * rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Object value = rows.get(i)[column];
            if (hasNull) {
                byte before = i % 8 == 0 ? 0 : Platform.getByte(null, validity + i / 8);
                Platform.putByte(null, validity + i / 8, (byte) (before | (value == null ? 0 : 1 << i % 8)));
            }
            if (width > 0 && value != null) {
                put(data + (long) width * i, type, value);
            }
        }
        return type == DataTypes.StringType
                ? strings(rows.stream().map(row -> (UTF8String) row[column]).toList())
                : new RowsFromGpu.Column(data, 0, validity, width, type == DECIMAL);
    }

    private RowsFromGpu.Column strings(List<UTF8String> strings) {
        int bytes = strings.stream().mapToInt(UTF8String::numBytes).sum();
        if (bytes == 0) {
            return new RowsFromGpu.Column(0, 0, 0, 0, false);
        }
        long data = allocate(bytes);
        long offsets = allocate(Integer.BYTES * (strings.size() + 1L));
        int end = 0;
        Platform.putInt(null, offsets, 0);
        for (int i = 0; i < strings.size(); i++) {
            strings.get(i).writeToMemory(null, data + end);
            end += strings.get(i).numBytes();
            Platform.putInt(null, offsets + Integer.BYTES * (i + 1L), end);
        }
        return new RowsFromGpu.Column(data, offsets, 0, 0, false);
    }

    private RowReader batches(List<DataType> types, List<Object[]> rows, SplittableRandom random) {
        List<RowsFromGpu.Batch> batches = new ArrayList<>();
        int from = 0;
        while (from < rows.size()) {
            // some batches are empty
            int to = Math.min(rows.size(), from + random.nextInt(random.nextBoolean() ? 5 : 3_000));
            List<Object[]> ofBatch = rows.subList(from, to);
            batches.add(new RowsFromGpu.Batch(
                    ofBatch.size(),
                    IntStream.range(0, types.size())
                            .mapToObj(i -> column(types.get(i), ofBatch, i))
                            .toList()));
            from = to;
        }
        return new RowReader.OfBatches(batches.iterator());
    }

    private static RowReader rows(List<DataType> types, List<Object[]> rows) {
        Seq<Attribute> input = Scala.seq(types.stream()
                .map(type -> new AttributeReference(
                        "a", type, true, Metadata.empty(), NamedExpression$.MODULE$.newExprId(), Scala.<String>seq()))
                .toList());
        return new RowReader.OfRows(
                rows.stream().<InternalRow>map(GenericInternalRow::new).iterator(), input);
    }

    private static List<String> contents(Iterator<StringBlock> packed) {
        List<String> contents = new ArrayList<>();
        while (packed.hasNext()) {
            StringBlock block = packed.next();
            for (int i = 0; i < block.count(); i++) {
                contents.add(UTF8String.fromBytes(block.bytes(), block.start(i), block.end(i) - block.start(i))
                        + " " + block.group(i) + " " + block.left(i) + " " + block.right(i) + " "
                        + Arrays.toString(Arrays.copyOfRange(block.rows(), block.firstRow(i), block.firstRow(i + 1))));
            }
        }
        return contents;
    }

    private static UTF8String string(SplittableRandom random, int longest) {
        StringBuilder letters = new StringBuilder();
        for (int length = random.nextInt(longest + 1); length > 0; length--) {
            letters.append(random.nextInt(20) == 0 ? 'é' : (char) ('a' + random.nextInt(2)));
        }
        return UTF8String.fromString(letters.toString());
    }

    private static long hash(Object[] row, boolean grouped) {
        UTF8String string = (UTF8String) row[0];
        long hash = XXH64.hashUnsafeBytes(string.getBaseObject(), string.getBaseOffset(), string.numBytes(), 42);
        return grouped ? XXH64.hashLong((long) row[1], hash) : hash;
    }

    @ParameterizedTest
    @CsvSource({"true, true, 10", "true, false, 0", "false, true, 3", "false, false, 200", "false, true, 0"})
    void packedRows(boolean grouped, boolean same, int longest) {
        for (int seed = 0; seed < 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<DataType> left = random.ints(random.nextInt(6), 0, TYPES.size())
                    .mapToObj(TYPES::get)
                    .toList();
            List<DataType> right = same
                    ? List.of()
                    : random.ints(random.nextInt(6), 0, TYPES.size())
                            .mapToObj(TYPES::get)
                            .toList();
            List<DataType> types = Stream.of(
                            List.of(DataTypes.StringType),
                            grouped ? List.of(DataTypes.LongType) : List.<DataType>of(),
                            same ? List.<DataType>of() : List.of(DataTypes.BooleanType),
                            left,
                            right)
                    .flatMap(List::stream)
                    .toList();
            List<Object[]> all = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                Object[] row = new Object[types.size()];
                Arrays.setAll(row, at -> value(types.get(at), random));
                row[0] = string(random, longest);
                if (grouped) {
                    row[1] = (long) random.nextInt(3);
                }
                if (!same) {
                    row[grouped ? 2 : 1] = random.nextBoolean();
                }
                all.add(row);
            }
            all.sort((a, b) -> Long.compare(hash(a, grouped), hash(b, grouped)));
            int rightColumns = same ? left.size() : right.size();
            List<String> expected =
                    contents(new PackedRows(rows(types, all), grouped, same, left.size(), rightColumns));
            assertThat(contents(new PackedRows(batches(types, all, random), grouped, same, left.size(), rightColumns)))
                    .isEqualTo(expected)
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 10", "false, 0", "false, 300"})
    void packedStrings(boolean grouped, int longest) {
        List<DataType> types = Stream.of(
                        DataTypes.StringType, DataTypes.LongType, DataTypes.LongType, DataTypes.LongType)
                .limit(grouped ? 4 : 3)
                .toList();
        for (int seed = 0; seed < 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Object[]> all = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                Object[] row = new Object[types.size()];
                Arrays.setAll(row, at -> random.nextLong(1L << 40));
                row[0] = string(random, longest);
                all.add(row);
            }
            assertThat(contents(new PackedStrings(batches(types, all, random), grouped)))
                    .isEqualTo(contents(new PackedStrings(rows(types, all), grouped)))
                    .hasSize(3_000);
        }
    }
}
