package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.function.Catalogue;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Checks that expected results of every type are stored and compared exactly. */
class ExpectationsTest {
    /** Returns different values of a type, the first of which is NULL. */
    private static List<Object> values(DataType type) {
        if (type instanceof ArrayType array) {
            Object[] entries = values(array.elementType()).toArray();
            return Arrays.asList(null, Values.arrayOf(), Values.arrayOf(entries), Values.arrayOf(entries[1]));
        }
        if (type instanceof StructType struct) {
            Object[] first = Stream.of(struct.fields())
                    .map(field -> values(field.dataType()).get(1))
                    .toArray();
            Object[] other = first.clone();
            other[first.length - 1] = null;
            return Arrays.asList(null, Values.row(first), Values.row(other));
        }
        return switch (type.typeName()) {
            case "integer" -> Arrays.asList(null, 0, -1, Integer.MIN_VALUE);
            case "long" -> Arrays.asList(null, 0L, -1L, Long.MIN_VALUE);
            case "double" -> Arrays.asList(null, 0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY);
            case "float" -> Arrays.asList(null, 0F, -0F, Float.NaN);
            case "string" -> Arrays.asList(null, UTF8String.fromString(""), UTF8String.fromString("ä"));
            case "boolean" -> Arrays.asList(null, true, false);
            default -> throw new IllegalStateException("add values of " + type);
        };
    }

    @Test
    void everyTypeOfResult() {
        DataType[] types = Catalogue.functions().stream()
                .flatMap(function -> function.signatures().stream())
                .map(signature -> signature.result())
                .distinct()
                .toArray(DataType[]::new);
        assertThat(types).contains(DataTypes.IntegerType, DataTypes.StringType, DataTypes.DoubleType);
        for (DataType type : types) {
            List<Object> values = values(type);
            for (Object expected : values) {
                Expectations one = new Expectations(DataTypes.LongType, type);
                one.add(5, 1, true, false);
                one.set(1, expected);
                one.next(5);
                for (Object answer : values) {
                    InternalRow row = Values.row(5L, answer);
                    assertThat(one.isEqual(1, row, 1))
                            .as("%s: %s and %s", type, expected, answer)
                            .isEqualTo(expected == answer);
                }
                assertThat(Comparison.Answers.equal(type, expected, one.result(1)))
                        .isTrue();
            }
        }
    }

    /** Rows are read in the order in which they were added, some of them while other rows are added. */
    @Test
    void manyRows() {
        Expectations many = new Expectations(DataTypes.IntegerType);
        int rows = 5_000;
        int read = 0;
        for (int added = 0; added < rows; added++) {
            many.add(3L * added, added, added % 2 == 0, added % 3 == 0);
            many.set(0, added % 7 == 0 ? null : added);
            // reads nothing at first, and then two rows for each row that is added
            for (int i = 0; i < 2 && added > rows / 2 && read < added; i++) {
                next(many, read++);
            }
        }
        while (read < rows - 1) {
            next(many, read++);
        }
        assertThatThrownBy(many::end).hasMessage("the query did not return its last 1 rows");
        next(many, read);
        many.end();
        assertThatThrownBy(() -> many.next(0)).hasMessage("expected no more rows, but the query returned row 0");
    }

    private static void next(Expectations many, int index) {
        many.next(3L * index);
        assertThat(many.lanes()).isEqualTo(index);
        assertThat(many.isReferred()).isEqualTo(index % 2 == 0);
        assertThat(many.isLookedUp()).isEqualTo(index % 3 == 0);
        assertThat(many.result(0)).isEqualTo(index % 7 == 0 ? null : index);
    }

    @Test
    void rowsOutOfOrder() {
        Expectations two = new Expectations(DataTypes.StringType);
        two.add(8, 1, true, true);
        assertThatThrownBy(() -> two.next(9)).hasMessage("expected row 8, but the query returned row 9");
    }
}
